package lines_test

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/chain/lines"
)

// The model that runs where a configuration names none, release by release.
func ExampleOf() {
	for _, release := range []string{"2026.3.13", "2026.4.9", "2026.9.6"} {
		rules, err := auth.RulesFor(release)
		if err != nil {
			fmt.Println(err)
			return
		}
		references := lines.Of(rules).References
		fmt.Println(rules.Line, references.DefaultProvider, references.DefaultModel)
	}
	// Output:
	// 2026.3.13 anthropic claude-opus-4-6
	// 2026.4.9 openai gpt-5.4
	// 2026.9.6 openai gpt-6-astra
}
