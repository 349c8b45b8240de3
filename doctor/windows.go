package doctor

import (
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// expiredWindow reports windows that have passed and still stand there.
func expiredWindow() *Check {
	return &Check{
		ID: IDWindowsExpired, Severity: Info,
		Title: "windows that have passed and still stand in the store",
		Why:   "they block nothing, but look as if they did",
		Fix:   "nothing to do; auth reset ID removes them",
		agent: func(x *examination, p *examinedAgent) {
			x.windows(p, func(s source, id string, w auth.Window) {
				if !w.Active {
					x.add(Finding{Agent: s.agent, Profile: id, Code: string(w.Kind), Where: windowAt(s, id, w),
						Message: fmt.Sprintf("%s was %s; that ended %s", mask.ID(id), windowText(w.Kind), x.when(w.Until)), Treats: x.expiredText()})
				}
			})
		},
	}
}

func (x *examination) expiredText() string {
	if x.rules.Windows.ClearsExpired {
		return "not blocking; cleared with its counters when an order is computed"
	}
	return "not blocking; its counters stay, so the next failure opens a longer one"
}

// runningWindow finds profiles that are disabled, blocked or in cooldown.
func runningWindow() *Check {
	return &Check{
		ID: IDWindowsActive, Severity: Info,
		Title: "profiles that are disabled, blocked or in cooldown now",
		Why:   "that is why a provider seems to be gone; OpenClaw's own doctor reports it too",
		Fix:   "wait; auth reset ID ends it early, once the cause is gone",
		agent: func(x *examination, p *examinedAgent) {
			x.windows(p, func(s source, id string, w auth.Window) {
				if !w.Active {
					return
				}
				f := Finding{Agent: s.agent, Profile: id, Code: string(w.Kind), Where: windowAt(s, id, w), Treats: x.windowEffect(s, id, w), Fix: "wait, or reset the profile", Commands: x.own(s.agent, "auth", "reset", id),
					Message: fmt.Sprintf("%s is %s%s; that ends %s", mask.ID(id), windowText(w.Kind), reasonText(w), x.when(w.Until))}
				if w.Kind == auth.StateDisabled && !x.isExempt(s, id) {
					f.Severity, f.Fix = Warning, disabledFix(w)
				}
				x.add(f)
			})
		},
	}
}

// isExempt reports whether the provider of a profile is exempt from windows.
func (x *examination) isExempt(s source, id string) bool {
	return slices.Contains(x.rules.Windows.Bypass, x.rules.Providers.Normalize(s.known.Object(id).Text("provider")))
}

// windowEffect says what an active window does.
func (x *examination) windowEffect(s source, id string, w auth.Window) string {
	switch {
	case x.isExempt(s, id):
		return "ignored: this provider is exempt from cooldowns"
	case w.Model != "":
		return "not used for that model until then"
	}
	return "not used until then"
}

func reasonText(w auth.Window) string {
	text := ""
	if w.Reason != "" {
		text = " for " + string(w.Reason)
	}
	if w.Model != "" {
		text += " on " + w.Model
	}
	return text
}

// disabledFix are OpenClaw's own hints.
func disabledFix(w auth.Window) string {
	switch w.Reason {
	case "billing":
		return "top up the provider's credits, then reset the profile"
	case "auth", "auth_permanent":
		return "replace the credentials, then reset the profile"
	}
	return "wait, or reset the profile"
}

// windowText names the state that a window keeps a profile in.
func windowText(kind auth.ProfileState) string {
	switch kind {
	case auth.StateBlocked:
		return "blocked"
	case auth.StateDisabled:
		return "disabled"
	}
	return "in cooldown"
}

// windowMember is the member of a usage entry that holds the window's end.
func windowMember(kind auth.ProfileState) string {
	switch kind {
	case auth.StateBlocked:
		return "blockedUntil"
	case auth.StateDisabled:
		return "disabledUntil"
	}
	return "cooldownUntil"
}

// resetOf is the part of a usage entry that holds the window.
func resetOf(kind auth.ProfileState) auth.ResetKind {
	switch kind {
	case auth.StateBlocked:
		return auth.ResetBlocked
	case auth.StateDisabled:
		return auth.ResetDisabled
	}
	return auth.ResetCooldown
}

func windowAt(s source, id string, w auth.Window) state.Origin {
	where := s.StateOrigin("usageStats", id)
	where.Pointer += document.Pointer(windowMember(w.Kind))
	return where
}

// windows calls visit for the stored windows of the profiles that there are.
func (x *examination) windows(p *examinedAgent, visit func(s source, id string, w auth.Window)) {
	for _, s := range p.sources {
		for id, value := range s.Store.UsageStats.All() {
			stats, _ := value.(*document.Object)
			if !s.known.Has(id) {
				continue
			}
			for _, w := range x.rules.Windows.List(stats, x.Now) {
				visit(s, id, w)
			}
		}
	}
}

// longWindow reports windows that the line never opens so far ahead.
func longWindow() *Check {
	return &Check{
		ID: IDWindowsTooLong, Severity: Warning,
		Title: "windows that end later than the release would ever set",
		Why:   "a wrong clock, another release or an editor wrote them; they disable a profile without a failure",
		Fix:   "doctor --fix or auth reset ID removes the window",
		agent: func(x *examination, p *examinedAgent) {
			x.windows(p, func(s source, id string, w auth.Window) {
				provider := s.known.Object(id).Text("provider")
				longest := p.engine.LongestWindow(w.Kind, provider)
				if !w.Active || x.isExempt(s, id) || longest == 0 || w.Until-float64(x.Now) <= longest {
					return
				}
				x.add(Finding{Agent: s.agent, Profile: id, Code: "too_long", Where: windowAt(s, id, w), Fix: "reset the profile", Commands: x.own(s.agent, "auth", "reset", id),
					Repair:  removal(state.Repair{Kind: state.RepairWindow, File: s.StateOrigin("usageStats", id).File, Profile: auth.ProfileID(id), Window: resetOf(w.Kind), Until: w.Until}),
					Message: fmt.Sprintf("%s is %s; that ends %s, and this release sets nothing longer than %s", mask.ID(id), windowText(w.Kind), x.when(w.Until), words.Duration(int64(longest))),
					Treats:  "not used until then"})
			})
		},
	}
}

// recentFailure reports failures that opened no window.
func recentFailure() *Check {
	return &Check{
		ID: IDWindowsRecentFailure, Severity: Info,
		Title: "a failure within the last 24 hours without a cooldown",
		Why:   "the profile fails and is tried again and again: something records the failure and not the cooldown",
		Fix:   "look at the log; auth record ID --reason REASON records a failure with its window",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for id, value := range s.Store.UsageStats.All() {
					stats, _ := value.(*document.Object)
					if failed, ok := stats.Number("lastFailureAt"); ok && s.known.Has(id) && x.isUnanswered(stats, failed) {
						where := s.StateOrigin("usageStats", id)
						where.Pointer += document.Pointer("lastFailureAt")
						x.add(Finding{Agent: s.agent, Profile: id, Code: "no_window", Where: where,
							Message: fmt.Sprintf("%s failed %s, after its last use, and no cooldown followed", mask.ID(id), x.when(failed)), Treats: "used as if nothing had happened"})
					}
				}
			}
		},
	}
}

func (x *examination) isUnanswered(stats *document.Object, failed float64) bool {
	used, _ := stats.Number("lastUsed")
	recent := failed > used && used > 0 && failed <= float64(x.Now) && failed > float64(x.Now-24*3600*1000)
	return recent && len(x.rules.Windows.List(stats, x.Now)) == 0
}

// oddUsage reports usage that is not as OpenClaw writes it.
func oddUsage() *Check {
	return &Check{
		ID: IDWindowsMalformed, Severity: Warning,
		Title: "windows and counters that are not as OpenClaw writes them: texts for numbers, unknown reasons",
		Why:   "such a value is ignored, so a profile that looks disabled is used",
		Fix:   "auth reset ID",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for id, value := range s.Store.UsageStats.All() {
					stats, _ := value.(*document.Object)
					for _, odd := range auth.OddUsage(stats) {
						x.add(Finding{Agent: s.agent, Profile: id, Code: "malformed", Where: s.StateOrigin("usageStats", id),
							Message: mask.ID(id) + ": " + odd, Treats: "ignored", Fix: "reset the profile", Commands: x.own(s.agent, "auth", "reset", id)})
					}
				}
			}
		},
	}
}
