package doctor

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/state"
)

// TestRepairs compares with recorded repairs of OpenClaw's own doctor
// (testdata/doctor/repairs.jsonl.gz): what it would rename or delete is found,
// under the name that it would give, and nothing else is.
func TestRepairs(t *testing.T) {
	file, err := os.Open(filepath.Join(casesDir, "repairs.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	scanner, count := bufio.NewScanner(zipped), 0
	for scanner.Buffer(nil, 1<<20); scanner.Scan(); count++ {
		value, err := state.ParseJSON("repairs.jsonl", scanner.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		record := value.(*auth.Object)
		t.Run(record.Text("fn")+"/"+record.Text("line")+"/"+record.Text("name"), func(t *testing.T) { compareRepair(t, record) })
	}
	if count < 50 {
		t.Errorf("%d repairs", count)
	}
}

func compareRepair(t *testing.T, record *auth.Object) {
	root := t.TempDir()
	write(t, root, "home/.openclaw/openclaw.json", record.Object("in").Object("cfg"))
	if store := record.Object("in").Object("store"); store != nil {
		write(t, root, "home/.openclaw/agents/main/agent/auth-profiles.json", store)
	}
	out := record.Object("out")
	findings := Examine(query(t, root, record.Text("line"), nil)).Findings
	switch record.Text("fn") {
	case "oauth-default-id-repair":
		if record.Text("line") == "2026.7.1" {
			// The recorded function gets the store as an argument; there the release reads a database.
			store := &auth.Store{Profiles: record.Object("in").Object("store").Object("profiles"), LastGood: record.Object("in").Object("store").Object("lastGood")}
			compareLogin(t, record, store)
			return
		}
		compareTarget(t, out, findings)
	case "codex-auth-config-rename":
		compareCodex(t, out, findings)
	case "unknown-keys":
		compareKeys(t, out, findings)
	}
}

// compareTarget compares the id that a default login is renamed to.
func compareTarget(t *testing.T, out *auth.Object, findings []Finding) {
	t.Helper()
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.Check == "rename/default-login" })
	switch target := out.Text("toProfileId"); {
	case i < 0 != (target == ""):
		t.Errorf("OpenClaw renames to %q; findings %+v", target, findings)
	case i >= 0 && findings[i].Fix != "rename it to "+target:
		t.Errorf("%s, want %s", findings[i].Fix, target)
	}
}

func compareLogin(t *testing.T, record *auth.Object, store *auth.Store) {
	t.Helper()
	rules, err := auth.RulesFor(record.Text("line"))
	if err != nil {
		t.Fatal(err)
	}
	declared := record.Object("in").Object("cfg").Object("auth").Object("profiles")
	provider, id := record.Object("in").Text("provider"), record.Object("in").Text("legacyProfileId")
	target := renameOf(rules, lineOf(rules), store, declared, provider)
	if want := record.Object("out").Text("toProfileId"); target != want {
		t.Errorf("%s becomes %q, want %q", id, target, want)
	}
}

// compareCodex compares whether anything is renamed, and the new ids.
func compareCodex(t *testing.T, out *auth.Object, findings []Finding) {
	t.Helper()
	changes, _ := out.Get("changes")
	list, _ := changes.([]any)
	found := slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Check != "rename/openai-codex" })
	if len(list) > 0 != (len(found) > 0) {
		t.Errorf("OpenClaw changes %v; found %+v", list, found)
	}
	profiles := out.Object("config").Object("auth").Object("profiles")
	for _, f := range found {
		if name, ok := strings.CutPrefix(f.Fix, "rename it to "); ok && !profiles.Has(name) {
			t.Errorf("%s: OpenClaw has %v", f.Fix, profiles.Keys())
		}
	}
}

// compareKeys finds every member that OpenClaw would delete, and on these lines no other.
func compareKeys(t *testing.T, out *auth.Object, findings []Finding) {
	t.Helper()
	value, _ := out.Get("removed")
	removed, _ := value.([]any)
	var found []string
	for _, f := range findings {
		if f.Check == "config/keys" || f.Check == "secrets/config" && strings.HasPrefix(f.Where.Pointer, "/auth/profiles/") {
			found = append(found, strings.Join(state.SplitPointer(f.Where.Pointer), "."))
		}
	}
	for _, item := range removed {
		if i := slices.Index(found, item.(string)); i >= 0 {
			found = slices.Delete(found, i, i+1)
			continue
		}
		t.Errorf("%s is deleted, but not found", item)
	}
	// 2026.7.1 leaves defaultModel in its place, though it does not read it.
	if found = slices.DeleteFunc(found, func(name string) bool { return name == "defaultModel" }); len(found) > 0 {
		t.Errorf("%v are found, but not deleted", found)
	}
}
