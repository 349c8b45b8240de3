package document_test

import (
	"fmt"

	"openclaw-auth/auth/document"
)

// Patch changes one value of a document that a person wrote and leaves the rest
// as it is.
func ExamplePatch() {
	text := []byte(`{
  // the cheap one first
  model: 'openai/gpt-5.4-mini', // since May
  heartbeat: { every: '30m' },
}
`)
	value, err := document.Parse("openclaw.json", text)
	if err != nil {
		fmt.Println(err)
		return
	}
	config := value.(*document.Object)
	config.Set("model", "anthropic/claude-opus-4-6")
	changed, err := document.Patch("openclaw.json", text, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(changed))
	// Output:
	// {
	//   // the cheap one first
	//   model: "anthropic/claude-opus-4-6", // since May
	//   heartbeat: { every: '30m' },
	// }
}
