package doctor

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDamage damages the homes of the releases, a few bytes at a time: whatever
// is in a file, the examination ends, and no secret is told.
func TestDamage(t *testing.T) {
	root := t.TempDir()
	homes := unpackTrees(t, root)
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	for range rounds {
		name := homes[random.IntN(len(homes))]
		home := filepath.Join(root, filepath.FromSlash(name))
		release, _, _ := strings.Cut(name, "/")
		file := someFile(t, home, random)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := damage(before, random)
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, f := range Examine(query(t, home, release, nil)).Findings {
			for _, secret := range []string{"sk-test", "acc-test", "ref-test", "gw-test", "only-access"} {
				if text := fmt.Sprintf("%+v", f); strings.Contains(text, secret) {
					t.Errorf("%s: a secret is told: %s", file, text)
				}
			}
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(damaged) {
			t.Errorf("%s was written", file)
		}
		if err := os.WriteFile(file, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func someFile(t *testing.T, home string, random *rand.Rand) string {
	var files []string
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	return files[random.IntN(len(files))]
}

// damage cuts a text off, or puts other bytes, values or members in.
func damage(text []byte, random *rand.Rand) []byte {
	if len(text) == 0 {
		return []byte("{")
	}
	at := random.IntN(len(text))
	switch pieces := []string{"null", "[]", "{}", "5", `"x"`, "\xff", "{", "]", ","}; random.IntN(4) {
	case 0:
		return text[:at]
	case 1:
		return append(append(append([]byte{}, text[:at]...), pieces[random.IntN(len(pieces))]...), text[at:]...)
	case 2: // a value of another type
		damaged := strings.Replace(string(text), ": {", ": "+pieces[random.IntN(5)]+", \"y\": {", 1+random.IntN(3))
		return []byte(damaged)
	}
	damaged := append([]byte{}, text...)
	damaged[at] = byte(random.IntN(256))
	return damaged
}

// TestFixDamage repairs and migrates damaged homes: it ends, a second run changes
// nothing, a file that can't be read keeps its bytes, undoing gives all bytes
// back, and no credential is lost.
func TestFixDamage(t *testing.T) {
	samples := map[string]map[string]string{
		"2026.7.1": {"agent": sampleDatabase(t, "2026.7.1", ".openclaw/agents/work/agent/openclaw-agent.sqlite")},
		"2026.9.6": {
			"agent": sampleDatabase(t, "2026.9.6", ".openclaw/agents/work/agent/openclaw-agent.sqlite"),
			"state": sampleDatabase(t, "2026.9.6", ".openclaw/state/openclaw.sqlite"),
		},
	}
	random := rand.New(rand.NewPCG(3, 4))
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	if long {
		rounds = 3000
	}
	sources := t.TempDir()
	archive := unpackTrees(t, sources)
	all := outcomes(t)
	for round := range rounds {
		name := archive[random.IntN(len(archive))]
		release, _, _ := strings.Cut(name, "/")
		root := t.TempDir()
		if err := os.CopyFS(root, os.DirFS(filepath.Join(sources, filepath.FromSlash(name)))); err != nil {
			t.Fatal(err)
		}
		closeModes(t, root)
		dir := query(t, root, release, nil).Home.StateDir
		file := someFile(t, root, random)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := damage(before, random)
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if samples[release] != nil && random.IntN(4) > 0 {
			databases(t, dir, samples[release], all[name])
		}
		config := query(t, root, release, nil)
		if config.Problem != nil {
			continue
		}
		t.Run(fmt.Sprint(round, name), func(t *testing.T) { fixDamaged(t, root, release, file, string(damaged)) })
	}
}

var long = os.Getenv("OPENCLAW_AUTH_TEST_LONG") != ""

func closeModes(t *testing.T, root string) {
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return os.Chmod(path, 0o700)
		} else if err == nil {
			return os.Chmod(path, 0o600)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func fixDamaged(t *testing.T, root, release, file, damaged string) {
	before := content(t, root)
	secrets := map[string]bool{}
	for name, text := range before {
		if filepath.Ext(name) == ".json" {
			for _, secret := range fakeSecret.FindAllString(text, -1) {
				secrets[secret] = true
			}
		}
	}
	for _, err := range fixAllErrors(t, root, release) {
		t.Logf("left: %v", err)
	}
	after := content(t, root)
	var everything strings.Builder
	for _, text := range after {
		everything.WriteString(text)
	}
	for secret := range secrets {
		if !strings.Contains(everything.String(), secret) {
			t.Errorf("%s is nowhere any more; %s was %q", secret, file, damaged)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok && name == file && !strings.HasSuffix(name, ".lock") {
			if _, err := query(t, root, release, nil).Home.ReadDocument(file); err == nil {
				continue
			}
			t.Errorf("%s can't be read and is gone", name)
		}
	}
	if backups, _ := written(Fix(query(t, root, release, nil), Examine(query(t, root, release, nil)).Findings, fixOptions)); len(backups) > 0 {
		t.Errorf("another run writes again: %v", backups)
	}
	undoAll(t, root, release)
	after = content(t, root)
	if strings.HasSuffix(file, ".lock") { // one that names nobody goes with its age
		after[file] = damaged
	}
	if diff := cmp.Diff(before, after, cmp.FilterPath(isDatabasePath, cmp.Ignore())); diff != "" {
		t.Errorf("%s damaged to %q: undoing did not give back what was there (-want +got):\n%s", file, damaged, diff)
	}
}

// fixAllErrors repairs until nothing changes, and returns what could not be.
func fixAllErrors(t *testing.T, root, release string) (errs []error) {
	for range 6 {
		q := query(t, root, release, nil)
		fixed := Fix(q, Examine(q).Findings, fixOptions)
		for _, f := range fixed {
			if f.Err != nil {
				errs = append(errs, f.Err)
			}
		}
		if backups, _ := written(fixed); len(backups) == 0 {
			return errs
		}
	}
	t.Error("six runs, and still something changes")
	return errs
}
