package doctor

import (
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// examineSessions passes once over the sessions of the agent.
func (x *examination) examineSessions(p *examinedAgent) {
	store := x.Home.Sessions(x.Config, p.Agent)
	if x.judged["sessions "+store.File()] {
		return // several agents may share one
	}
	x.judged["sessions "+store.File()] = true
	p.sessions = store
	err := store.Each(func(session state.Session) bool {
		x.sessions++
		if isPlain(session.Entry) {
			return true
		}
		x.each(func(c *Check) {
			if c.session != nil {
				c.session(x, p, &session)
			}
		})
		return true
	})
	if err == nil {
		return
	}
	x.each(func(c *Check) {
		if c.ID == IDFilesUnreadable {
			x.problem(p.Agent.ID, err)
		}
	})
}

// isPlain reports whether a session overrides nothing and pins nothing.
func isPlain(entry *document.Object) bool {
	return entry.Text("modelOverride") == "" && entry.Text("providerOverride") == "" && entry.Text("authProfileOverride") == ""
}

func (p *examinedAgent) sessionAt(s *state.Session, member string) state.Origin {
	return p.sessions.Origin(s.Key, member)
}

// tallyPin counts a session that is pinned to a profile.
func (x *examination) tallyPin(p *examinedAgent, s *state.Session, pin, code, target string) {
	f := Finding{Agent: p.Agent.ID, Profile: pin, Code: code, Where: p.sessionAt(s, "authProfileOverride"), Treats: x.pinText(p, s, ""),
		Fix: "pin the session anew (/model …@PROFILE), or start a new one"}
	if target != "" {
		f.Fix, f.Repair = "doctor --fix pins them to "+target, migratedIf(true)
	}
	p.tally(x, code+" "+pin, f, func(count int) string {
		return fmt.Sprintf("%s pinned to %s, which is not in the store", words.Count(count, "session")+words.Plural(count, " is", " are"), mask.ID(pin))
	})
}

// pinText says what the session's next run does with its pin: a run of the
// provider, the default model's for "", unless the session overrides that.
func (x *examination) pinText(p *examinedAgent, s *state.Session, provider string) string {
	if provider == "" {
		provider = x.models(p).Default().Provider
	}
	if own := s.Entry.Text("providerOverride"); own != "" {
		provider = own
	}
	pin := p.engine.ResolvePin(auth.PinQuery{Provider: provider, Entry: s.Entry.Clone(), Now: x.Now})
	switch {
	case pin.Profile != "" && string(pin.Profile) == s.Entry.Text("authProfileOverride"):
		return "kept"
	case pin.Why == auth.PinIntent:
		return "the session fails until the profile is back"
	case pin.Profile != "":
		return "the next run takes " + mask.ID(string(pin.Profile)) + " instead"
	}
	return "ignored: the next run takes the first profile of the order"
}

// missingPin reports sessions that are pinned to profiles which are not there.
func missingPin() *Check {
	return &Check{
		ID: IDSessionsMissingPin, Severity: Warning,
		Title: "sessions pinned to a profile that is not in the store",
		Why:   "somebody chose that account for the session, and another one is used",
		Fix:   "pin the session anew",
		session: func(x *examination, p *examinedAgent, s *state.Session) {
			pin := s.Entry.Text("authProfileOverride")
			if pin != "" && !p.has(x, pin) && !(x.line.CodexProfiles && lines.IsCodexProfile(pin)) {
				x.tallyPin(p, s, pin, "pin_missing", "")
			}
		},
	}
}

// pinOutsideOrder reports sessions on a profile that the order leaves out.
func pinOutsideOrder() *Check {
	return &Check{
		ID: IDSessionsPinOutsideOrder, Severity: Info,
		Title: "sessions that rotation left on a profile which the order no longer names",
		Why:   "the next run moves the session to another account, unless the release keeps the pin",
		Fix:   "nothing to do where the next run drops it; otherwise start a new session or pin it anew",
		session: func(x *examination, p *examinedAgent, s *state.Session) {
			pin := auth.ProfileID(s.Entry.Text("authProfileOverride"))
			credential := p.Store.Profiles.Object(string(pin))
			if s.Entry.Text("authProfileOverrideSource") != auth.PinAuto || credential == nil || !p.judges() {
				return
			}
			ordering := p.engine.Order(auth.OrderQuery{Provider: credential.Text("provider"), Now: x.Now})
			if !ordering.Explicit || slices.Contains(ordering.Base, pin) {
				return
			}
			f := Finding{Agent: p.Agent.ID, Profile: string(pin), Code: "pin_unlisted", Where: p.sessionAt(s, "authProfileOverride"), Treats: x.pinText(p, s, credential.Text("provider"))}
			p.tally(x, "unlisted "+string(pin), f, func(count int) string {
				return fmt.Sprintf("%s on %s, which the order of %s leaves out", words.Count(count, "session")+words.Plural(count, " is", " are"), mask.ID(string(pin)), credential.Text("provider"))
			})
		},
	}
}

// collapsedChain reports sessions that have no fallbacks because a user chose
// their model.
func collapsedChain() *Check {
	return &Check{
		ID: IDSessionsNoFallback, Severity: Info,
		Title: "sessions whose chosen model leaves a chain of one, though fallbacks are configured",
		Why:   "when that model fails, nothing follows",
		Fix:   "/model default gives the session its fallbacks back; nothing is wrong if the choice is meant to be exact",
		session: func(x *examination, p *examinedAgent, s *state.Session) {
			if s.Entry.Text("modelOverride") == "" || len(x.models(p).DefaultFallbacks())+len(x.models(p).AgentFallbacks()) == 0 {
				return
			}
			selection, ok := x.selected(p, s)
			strict := selection.Why == chain.FallbacksUserStrict || selection.Why == chain.FallbacksLegacyStrict
			if !ok || !strict || len(selection.Candidates) != 1 || selection.Reset {
				return
			}
			model := selection.Ref.String()
			f := Finding{Agent: p.Agent.ID, Code: string(selection.Why), Where: p.sessionAt(s, "modelOverride"), Treats: "the configured fallbacks are not tried"}
			p.tally(x, model+string(selection.Why), f, func(count int) string {
				return fmt.Sprintf("%s on %s alone", words.Count(count, "session")+words.Plural(count, " runs", " run"), mask.ID(model))
			})
		},
	}
}

// selected finds the model of a session's next run.
func (x *examination) selected(p *examinedAgent, s *state.Session) (chain.Selection, bool) {
	sessions := document.NewObject()
	sessions.Set(s.Key, s.Entry)
	selection, err := x.models(p).Select(chain.SessionQuery{Key: s.Key, Sessions: sessions, Now: x.Now})
	return selection, err == nil
}

// autoOverride reports automatic overrides that have lost what they replaced.
func autoOverride() *Check {
	return &Check{
		ID: IDSessionsStaleFallback, Severity: Warning,
		Title: "sessions that a fallback moved, and whose way back is gone",
		Why:   "the session stays on the fallback, or on a provider that there is no longer, although its primary is back",
		Fix:   "/model default, or a new session",
		session: func(x *examination, p *examinedAgent, s *state.Session) {
			if s.Entry.Text("modelOverrideSource") != "auto" {
				return
			}
			code, why := x.staleFallback(p, s.Entry)
			if code == "" {
				return
			}
			treats := "the session stays there"
			if selection, ok := x.selected(p, s); ok && selection.Ref == selection.Default {
				treats = "the next run drops it and takes " + mask.ID(selection.Ref.String())
			}
			model := s.Entry.Text("providerOverride") + "/" + s.Entry.Text("modelOverride")
			f := Finding{Agent: p.Agent.ID, Code: code, Where: p.sessionAt(s, "modelOverride"), Treats: treats}
			if code == "provider_gone" && x.isUnknownProvider(s.Entry.Text("providerOverride")) {
				f.Fix = "doctor --fix gives the session its own model back"
				f.Repair = &Repair{Override: &Override{s.Entry.Text("providerOverride"), s.Entry.Text("modelOverride")}}
			}
			p.tally(x, code+model, f, func(count int) string {
				return fmt.Sprintf("%s on the fallback %s, %s", words.Count(count, "session")+words.Plural(count, " is", " are"), mask.ID(model), why)
			})
		},
	}
}

// staleFallback says why an automatic override is stale, "" if it is not.
func (x *examination) staleFallback(p *examinedAgent, entry *document.Object) (code, why string) {
	models := x.models(p)
	provider := entry.Text("providerOverride")
	origin := chain.Ref{Provider: entry.Text("modelOverrideFallbackOriginProvider"), Model: entry.Text("modelOverrideFallbackOriginModel")}
	isDefault := origin == models.Default()
	switch {
	case provider != "" && !x.canServe(p, provider):
		return "provider_gone", "of a provider that nothing is known of any more"
	case origin.Model == "" && entry.Has("modelOverrideFallbackOriginProvider"):
		return "no_origin", "which does not tell what it replaced"
	case origin.Model != "" && !isDefault:
		return "origin_gone", "which replaced " + mask.ID(origin.String()) + "; the default is " + models.Default().String() + " now"
	}
	return "", ""
}
