package doctor

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
