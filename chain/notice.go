package chain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Notice is what OpenClaw tells the user about a fallback, once per change.
type Notice struct {
	Text    string
	Visible bool   // shown in the chat, not only recorded
	Hidden  Hidden // why not
}

// Hidden says why a notice is not shown.
type Hidden string

// Why a notice is not shown.
const (
	HiddenQuiet Hidden = "not-verbose" // ≤2026.5.12: only verbose sessions show it
	HiddenGroup Hidden = "group"       // 2026.8.2+: not in groups and channels
)

// noticeState is the last notice of a session.
type noticeState struct{ selected, active, reason string }

// notice compares the run's model with the session's last notice, keeps the
// new state in the entry, and returns the notice to give, nil where nothing
// changed.
func (m *Models) notice(entry *document.Object, selected, active Ref, records []Record) *Notice {
	before := m.lastNotice(entry)
	if selected.Key() == active.Key() {
		m.keepNotice(entry, noticeState{})
		if before.selected == "" || before.selected == before.active {
			return nil
		}
		text := "↪️ Model Fallback cleared: " + selected.Key()
		if before.active != "" && before.active != selected.Key() {
			text += " (was " + before.active + ")"
		}
		return &Notice{Text: text}
	}
	after := noticeState{selected.Key(), active.Key(), FallbackReasonText(records)}
	m.keepNotice(entry, after)
	if before.selected == after.selected && before.active == after.active {
		return nil
	}
	return &Notice{Text: fmt.Sprintf("↪️ Model Fallback: %s (selected %s; %s)", after.active, after.selected, after.reason)}
}

func (m *Models) lastNotice(entry *document.Object) noticeState {
	if lines.Of(m.Rules).Persist.NoticeObject {
		notice := entry.Object("fallbackNotice")
		return noticeState{text(notice, "selectedModel"), text(notice, "activeModel"), text(notice, "reason")}
	}
	return noticeState{
		text(entry, "fallbackNoticeSelectedModel"), text(entry, "fallbackNoticeActiveModel"), text(entry, "fallbackNoticeReason"),
	}
}

func (m *Models) keepNotice(entry *document.Object, state noticeState) {
	object, prefix := entry, "fallbackNotice"
	names := []string{prefix + "SelectedModel", prefix + "ActiveModel", prefix + "Reason"}
	if lines.Of(m.Rules).Persist.NoticeObject {
		if state == (noticeState{}) {
			entry.Delete(prefix)
			return
		}
		object, names = document.NewObject(), []string{"selectedModel", "activeModel", "reason"}
		entry.Set(prefix, object)
	}
	for i, value := range []string{state.selected, state.active, state.reason} {
		if value == "" {
			object.Delete(names[i])
		} else {
			object.Set(names[i], value)
		}
	}
}

// show decides whether the session sees the notice.
func (m *Models) show(notice *Notice, sessionKey string, verbose bool) {
	rules := &lines.Of(m.Rules).Persist
	switch {
	case rules.VerboseOnly && !verbose:
		notice.Hidden = HiddenQuiet
	case rules.NotInGroups && isGroupKey(sessionKey):
		notice.Hidden = HiddenGroup
	}
	notice.Visible = notice.Hidden == ""
}

// isGroupKey reports whether a session belongs to a group or a channel.
func isGroupKey(key string) bool {
	parts := strings.Split(document.Lower(key), ":")
	return slices.Contains(parts, "group") || slices.Contains(parts, "channel")
}

// transientHint finds the parts of an error that tell a user more than the
// name of its reason.
var transientHint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:429|5\d\d|too many requests|usage limit|quota|try again in|retry[- ]after|seconds?|minutes?|hours?|temporarily unavailable|overloaded|service unavailable|rate limit)`)
})

var namedReasons = []auth.Reason{"rate_limit", "overloaded", "timeout", "empty_response", "no_error_details", "unclassified"}

// FallbackReasonText is the reason that a notice gives: the first attempt's,
// and how many more there were.
func FallbackReasonText(records []Record) string {
	if len(records) == 0 {
		return "selected model unavailable"
	}
	reason := shorten(attemptReason(records[0]))
	if more := len(records) - 1; more > 0 {
		reason += fmt.Sprintf(" (+%d more attempts)", more)
	}
	return reason
}

func attemptReason(record Record) string {
	preview := strings.TrimPrefix(oneLine(record.Error), "⚠️")
	switch {
	case slices.Contains(namedReasons, record.Reason) && transientHint().MatchString(record.Error) && !strings.Contains(document.Lower(preview), "unknown error"):
		return document.Trim(preview)
	case record.Reason != "":
		return strings.ReplaceAll(string(record.Reason), "_", " ")
	case record.Code != "":
		return record.Code
	case record.Status != 0:
		return fmt.Sprintf("HTTP %v", record.Status)
	case record.Error == "":
		return "error"
	}
	return record.Error
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shorten cuts a text to 80 UTF-16 units, as JavaScript counts, the last an ellipsis.
func shorten(text string) string {
	const longest = 80
	text = oneLine(text)
	units := utf16.Encode([]rune(text))
	if len(units) <= longest {
		return text
	}
	return strings.TrimRight(string(utf16.Decode(units[:longest-1])), " ") + "…"
}

// OnFallback reports whether a session's entry says that it answers with a
// fallback: an automatic override or, where fallbacks are for a turn only, the
// notice of the last turn.
func (m *Models) OnFallback(entry *document.Object) bool {
	if entry.Text(overrideSource) == sourceAuto && text(entry, modelOverride) != "" {
		return true
	}
	last := m.lastNotice(entry)
	return last.active != "" && last.active != last.selected
}
