package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestKilledFix kills repairs of two agents at random moments: each agent has
// the old state or the new one, and the next run finishes what is left.
func TestKilledFix(t *testing.T) {
	home := writingHome(t)
	write(t, home, map[string]string{conf: `{"meta":{"lastTouchedVersion":"2026.5.12"},"agents":{"list":[{"id":"main","default":true},{"id":"work"}]}}`})
	damaged := []byte(`{"version":1,"order":{"a":["a:gone","a:x"]},"lastGood":{"a":"a:gone"},"usageStats":{"a:x":{"errorCount":1},"a:gone":{"errorCount":2}},"own":1}`)
	profiles, err := os.ReadFile(filepath.Join(home, ".openclaw", store))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, agent := range []string{"main", "work"} {
		dir := filepath.Join(home, ".openclaw", "agents", agent, "agent")
		files = append(files, filepath.Join(dir, "auth-state.json"))
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "auth-profiles.json"), profiles, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	damage := func() {
		for _, file := range files {
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	fix := func() []byte {
		command := process(home, "doctor", "--fix", "--yes", "--lock-timeout", "30s")
		command.Env = command.Env[:1] // every agent
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return out
	}
	damage()
	start := time.Now()
	fix()
	took := time.Since(start)
	repaired, err := os.ReadFile(files[0])
	if err != nil || bytes.Contains(repaired, []byte("a:gone")) || !bytes.Contains(repaired, []byte(`"own"`)) {
		t.Fatalf("%s %v", repaired, err)
	}

	kills, died, half := 20, 0, 0
	if long {
		kills = 300
	}
	for range kills {
		damage()
		command := process(home, "doctor", "--fix", "--yes")
		command.Env = command.Env[:1]
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(took))
		_ = command.Process.Kill() // it may have ended already
		if command.Wait() != nil {
			died++
		}
		left := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			switch {
			case err != nil:
				t.Fatal(err)
			case bytes.Equal(text, damaged):
				left++
			case !bytes.Equal(text, repaired):
				t.Fatalf("%s is neither as before nor as repaired:\n%s", file, text)
			}
		}
		if left == 1 {
			half++
		}
		fix()
		for _, file := range files {
			if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, repaired) {
				t.Fatalf("the next run left %s as\n%s %v", file, text, err)
			}
		}
	}
	t.Logf("%d of %d were killed before they ended, %d between two agents", died, kills, half)
	// A lock of a killed process blocks nobody, and goes with the next write.
	for _, agent := range []string{"main", "work"} {
		if out, err := process(home, "auth", "record", "a:x", "--success", "--agent", agent).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	checkClean(t, home)
}
