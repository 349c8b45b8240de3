package traces_test

import (
	"fmt"

	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/traces"
	"openclaw-auth/testdata"
)

// OpenClaw's log names profiles by a hash; a home knows whose it is.
func ExampleReadProfiles() {
	env := state.Env{
		Getenv: func(string) string { return "" },
		OSHome: "/demo", WorkDir: "/demo", FS: state.Mount(testdata.Demo(), "/"),
	}
	opened, err := state.Open(env, "auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	agents := opened.Home.Agents(opened.Config)
	profiles := traces.ReadProfiles(opened.Home, opened.Config, agents, 1_780_000_000_000)
	hash := history.Hash("openrouter:default")
	fmt.Println(hash, profiles.Names.Of(hash))
	// Output:
	// sha256:ac092b59b472 openrouter:default
}
