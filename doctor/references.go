package doctor

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// lastGood reports lastGood entries for profiles that are not there.
func lastGood() *Check {
	return &Check{
		ID: IDStateLastGood, Severity: Info,
		Title: "lastGood that names a profile which is not in the store",
		Why:   "it decides no order, but OpenClaw's migrations look at it to tell logins apart",
		Fix:   "doctor --fix removes it; the next success writes another",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for provider, value := range s.Store.LastGood.All() {
					id, _ := value.(string)
					if id != "" && x.isGhost(p, s, id) {
						where := s.StateOrigin("lastGood", provider)
						x.add(Finding{Agent: s.agent, Profile: id, Code: "profile_missing", Where: where,
							Repair:  removal(state.Repair{Kind: state.RepairLastGood, File: where.File, Key: provider, Profile: auth.ProfileID(id)}),
							Message: fmt.Sprintf("lastGood of %s is %s, which is not in the store", provider, mask.ID(id)), Treats: x.ghostText()})
					}
				}
			}
		},
	}
}

// usageGhost reports usage of profiles that are not there.
func usageGhost() *Check {
	return &Check{
		ID: IDStateUsage, Severity: Info,
		Title: "windows and counters of profiles that are not in the store",
		Why:   "they protect nothing; under an old id of a renamed profile they are missed",
		Fix:   "doctor --fix removes it, or moves it to the new id of a renamed profile",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for id := range s.Store.UsageStats.All() {
					if x.isGhost(p, s, id) && !isInlineKey(id) {
						where := s.StateOrigin("usageStats", id)
						x.add(Finding{Agent: s.agent, Profile: id, Code: "profile_missing", Where: where,
							Repair:  removal(state.Repair{Kind: state.RepairUsage, File: where.File, Profile: auth.ProfileID(id)}),
							Message: "usage of " + mask.ID(id) + ", which is not in the store", Treats: x.ghostText()})
					}
				}
			}
		},
	}
}

func isInlineKey(id string) bool { return len(id) > 15 && id[:15] == "inline-api-key:" }

// isGhost reports whether a source's state refers to a profile that is not there.
func (x *examination) isGhost(p *examinedAgent, s source, id string) bool {
	read := p.MainRead
	if s.own {
		read = p.Complete()
	}
	return read && !s.known.Has(id) && !x.isDeclared(id) && !(x.line.CodexProfiles && lines.IsCodexProfile(id))
}

// ghostText says what becomes of state without a profile.
func (x *examination) ghostText() string {
	switch {
	case x.rules.Store.DropDangling:
		return "dropped on load"
	case x.rules.Failures.PruneOnWrite:
		return "dropped at the next write"
	}
	return "kept for ever"
}

// declaredOnly reports profiles that only the configuration has.
func declaredOnly() *Check {
	return &Check{
		ID: IDConfigDeclaredProfile, Severity: Info,
		Title: "profiles of auth.profiles that no store has",
		Why:   "a declaration is no credential: the profile can't be used",
		Fix:   "log in, or remove the declaration",
		home:  func(x *examination) { x.undeclared = x.Config.Auth().Profiles().Keys() },
		agent: func(x *examination, p *examinedAgent) {
			kept := x.undeclared[:0]
			for _, id := range x.undeclared {
				if !p.has(x, id) {
					kept = append(kept, id)
				}
			}
			x.undeclared = kept
		},
		after: func(x *examination) {
			for _, id := range x.undeclared {
				if x.Agent != "" { // another agent may have it
					return
				}
				if x.line.CodexProfiles && lines.IsCodexProfile(id) {
					continue
				}
				x.add(Finding{Profile: id, Code: string(auth.ProfileMissing), Where: x.configAt("auth", "profiles", id),
					Message: "auth.profiles declares " + mask.ID(id) + ", which no store has", Treats: "never used (profile_missing)"})
			}
		},
	}
}
