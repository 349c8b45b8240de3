package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"openclaw-auth": main})
}

// TestScripts runs testdata/script: the program as a user types it. HOME is
// the script's directory home; a script that needs one of the sample homes
// calls "homecopy NAME", which copies it there with OpenClaw's file modes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("OPENCLAW_AUTH_COLOR", "never")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"homecopy": homeCopy},
	})
}

func homeCopy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: homecopy NAME")
	}
	source, err := filepath.Abs(filepath.Join(packageDir, "..", "..", "testdata", "homes", args[0]))
	ts.Check(err)
	target := ts.MkAbs("home")
	ts.Check(os.RemoveAll(target))
	ts.Check(os.CopyFS(target, os.DirFS(source)))
	ts.Check(filepath.WalkDir(target, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o600)
		if entry.IsDir() {
			mode = 0o700
		}
		return os.Chmod(path, mode)
	}))
}

// packageDir is where the tests start; scripts run elsewhere.
var packageDir, _ = os.Getwd()
