package chain

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

const (
	probeThrottle = 30_000  // a primary is probed at most this often, ms
	probeMargin   = 120_000 // and this long before it recovers, ms
	minSkipTTL    = 1_000
	maxSkipTTL    = 600_000
)

// Memory is what a running OpenClaw keeps between the runs of an agent and
// never writes down. A fresh one is that of a process just started.
type Memory struct {
	probes map[string]int64   // by provider, when its primary was last probed
	skips  map[string]skipped // by session and model
}

// skipped is a fallback that failed to authenticate.
type skipped struct {
	at     int64
	reason auth.Reason
}

// mayProbe reports whether the provider's primary was not probed just now.
func (m *Memory) mayProbe(provider string, now int64) bool {
	last, ok := m.probes[provider]
	return !ok || now-last >= probeThrottle
}

func (m *Memory) markProbe(provider string, now int64) {
	if m.probes == nil {
		m.probes = map[string]int64{}
	}
	m.probes[provider] = now
}

func (m *Memory) markSkip(key string, mark skipped) {
	if m.skips == nil {
		m.skips = map[string]skipped{}
	}
	m.skips[key] = mark
}

// skipTTLOf returns how long, in ms, a session leaves a fallback alone that
// failed to authenticate, under a value of OPENCLAW_FALLBACK_SKIP_TTL_MS: at
// least 1 s and at most 10 min. 0: the line has no such cache, or it is off.
func skipTTLOf(rules *auth.Rules, value string) int64 {
	walk := &lines.Of(rules).Walk
	if !walk.SkipCache {
		return 0
	}
	return skipTTL(value, walk.StrictTTL)
}

// skipTTL reads OPENCLAW_FALLBACK_SKIP_TTL_MS: how long, in ms, a session
// leaves a fallback alone that failed to authenticate. 0: the cache is off.
func skipTTL(text string, strict bool) int64 {
	text = document.Trim(text)
	digits := len(text)
	if i := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = i
	}
	if strict && digits < len(text) {
		return 0
	}
	ttl, err := strconv.ParseInt(text[:digits], 10, 64)
	switch {
	case digits == 0 || err != nil && digits < 19:
		return 0
	case err != nil:
		ttl = math.MaxInt64
	case ttl == 0:
		return 0
	}
	return min(max(ttl, minSkipTTL), maxSkipTTL)
}

func (m *Memory) clone() Memory {
	return Memory{probes: maps.Clone(m.probes), skips: maps.Clone(m.skips)}
}
