package doctor

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"openclaw-auth/doctor/internal/doctortest"
)

// TestDamage damages the homes of the releases, a few bytes at a time: whatever
// is in a file, the examination ends, and no secret is told.
func TestDamage(t *testing.T) {
	root := t.TempDir()
	homes := doctortest.UnpackTrees(t, root)
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	for range rounds {
		name := homes[random.IntN(len(homes))]
		home := filepath.Join(root, filepath.FromSlash(name))
		release, _, _ := strings.Cut(name, "/")
		file := doctortest.SomeFile(t, home, random)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := doctortest.Damage(before, random)
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
