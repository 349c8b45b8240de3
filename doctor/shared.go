package doctor

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strconv"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// holder is a store that holds a refresh token.
type holder struct {
	agent, id string
	where     state.Origin
}

// sharedLogins reports refresh tokens that several stores hold. Tokens are
// compared by a hash with a salt of the process, which is never told.
func sharedLogins() *Check {
	return &Check{
		ID: IDProfilesSharedLogin, Severity: Warning,
		Title: "the same refresh token in several stores",
		Why:   "a refresh token is good for one refresh: the first agent that refreshes logs the others out",
		Fix:   "log in once per agent, or keep the login in main's store alone, from which the others inherit",
		home: func(x *examination) {
			x.refresh, x.salt = map[[32]byte][]holder{}, strconv.AppendUint(nil, rand.Uint64(), 16)
		},
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, credential *document.Object) {
				token := credential.Text("refresh")
				if credential.Text("type") == auth.TypeOAuth && token != "" && !s.Imported {
					hash := sha256.Sum256(append(append([]byte{}, x.salt...), token...))
					x.refresh[hash] = append(x.refresh[hash], holder{s.agent, id, s.ProfileOrigin(id)})
				}
			})
		},
		after: (*examination).tellShared,
	}
}

func (x *examination) tellShared() {
	for _, holders := range x.refresh {
		var names []string
		for _, h := range holders {
			names = append(names, mask.ID(h.id)+" of "+h.agent)
		}
		if len(names) < 2 {
			continue
		}
		first := holders[0]
		treats := "each agent refreshes its own copy"
		if x.rules.Store.DriftRepair {
			treats += "; an agent's stale PROVIDER:default gives way to main's newer login of the same account"
		}
		x.add(Finding{Agent: first.agent, Profile: first.id, Code: "same_refresh_token", Where: first.where,
			Message: fmt.Sprintf("%d profiles hold the same refresh token: %s", len(names), words.List(names, mask.Few)), Treats: treats})
	}
}

// twoStores reports profiles that main's own database and the shared store both
// have, with other secrets (2026.8.2+).
func twoStores() *Check {
	return &Check{
		ID: IDProfilesTwoStores, Severity: Warning,
		Title: "profiles that main's own database and the shared store both have, with different secrets",
		Why:   "the move to the shared store fails on every run (rows conflict), and which key is used is not the one that the other agents get",
		Fix:   "keep one: remove the profile in the agent, or log in again so that both are the same",
		agent: func(x *examination, p *examinedAgent) {
			if p.Main == nil || !p.Main.Shared || p.Main.Dir != p.Agent.Dir || p.Own.Store == nil || p.Main.Store == nil {
				return
			}
			for id := range p.Own.Store.Profiles.All() {
				mine, shared := p.Own.Store.Profiles.Object(id), p.Main.Store.Profiles.Object(id)
				if shared != nil && !sameSecrets(mine, shared) {
					x.add(Finding{Agent: p.Agent.ID, Profile: id, Code: "rows_conflict", Where: p.Own.ProfileOrigin(id),
						Message: fmt.Sprintf("%s differs from the one of the shared store, %s", mask.ID(id), p.Main.Profiles), Treats: "this agent uses its own, the others the shared one"})
				}
			}
		},
	}
}
