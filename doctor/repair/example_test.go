package repair_test

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/repair"
	"openclaw-auth/state"
	"openclaw-auth/testdata"
)

// What doctor --fix would change in a home that moves to a newer release.
func ExampleMake() {
	env := state.Env{
		Getenv: func(string) string { return "" },
		OSHome: "/demo", WorkDir: "/demo", FS: state.Mount(testdata.Demo(), "/"),
	}
	opened, err := state.Open(env, "2026.7.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	query := doctor.Query{Home: opened.Home, Config: opened.Config, Evidence: opened.Evidence, Now: 1_780_000_000_000}
	findings := doctor.Examine(query).AtLeast(doctor.Warning)
	options := state.WriteOptions{Why: "example", Clock: state.SystemClock{}}
	moment := state.Moment{Time: time.UnixMilli(query.Now), Seed: "example"} // repair.NewMoment, outside of an example
	plan := repair.Make(context.Background(), query, findings, doctor.Warning, moment, options)
	for _, fixed := range plan.Fixed {
		if fixed.Err != nil {
			fmt.Println(fixed.Err)
			continue
		}
		if fixed.Written == nil {
			continue
		}
		for _, change := range fixed.Written.Changes {
			fmt.Println(filepath.Base(change.File))
		}
	}
	// Output:
	// auth-state.json
	// auth-profiles.json
	// auth-state.json
	// openclaw.json
	// auth-profiles.json.openai-provider-unification.1780000000000.bak
}
