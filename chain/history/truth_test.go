package history

import (
	"fmt"
	"slices"
	"testing"
)

// Every turn of every sample: the same failed attempts with the same profiles,
// the same winner as the provider's server saw.
func TestStoryEqualsTruth(t *testing.T) {
	for _, sample := range []string{"2026.5.12", "2026.7.1", "2026.9.6", "2026.5.12-gateway-chat"} {
		t.Run(sample, func(t *testing.T) {
			files, told := tellSample(t, sample)
			want := files.truth(t)
			runs := told.runs
			if sample == "2026.5.12-gateway-chat" { // the truth of its last agent was not kept
				runs = slices.DeleteFunc(runs, func(run *Run) bool { return run.Agent == "exhaust" })
			}
			if len(runs) != len(want) {
				t.Errorf("%d runs, %d turns", len(runs), len(want))
			}
			for i := range min(len(want), len(runs)) {
				got := summary(runs[i])
				if got.agent != want[i].agent || got.winner != want[i].winner || !slices.Equal(got.failed, want[i].failed) {
					t.Errorf("turn %d\n got %v\nwant %v\n%s", i+1, got, want[i], dump(runs[i]))
				}
			}
		})
	}
}

func dump(run *Run) string {
	text := fmt.Sprintf("run %s session %s %s requested %s winner %s outcome %s\n", run.ID, run.Session, run.SessionKey, run.Requested, run.Winner, run.Outcome)
	for _, s := range run.Steps {
		text += fmt.Sprintf("  %d %s %s next %s profile %s reason %s status %d class %v until %d %s why %s blocked %v requests %d %s %v %q\n",
			s.At, s.Kind, s.Ref, s.Next, s.Profile, s.Reason, s.Status, s.Class, s.Until, s.Window, s.Why, s.Blocked, s.Requests, s.Certainty, s.Evidence, s.Detail)
	}
	return text
}
