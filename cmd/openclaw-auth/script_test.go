package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"openclaw-auth": main, "openclaw-auth-panics": panicking})
}

// panicking is the program with a clock that panics once the file panic is in HOME.
func panicking() {
	w := system()
	w.now = func() time.Time {
		if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), "panic")); err == nil {
			panic("the clock has stopped")
		}
		return time.Now()
	}
	os.Exit(run(os.Args, w))
}

// TestScripts runs testdata/script: the program as a user types it. HOME is
// the script's directory home and SCRIPTS the repository's scripts; a script that needs one of the sample homes
// calls "homecopy NAME", which copies it there with OpenClaw's file modes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("OPENCLAW_AUTH_COLOR", "never")
			env.Setenv("SCRIPTS", filepath.Join(packageDir, "..", "..", "scripts"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"homecopy": homeCopy, "pastcopy": pastCopy},
	})
}

func homeCopy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: homecopy NAME")
	}
	ts.Check(copyHome(args[0], ts.MkAbs("home")))
}

// pastCopy unpacks what a real run of a release left behind (testdata/history)
// into the directory past.
func pastCopy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: pastcopy NAME")
	}
	ts.Check(unpackPast(args[0], ts.MkAbs("past")))
}
