package chain

import (
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

func TestSkipTTL(t *testing.T) {
	for _, test := range []struct {
		text           string
		loose, exactly int64
	}{
		{"", 0, 0}, {"  ", 0, 0}, {"0", 0, 0}, {"-5", 0, 0}, {"abc", 0, 0},
		{"500", 1000, 1000}, {"1000", 1000, 1000}, {" 60000 ", 60000, 60000}, {"99999999", 600000, 600000},
		{"99999999999999999999999", 600000, 600000},
		{"60000ms", 60000, 0}, {"6e4", 1000, 0}, {"60000.9", 60000, 0},
	} {
		if loose, exactly := skipTTL(test.text, false), skipTTL(test.text, true); loose != test.loose || exactly != test.exactly {
			t.Errorf("%q: %d and %d", test.text, loose, exactly)
		}
	}
}

func TestNormalizeAgentID(t *testing.T) {
	for text, want := range map[string]string{
		"": "main", "  ": "main", "Ops-Bot": "ops-bot", "a b!c": "a-b-c", "--x--": "x", "!!!": "main", "ÄGENT": "gent",
		"A_b-9": "a_b-9", "__x": "__x", "ünï": "n", "a//b": "a-b", "\ufeffops\ufeff": "ops", "ops\u0085": "ops", "\u212aops": "kops",
		strings.Repeat("a", 70): strings.Repeat("a", 64),
	} {
		if got := NormalizeAgentID(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}

// A rollback takes back what the fallback wrote, and nothing that somebody
// else has written since.
func TestNarrowRollback(t *testing.T) {
	rules, err := auth.RulesFor("2026.5.12")
	if err != nil {
		t.Fatal(err)
	}
	m := &Models{Rules: rules}
	entry := document.NewObject()
	entry.Set(modelOverride, "before")
	entry.Set(pinProfile, "a:x")
	write := m.writeFallback(entry, Candidate{Ref: Ref{"b", "two"}}, Ref{"a", "one"}, "b:x", "auto", 7)
	if entry.Text(modelOverride) != "two" || entry.Text(originModel) != "one" || entry.Text(pinProfile) != "b:x" {
		t.Fatalf("wrote %v", entry.Keys())
	}
	entry.Set(pinProfile, "b:chosen-meanwhile")
	write.rollBack(entry)
	if entry.Text(modelOverride) != "before" || entry.Has(originModel) || entry.Has(providerOverride) {
		t.Errorf("left %v", entry.Keys())
	}
	if entry.Text(pinProfile) != "b:chosen-meanwhile" {
		t.Error("took back what somebody else wrote")
	}
}
