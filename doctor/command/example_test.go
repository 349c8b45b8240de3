package command_test

import (
	"fmt"

	"openclaw-auth/doctor/command"
)

// Commands that do the same from any directory, whatever is in the words.
func ExampleTarget() {
	target := command.Target{Flags: []string{"--state-dir", "/srv/open claw"}, Env: []string{"OPENCLAW_STATE_DIR=/srv/open claw"}}
	fmt.Println(target.Own("main", "auth", "reset", "openai:default"))
	fmt.Println(target.Login("main", "openai"))
	// Output:
	// openclaw-auth auth reset openai:default --agent main --state-dir '/srv/open claw'
	// OPENCLAW_STATE_DIR='/srv/open claw' openclaw models auth --agent main login --provider openai
}
