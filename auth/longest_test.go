package auth

import (
	"testing"

	"openclaw-auth/auth/document"
)

// The longest windows, as the tables of backoffs have them: no failure, however
// often, opens a longer one.
func TestLongestWindow(t *testing.T) {
	const hour, minute = 3_600_000.0, 60_000.0
	for line, want := range map[string][2]float64{ // cooldown, disable
		"2026.1.30": {hour, 24 * hour}, "2026.3.31": {5 * minute, 24 * hour}, "2026.8.2": {5 * minute, 24 * hour}, "2026.9.6": {24 * hour, 24 * hour},
	} {
		rules, err := RulesFor(line)
		if err != nil {
			t.Fatal(err)
		}
		p := &Profiles{Rules: rules, Store: &Store{}}
		for i, kind := range []ProfileState{StateCooling, StateDisabled} {
			if got := p.LongestWindow(kind, "anthropic"); got != want[i] {
				t.Errorf("%s, %s: %v, want %v", line, kind, got, want[i])
			}
		}
		if p.LongestWindow(StateBlocked, "anthropic") != 0 || p.LongestWindow(StateCooling, string(rules.Failures.CodexProbe.Provider)) == want[0] && rules.Failures.CodexProbe.Provider != "" {
			t.Errorf("%s: a window that a provider's reset ends has a bound", line)
		}
	}
}

func TestLongestWindowIsReached(t *testing.T) {
	for _, rules := range Lines() {
		credential := document.NewObject()
		credential.Set("type", TypeAPIKey)
		credential.Set("provider", "anthropic")
		store := &Store{Profiles: document.NewObject(), UsageStats: document.NewObject()}
		store.Profiles.Set("a", credential)
		p := &Profiles{Rules: rules, Store: store}
		now, longest := int64(1_780_000_000_000), map[ProfileState]float64{}
		for i := range 60 {
			reason := []Reason{"timeout", "rate_limit", "billing", "auth_permanent"}[i%4]
			store.UsageStats.Set("a", p.Fail(Failure{Profile: "a", Reason: reason, Now: now}).Stats)
			for _, w := range rules.Windows.List(store.UsageStats.Object("a"), now) {
				longest[w.Kind] = max(longest[w.Kind], w.Until-float64(now))
			}
			now += 1000
		}
		for kind, length := range longest {
			if bound := p.LongestWindow(kind, "anthropic"); length > bound+1 {
				t.Errorf("%s: a %s of %v ms, the bound is %v", rules.Line, kind, length, bound)
			}
		}
	}
}
