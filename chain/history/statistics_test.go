package history

import (
	"strings"
	"testing"

	"openclaw-auth/chain"
)

// The counts equal what the provider's server saw.
func TestStatisticsEqualTruth(t *testing.T) {
	for _, sample := range []string{"2026.5.12", "2026.7.1", "2026.9.6"} {
		files, told := tellSample(t, sample)
		statistics := NewStatistics("hour", nil)
		for _, run := range told.runs {
			statistics.Add(run)
		}
		statistics.Close()
		answered, failures, failed := map[string]int{}, map[string]int{}, 0
		turns := files.truth(t)
		for _, turn := range turns {
			if turn.winner == "" {
				failed++
			} else {
				answered[turn.winner]++
			}
			for _, attempt := range turn.failed {
				_, profile, _ := strings.Cut(attempt, "@")
				failures[profile]++
			}
		}
		if got := statistics.Turns; got.Total() != len(turns) || got.Failed != failed || got.Fallback != 7 || statistics.Runs.Total() != 0 {
			t.Errorf("%s: %+v, want %d turns, %d failed", sample, got, len(turns), failed)
		}
		for ref, count := range statistics.Models {
			if count.Answered != answered[ref.String()] {
				t.Errorf("%s: %s answered %d, want %d", sample, ref, count.Answered, answered[ref.String()])
			}
		}
		for key, profile := range told.story.Windows() {
			total := 0
			for _, n := range profile.Failures {
				total += n
			}
			if total != failures[key.ID] {
				t.Errorf("%s: %s failed %d times, want %d", sample, key.ID, total, failures[key.ID])
			}
			delete(failures, key.ID)
		}
		if len(failures) > 0 {
			t.Errorf("%s: %v is missing", sample, failures)
		}
		if dune := statistics.Models[chain.Ref{Provider: "dune", Model: "a1"}]; dune == nil || *dune != (ModelCount{Asked: 2, Skipped: 2}) {
			t.Errorf("%s: dune/a1 %+v", sample, dune)
		}
		var periods int
		for _, period := range statistics.Periods {
			periods += period.Outcomes.Total()
		}
		if periods != len(turns) {
			t.Errorf("%s: %d turns in periods", sample, periods)
		}
	}
}

// Any number of failures gives a bounded number of marks, and none is lost.
func TestMarksAreBounded(t *testing.T) {
	m := newMarks()
	for i := range int64(100_000) {
		m.add(1796073062877+i*3600_000, "a:b", chain.Ref{Provider: "p", Model: "m"}, "rate_limit")
	}
	total := 0
	for _, mark := range m.All() {
		total += mark.Count
	}
	if total != 100_000 || len(m.All()) > mostMarks {
		t.Errorf("%d failures in %d marks", total, len(m.All()))
	}
}
