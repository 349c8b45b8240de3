package secrets_test

import (
	"fmt"

	"openclaw-auth/state"
	"openclaw-auth/state/secrets"
	"openclaw-auth/testdata"
)

// The key of a profile. Printing a Secret shows no more than that it is one.
func ExampleOf() {
	env := state.Env{
		Getenv: func(string) string { return "" },
		OSHome: "/demo", WorkDir: "/demo", FS: state.Mount(testdata.Demo(), "/"),
	}
	opened, err := state.Open(env, "auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	home := opened.Home
	const now = 1_780_000_000_000
	loaded, err := home.LoadAgent(home.MainAgent(), now)
	if err != nil {
		fmt.Println(err)
		return
	}
	credential, err := secrets.Of(home, secrets.Query{Loaded: loaded, Config: opened.Config, Profile: "openrouter:default", Now: now})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(credential.Type, credential.Secret, len(credential.Secret.Reveal()) > 0)
	// Output:
	// api_key **** true
}
