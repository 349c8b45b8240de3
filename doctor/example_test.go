package doctor_test

import (
	"fmt"

	"openclaw-auth/doctor"
	"openclaw-auth/state"
	"openclaw-auth/testdata"
)

// The warnings about a home, each with the check that found it.
func ExampleExamine() {
	env := state.Env{
		Getenv: func(string) string { return "" },
		OSHome: "/demo", WorkDir: "/demo", FS: state.Mount(testdata.Demo(), "/"),
	}
	opened, err := state.Open(env, "auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	report := doctor.Examine(doctor.Query{Home: opened.Home, Config: opened.Config, Evidence: opened.Evidence, Now: 1_780_000_000_000})
	for _, finding := range report.AtLeast(doctor.Warning) {
		fmt.Println(finding.Severity, finding.Check)
	}
	// Output:
	// error profiles/expiry
	// warning rename/openai-codex
	// warning rename/openai-codex
}
