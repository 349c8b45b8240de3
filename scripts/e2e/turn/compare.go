package turn

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

// clock is how much later than the start of its turn a real run may mark a
// failure, in ms.
const clock = 2000

// Differences are what the engine has otherwise than the real run: in the
// sequence of requests and the outcome, and in the usage entries afterwards.
type Differences struct{ Sequence, State []string }

// Compare asks the engine for the turn and compares. Repeated requests with
// the same profile count once.
func (t *Turn) Compare(memory *chain.Memory) (Differences, error) {
	result, err := t.Ask(memory)
	if err != nil {
		return Differences{}, err
	}
	var d Differences
	if real, ours := t.sequence(), sequence(result); real != ours {
		d.Sequence = append(d.Sequence, fmt.Sprintf("requests: real %s, ours %s", real, ours))
	}
	d.Sequence = append(d.Sequence, t.outcome(result)...)
	d.State = t.states(result)
	return d, nil
}

func (t *Turn) sequence() string {
	var names []string
	for _, request := range t.Requests {
		names = append(names, request.Provider+"/"+request.Model+"@"+request.Profile)
	}
	return strings.Join(slices.Compact(names), " > ")
}

func sequence(result *chain.RunResult) string {
	var names []string
	for _, use := range result.Uses {
		names = append(names, use.Ref.String()+"@"+string(use.Profile))
	}
	return strings.Join(slices.Compact(names), " > ")
}

func (t *Turn) outcome(result *chain.RunResult) []string {
	winner := ""
	if result.Walk.Winner != nil {
		winner = result.Walk.Winner.Ref.String()
	}
	if winner != t.Outcome.Winner {
		return []string{fmt.Sprintf("answered by %q, real %q", winner, t.Outcome.Winner)}
	}
	real, ours := t.Outcome.Error, result.Walk.Err
	if real == nil || ours == nil {
		return nil
	}
	var wrong []string
	differ := func(what, real, ours string) {
		if real != "" && real != ours {
			wrong = append(wrong, fmt.Sprintf("%s: real %q, ours %q", what, real, ours))
		}
	}
	differ("error name", real.Name, ours.Name)
	differ("reason", string(real.Reason), string(ours.Reason))
	simulated := strings.Contains(ours.Message, "simulated ") // a reason without the provider's words
	if real.Text != result.Walk.Reply(t.Now) && !simulated {  // which of the two the user saw
		differ("error", real.Text, ours.Message)
	}
	return wrong
}

// states compares the usage entries that either side changed.
func (t *Turn) states(result *chain.RunResult) []string {
	before, after := map[string]*document.Object{}, map[string]*document.Object{}
	for _, use := range result.Uses {
		id := string(use.Profile)
		if id == "" || use.After == nil {
			continue
		}
		if _, known := before[id]; !known {
			before[id] = use.Before
		}
		after[id] = use.After
	}
	changed := slices.Collect(maps.Keys(t.After))
	for id := range after {
		if before[id] == nil || !document.SameWritten(before[id], after[id]) {
			changed = append(changed, id)
		}
	}
	slices.Sort(changed)
	var wrong []string
	for _, id := range slices.Compact(changed) {
		real, changedByReal := t.After[id]
		ours := after[id]
		switch {
		case ours == nil:
			wrong = append(wrong, id+": changed by the real run only")
		case !changedByReal:
			wrong = append(wrong, id+": changed by ours only")
		default:
			var usage map[string]any
			if err := json.Unmarshal(real, &usage); err != nil {
				return append(wrong, err.Error())
			}
			for _, text := range t.usage(usage, ours) {
				wrong = append(wrong, id+": "+text)
			}
		}
	}
	return wrong
}

// windows are the ends of windows with what labels them.
var windows = map[string][]string{
	"cooldownUntil": {"cooldownReason", "cooldownModel"}, "disabledUntil": {"disabledReason"}, "blockedUntil": {"blockedReason", "blockedModel"},
}

// usage compares counts and reasons as they are, windows by their length and
// other times by whether this turn has set them.
func (t *Turn) usage(real map[string]any, ours *document.Object) []string {
	var wrong []string
	number := func(name string) (a, b float64) {
		a, _ = real[name].(float64)
		b, _ = ours.Number(name)
		return a, b
	}
	for _, name := range []string{"lastUsed", "lastFailureAt", "lastProbeAt"} {
		if a, b := number(name); (a >= float64(t.Now)) != (b >= float64(t.Now)) {
			wrong = append(wrong, fmt.Sprintf("%s: real %.0f, ours %.0f", name, a, b))
		}
	}
	if a, b := number("errorCount"); a != b {
		wrong = append(wrong, fmt.Sprintf("errorCount: real %v, ours %v", a, b))
	}
	counts, _ := real["failureCounts"].(map[string]any)
	for reason := range ours.Object("failureCounts").All() {
		if counts[reason] == nil {
			wrong = append(wrong, "failureCounts: real has no "+reason)
		}
	}
	for reason, count := range counts {
		if own, _ := ours.Object("failureCounts").Number(reason); own != count {
			wrong = append(wrong, fmt.Sprintf("failureCounts.%s: real %v, ours %v", reason, count, own))
		}
	}
	failedReal, failedOurs := number("lastFailureAt")
	for until, labels := range windows {
		a, b := number(until)
		if a == 0 && b == 0 {
			continue
		}
		// A window that the turn opens is as long after the failure; one that a later
		// failure of the turn finds open ends no later than that failure allows.
		longer := a - failedReal - (b - failedOurs)
		within := a >= b && a-b <= max(0, failedReal-float64(t.Now))+clock
		if a == 0 || b == 0 || a != b && (longer > clock || longer < -clock) && !within {
			wrong = append(wrong, fmt.Sprintf("%s: real %.0f, ours %.0f", until, a, b))
		}
		for _, label := range labels {
			if text, _ := real[label].(string); text != ours.Text(label) {
				wrong = append(wrong, fmt.Sprintf("%s: real %q, ours %q", label, text, ours.Text(label)))
			}
		}
	}
	return wrong
}
