package chain

import (
	"fmt"
	"math"
	"strings"
)

// Reply is what the user of a session reads in the chat when a run failed, as
// far as OpenClaw has words for it: when to try again where every candidate was
// rate limited or overloaded, what to do about a full context window, or the
// text of a rate limit. It is "" for any other end. now is the time of the
// answer, Unix ms.
func (r *WalkResult) Reply(now int64) string {
	switch wait := r.waitText(now); {
	case r.Err == nil:
		return ""
	case wait != "":
		return wait
	case r.Err.Overflow:
		return "Context overflow: prompt too large for the model. Try /reset (or /new) to start a fresh session, or use a larger-context model."
	case r.Err.Reason == reasonRateLimit && !r.Err.Summary:
		return r.Err.Message
	}
	return ""
}

func (r *WalkResult) waitText(now int64) string {
	if r.Err == nil || !r.Err.Summary || len(r.Records) == 0 {
		return ""
	}
	for _, record := range r.Records {
		if record.Reason != reasonRateLimit && record.Reason != reasonOverloaded {
			return ""
		}
	}
	left := r.Err.Soonest - float64(now)
	if left <= 0 {
		return "⚠️ All models are temporarily rate-limited. Please try again in a few minutes."
	}
	seconds := math.Ceil(left / 1000)
	if seconds <= 60 {
		return fmt.Sprintf("⚠️ Rate-limited — ready in ~%vs. Please wait a moment.", seconds)
	}
	return fmt.Sprintf("⚠️ Rate-limited — ready in ~%v min. Please try again shortly.", math.Ceil(seconds/60))
}

// OwnText is a kind of text that OpenClaw itself writes.
type OwnText string

// The kinds.
const (
	OwnNone      OwnText = ""
	OwnWait      OwnText = "all-limited"     // every candidate was rate limited or overloaded; the text says when to try again
	OwnRateLimit OwnText = "rate-limit"      // the only candidate was rate limited
	OwnCapped    OwnText = "rotation-cap"    // a provider was given up after its share of profiles
	OwnOverflow  OwnText = "overflow"        // the context window is full
	OwnFallback  OwnText = "fallback-notice" // the notice of a fallback, or of its end
)

// ownTexts are the beginnings of OpenClaw's texts.
var ownTexts = []struct {
	start string
	kind  OwnText
}{
	{"Rate-limited — ready in ~", OwnWait},
	{"All models are temporarily rate-limited", OwnWait},
	{"API rate limit reached", OwnRateLimit},
	{"The AI service is temporarily ", OwnCapped},
	{"Context overflow: prompt too large", OwnOverflow},
	{"↪️ Model Fallback", OwnFallback},
}

// OwnTextOf recognises a text that OpenClaw writes, as a user pastes it.
func OwnTextOf(text string) OwnText {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "⚠️"))
	for _, own := range ownTexts {
		if strings.HasPrefix(text, own.start) {
			return own.kind
		}
	}
	return OwnNone
}
