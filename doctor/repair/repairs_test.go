package repair

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/doctortest"
)

// TestRepairs compares with recorded repairs of OpenClaw's own doctor
// (testdata/doctor/repairs.jsonl.gz): what it would rename or delete is found,
// under the name that it would give, and nothing else is.
func TestRepairs(t *testing.T) {
	scanner, count := bufio.NewScanner(doctortest.Unzipped(t, "repairs.jsonl.gz")), 0
	for scanner.Buffer(nil, 1<<20); scanner.Scan(); count++ {
		value, err := document.ParseJSON("repairs.jsonl", scanner.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		record := value.(*document.Object)
		t.Run(record.Text("fn")+"/"+record.Text("line")+"/"+record.Text("name"), func(t *testing.T) { compareRepair(t, record) })
	}
	if count < 50 {
		t.Errorf("%d repairs", count)
	}
}

func compareRepair(t *testing.T, record *document.Object) {
	root := t.TempDir()
	line := record.Text("line")
	doctortest.Write(t, root, "home/.openclaw/openclaw.json", record.Object("in").Object("cfg"))
	if store := record.Object("in").Object("store"); store != nil {
		doctortest.Write(t, root, "home/.openclaw/agents/main/agent/auth-profiles.json", store)
		if line == "2026.7.1" { // that keeps them in a database, which the first run fills
			databases(t, filepath.Join(root, "home", ".openclaw"), map[string]string{"agent": database71(t)}, outcome{})
		}
	}
	out := record.Object("out")
	findings := doctor.Examine(queryOf(t, root, line, nil)).Findings
	switch record.Text("fn") {
	case "oauth-default-id-repair":
		if line != "2026.7.1" {
			compareTarget(t, out, findings)
		}
		compareConfig(t, root, record)
	case "codex-auth-config-rename":
		compareCodex(t, out, findings)
		compareConfig(t, root, record)
	case "unknown-keys":
		compareKeys(t, out, findings)
	}
}

var database71Once struct {
	sync.Once
	content []byte
}

// database71 is an agent's database of 2026.7.1 without anything in it.
func database71(t *testing.T) string {
	t.Helper()
	database71Once.Do(func() {
		content, err := os.ReadFile(sampleDatabase(t, "2026.7.1", ".openclaw/agents/work/agent/openclaw-agent.sqlite"))
		if err != nil {
			t.Fatal(err)
		}
		database71Once.content = content
	})
	path := filepath.Join(t.TempDir(), "agent.sqlite")
	if err := os.WriteFile(path, database71Once.content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// compareConfig repairs the home and compares what the configuration says then.
func compareConfig(t *testing.T, root string, record *document.Object) {
	t.Helper()
	fixAll(t, root, record.Text("line"))
	text, err := os.ReadFile(filepath.Join(root, "home", ".openclaw", "openclaw.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(text, &got), json.Unmarshal(document.EncodeCompact(record.Object("out").Object("config")), &want)); err != nil {
		t.Fatal(err)
	}
	if record.Text("line") == "2026.4.29" && strings.Contains(record.Text("name"), "97522") {
		// OpenClaw writes over the declaration of the new id; here it stays, as from 2026.6.11 on.
		want = map[string]any{}
		if err := json.Unmarshal(document.EncodeCompact(record.Object("in").Object("cfg")), &want); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// compareTarget compares the id that a default login is renamed to.
func compareTarget(t *testing.T, out *document.Object, findings []doctor.Finding) {
	t.Helper()
	i := slices.IndexFunc(findings, func(f doctor.Finding) bool { return f.Check == "rename/default-login" })
	switch target := out.Text("toProfileId"); {
	case i < 0 != (target == ""):
		t.Errorf("OpenClaw renames to %q; findings %+v", target, findings)
	case i >= 0 && !strings.HasPrefix(findings[i].Fix, "doctor --fix renames it to "+target+","):
		t.Errorf("%s, want %s", findings[i].Fix, target)
	}
}

// compareCodex compares whether anything is renamed, and the new ids.
func compareCodex(t *testing.T, out *document.Object, findings []doctor.Finding) {
	t.Helper()
	changes, _ := out.Get("changes")
	list, _ := changes.([]any)
	found := slices.DeleteFunc(slices.Clone(findings), func(f doctor.Finding) bool { return f.Check != "rename/openai-codex" })
	if len(list) > 0 != (len(found) > 0) {
		t.Errorf("OpenClaw changes %v; found %+v", list, found)
	}
	profiles := out.Object("config").Object("auth").Object("profiles")
	for _, f := range found {
		if name, ok := strings.CutPrefix(f.Fix, "doctor --fix renames it to "); ok && !profiles.Has(name) {
			t.Errorf("%s: OpenClaw has %v", f.Fix, profiles.Keys())
		}
	}
}

// compareKeys finds every member that OpenClaw would delete, and on these lines no other.
func compareKeys(t *testing.T, out *document.Object, findings []doctor.Finding) {
	t.Helper()
	value, _ := out.Get("removed")
	removed, _ := value.([]any)
	var found []string
	for _, f := range findings {
		if f.Check == "config/keys" || f.Check == "secrets/config" && strings.HasPrefix(f.Where.Pointer, "/auth/profiles/") {
			found = append(found, strings.Join(document.SplitPointer(f.Where.Pointer), "."))
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
