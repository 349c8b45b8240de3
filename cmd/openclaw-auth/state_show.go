package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// usageJSON is the stored usage of a profile.
type usageJSON struct {
	ID      auth.ProfileID `json:"id"`
	Stored  ordered        `json:"stored"`
	Windows []windowJSON   `json:"windows"`
	Origin  state.Origin   `json:"origin"`
	Orphan  bool           `json:"orphan"`
	Odd     []string       `json:"odd"`

	windows []auth.Window
}

type windowJSON struct {
	Kind      auth.ProfileState `json:"kind"`
	Until     any               `json:"until" schema:"number"`
	UntilTime any               `json:"untilTime"`
	Reason    any               `json:"reason"`
	Model     any               `json:"model"`
	Active    bool              `json:"active"`
}

// showDocument is the answer of state show.
type showDocument struct {
	header
	Usage    []usageJSON    `json:"usage"`
	Order    ordered        `json:"order"`
	LastGood ordered        `json:"lastGood"`
	Rejected []rejectedJSON `json:"rejected"`
	Pending  []pendingJSON  `json:"pending"`
}

func stateShow(s *session) error {
	l, err := s.load()
	if err != nil {
		return err
	}
	asked := s.flags.Args().Slice()
	for _, id := range asked {
		if err := s.checkProfile(l, id); err != nil && !l.Store.UsageStats.Has(id) {
			return err
		}
	}
	doc := showDocument{
		header: s.header("state-show", l.Agent), Usage: []usageJSON{},
		Order: ordered{l.Store.Order}, LastGood: ordered{l.Store.LastGood},
		Rejected: rejectedJSONs(l.Rejected()), Pending: pendingJSONs(l.Pending),
	}
	for id := range l.Store.UsageStats.All() {
		if len(asked) == 0 || slices.Contains(asked, id) {
			doc.Usage = append(doc.Usage, s.usageJSON(l, auth.ProfileID(id)))
		}
	}
	if s.json {
		err = s.writeJSON(doc)
	} else {
		s.headerText(l.Agent)
		for _, usage := range doc.Usage {
			s.usageText(usage)
		}
		if len(doc.Usage) == 0 {
			fmt.Fprintln(s.stdout)
			s.screen.Paragraph("", "no usage is stored"+ofWhich(asked)+": neither windows nor counters")
		}
		if len(asked) == 0 {
			s.listRejected(l)
			s.pendingText(l.Pending)
		}
		s.evidenceText()
	}
	if err == nil && len(doc.Usage) == 0 {
		return errNo
	}
	return err
}

// ofWhich names what was asked for: " of a, b".
func ofWhich(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return " of " + words.List(maskIDs(ids), 12)
}

func (s *session) usageJSON(l *loaded, id auth.ProfileID) usageJSON {
	stats := l.Store.UsageStats.Object(string(id))
	origin := l.StateOrigin("usageStats", string(id))
	origin.Pointer = maskPointer(origin.Pointer, id)
	usage := usageJSON{
		ID: shownID(id), Stored: ordered{stats}, Windows: []windowJSON{}, Origin: origin,
		Orphan: !l.Store.Profiles.Has(string(id)), Odd: auth.OddUsage(stats),
		windows: l.engine.Inspect(id, "", "", s.now).Windows,
	}
	for _, window := range usage.windows {
		w := windowJSON{Kind: window.Kind, Reason: nullable(string(window.Reason)), Model: nullable(window.Model), Active: window.Active}
		w.Until, w.UntilTime = timeJSON(window.Until)
		usage.Windows = append(usage.Windows, w)
	}
	return usage
}

func (s *session) usageText(usage usageJSON) {
	fmt.Fprintln(s.stdout)
	orphan := ""
	if usage.Orphan {
		orphan = "  (not in the store)"
	}
	s.screen.Line(words.In(words.Bold, string(usage.ID)), orphan)
	var rows words.Table
	for _, name := range []string{"lastUsed", "lastFailureAt", "lastProbeAt"} {
		if at, ok := usage.Stored.Number(name); ok && at > 0 {
			rows.Add(name, s.clock.When(at))
		}
	}
	for _, window := range usage.windows {
		rows.Add(windowNames[window.Kind], windowText(window, s.clock))
	}
	if errors, ok := usage.Stored.Number("errorCount"); ok {
		rows.Add("errorCount", fmt.Sprint(errors, countsText(usage.Stored.Object.Object("failureCounts"))))
	}
	rows.Add("in", s.short(usage.Origin.File)+" "+usage.Origin.Pointer)
	s.screen.Table("  ", &rows)
	for _, odd := range usage.Odd {
		s.noteText(odd)
	}
}

// countsText lists failure counts: " (rate_limit 2, timeout 1)".
func countsText(counts *document.Object) string {
	var parts []string
	for reason := range counts.All() {
		if count, ok := counts.Number(reason); ok {
			parts = append(parts, fmt.Sprintf("%s %v", reason, count))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// ordered is a part of a document that is shown as it is stored, in its order.
// Texts that look like keys are masked.
type ordered struct{ *document.Object }

// MarshalJSON writes the object in its own order.
func (o ordered) MarshalJSON() ([]byte, error) {
	if o.Object == nil {
		return []byte("{}"), nil
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for key, value := range o.All() {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(auth.MaskID(key))
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(shownValue(value))
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func shownValue(value document.Value) any {
	switch v := value.(type) {
	case string:
		return auth.MaskID(v)
	case *document.Object:
		return ordered{v}
	case []any:
		shown := make([]any, len(v))
		for i, item := range v {
			shown[i] = shownValue(item)
		}
		return shown
	}
	return value
}
