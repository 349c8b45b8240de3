package repair

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/doctortest"
)

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
	archive := doctortest.UnpackTrees(t, sources)
	all := outcomes(t)
	for round := range rounds {
		name := archive[random.IntN(len(archive))]
		release, _, _ := strings.Cut(name, "/")
		root := t.TempDir()
		if err := os.CopyFS(root, os.DirFS(filepath.Join(sources, filepath.FromSlash(name)))); err != nil {
			t.Fatal(err)
		}
		closeModes(t, root)
		dir := queryOf(t, root, release, nil).Home.StateDir
		file := doctortest.SomeFile(t, root, random)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := doctortest.Damage(before, random)
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if samples[release] != nil && random.IntN(4) > 0 {
			databases(t, dir, samples[release], all[name])
		}
		config := queryOf(t, root, release, nil)
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
			if _, err := queryOf(t, root, release, nil).Home.ReadDocument(file); err == nil {
				continue
			}
			t.Errorf("%s can't be read and is gone", name)
		}
	}
	if backups, _ := written(Fix(t.Context(), queryOf(t, root, release, nil), doctor.Examine(queryOf(t, root, release, nil)).Findings, fixOptions)); len(backups) > 0 {
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
		q := queryOf(t, root, release, nil)
		fixed := Fix(t.Context(), q, doctor.Examine(q).Findings, fixOptions)
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
