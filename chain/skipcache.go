package chain

import "openclaw-auth/auth"

// skipKey is the key under which a session remembers that a candidate failed
// to authenticate.
func (w *walking) skipKey(candidate Candidate, profile auth.ProfileID) string {
	key := w.query.Session + "\x00" + candidate.Key()
	if !w.rules.CacheScope {
		return key
	}
	if profile == "" {
		profile = w.query.Locked
	}
	if order := w.order(candidate).Order; profile == "" && len(order) > 0 {
		profile = order[0]
	}
	return key + "\x00" + string(profile)
}

// cached reports that the session still remembers an authentication failure
// of the candidate. The primary is always attempted.
func (w *walking) cached(i int) (Decision, bool) {
	if w.ttl == 0 || i == 0 {
		return Decision{}, false
	}
	candidate := w.candidates[i]
	mark, ok := w.memory.skips[w.skipKey(candidate, "")]
	if !ok || w.now >= mark.at+w.ttl {
		return Decision{}, false
	}
	text := "Skipping " + candidate.String() + ": recent " + string(mark.reason) +
		" failure in this session (run `" + loginCommand(candidate.Provider) + "` to re-authenticate)"
	return Decision{Action: Skip, Why: WhySkipCache, Reason: mark.reason, Text: text}, true
}

// remember keeps an authentication failure of a fallback for the session's
// next runs.
func (w *walking) remember(i int, t thrown) {
	if w.ttl == 0 || i == 0 || t.Reason != reasonAuth && t.Reason != reasonAuthPermanent {
		return
	}
	w.memory.markSkip(w.skipKey(w.candidates[i], t.Profile), skipped{w.now, t.Reason})
}
