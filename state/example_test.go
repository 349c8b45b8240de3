package state_test

import (
	"fmt"

	"openclaw-auth/state"
	"openclaw-auth/testdata"
)

// demoEnv is the environment of the demo home, which lies in memory.
func demoEnv() state.Env {
	return state.Env{
		Getenv: func(string) string { return "" },
		OSHome: "/demo", WorkDir: "/demo", FS: state.Mount(testdata.Demo(), "/"),
	}
}

// What the agents of a home have, under the rules of the release that wrote it.
func ExampleOpen() {
	opened, err := state.Open(demoEnv(), "auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	home, config := opened.Home, opened.Config
	fmt.Println("rules", home.Rules.Line)
	for _, agent := range home.Agents(config) {
		loaded, err := home.LoadAgent(agent, 1_780_000_000_000)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(agent.ID, loaded.Profiles(home, config).Providers())
	}
	// Output:
	// rules 2026.5.12
	// main [anthropic openai openai-codex openrouter google]
	// work [anthropic openai openai-codex openrouter google]
}
