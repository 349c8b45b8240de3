package main

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// FuzzSavedPlan reads plans that others may have written: what is read says the
// same once it is written again, so that nothing of it is carried out unseen.
func FuzzSavedPlan(f *testing.F) {
	f.Add([]byte(`{"schema": "openclaw-auth/doctor-plan/v1", "stateDir": "/h/.openclaw", "rules": "2026.7.1", "time": "2026-11-30T00:00:00Z", "seed": "s",
		"scope": {"only": ["a"], "to": "2026.9.6"}, "writes": [{"agent": "main", "changes": [{"file": "f", "action": "change", "before": "", "after": "x"}]}]}`))
	f.Add([]byte(`{"schema": "openclaw-auth/doctor-plan/v1", "writes": null, "time": "9999-12-31T23:59:59Z"}`))
	f.Add([]byte(`{"schema": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		saved := parsePlan(text)
		if saved == nil {
			return
		}
		again, err := json.Marshal(saved)
		if err != nil {
			return // a time beyond the year 9999
		}
		second := parsePlan(again)
		if second == nil || !slices.Equal(saved.lines(), second.lines()) || !saved.moment().Time.Equal(second.moment().Time) {
			t.Errorf("%s is read back as another plan: %s", text, again)
		}
		if saved.moment().Time.Location() == nil || saved.moment().Time.After(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("time %v", saved.moment().Time)
		}
	})
}
