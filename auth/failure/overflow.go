package failure

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// overflowClass tells a certain overflow.
func (r *Rules) overflowClass(t *text) class {
	if match, ok := r.overflow(t); ok {
		return class{reason: ContextOverflow, match: match}
	}
	return class{}
}

// overflow reports whether a text certainly says that the context window is
// full. A limit of tokens per minute says it only where the request alone is
// over that limit.
func (r *Rules) overflow(t *text) (Match, bool) {
	if t.isEmpty() || t.has("tpm_hint") && !r.overCeiling(t) || t.has("reasoning_constraint") {
		return Match{}, false
	}
	if match, ok := t.match("overflow_explicit"); ok {
		return match, true
	}
	if !r.overflowGate(t) {
		return Match{}, false
	}
	return t.match("overflow_provider")
}

// overflowGate is the cheap question in front of the providers' own wordings.
func (r *Rules) overflowGate(t *text) bool {
	return t.has("overflow_provider_gate_signal") && t.has("overflow_provider_gate_action") &&
		!(r.OverflowGateSparesLimits && t.has("rate_limit"))
}

// overflowLikely reports whether a text seems to speak of a full window. The
// fallback loop ends on such a text, whatever its class.
func (r *Rules) overflowLikely(t *text) bool {
	if t.isEmpty() {
		return false
	}
	_, explicit := r.overflow(t)
	switch {
	case r.overCeiling(t):
		return explicit
	case t.has("tpm_hint"), t.has("reasoning_constraint"), t.has("overflow_too_small"):
		return false
	case r.LikelySparesBilling && r.isBilling(t), r.LikelySparesLimits && t.has("rate_limit"):
		return false
	case explicit:
		return true
	case t.has("overflow_prompt_template"), t.has("overflow_rate_hint"):
		return false
	}
	return t.has("overflow_hint")
}

func (r *Rules) isBilling(t *text) bool {
	_, ok := r.billingText(t)
	return ok
}

var ceiling = sync.OnceValue(func() *regexp.Regexp {
	return compile(`(?:\btpm\b|tokens per minute)[^.\n]*?\blimit\s+([\d,]+)[^.\n]*?\brequested\s+([\d,]+)`)
})

// overCeiling reports whether a text of a pace limit shows that the one request
// asks for more than the whole minute's allowance: waiting won't help.
func (r *Rules) overCeiling(t *text) bool {
	if !r.PaceCeiling || t.isEmpty() || !t.has("tpm_hint") || !strings.Contains(t.lower, "requested") {
		return false
	}
	found := ceiling().FindStringSubmatch(t.lower)
	return found != nil && count(found[2]) > count(found[1])
}

// count reads a number with thousands separators.
func count(s string) float64 {
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil {
		return 0
	}
	return n
}
