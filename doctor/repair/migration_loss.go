package repair

import (
	"crypto/sha256"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// possession is what a home holds and must not lose: credentials by a hash of
// their secrets, entries of orders and lastGood, usage.
type possession struct {
	secrets map[[sha256.Size]byte]string // with the id of a profile that has it
	state   map[holding]bool
}

func (p *possession) addSecret(id string, credential *document.Object) {
	credential, _ = creds.WithKnownNames(credential)
	hash, ok := creds.SecretOf(credential)
	if !ok {
		return
	}
	if p.secrets == nil {
		p.secrets = map[[sha256.Size]byte]string{}
	}
	p.secrets[hash] = id
}

func (p *possession) addState(held holding) {
	if p.state == nil {
		p.state = map[holding]bool{}
	}
	p.state[held] = true
}

func (p *possession) addStore(store *state.Stored) {
	for id := range store.Profiles.All() {
		p.addSecret(id, store.Profiles.Object(id))
	}
	for held := range holdingsOf(&auth.Store{Order: store.Order, LastGood: store.LastGood, UsageStats: store.UsageStats}) {
		p.addState(held)
	}
}

// follows reports whether a part of a state is there under a new id.
func (g *migration) follows(held holding, after possession) bool {
	provider := g.line.RenamedProvider(held.key)
	for _, id := range append([]string{string(held.profile)}, g.apart[string(held.profile)]...) {
		for _, name := range []string{id, g.renamed(id)} {
			now := held
			now.profile = auth.ProfileID(name)
			if after.state[now] {
				return true
			}
			if now.key = provider; provider != "" && after.state[now] {
				return true
			}
		}
	}
	return false
}

// lost names what the home held and no longer does, under any name, and that no
// note mentions.
func (g *migration) lost() []string {
	var after possession
	for _, s := range g.stores {
		if !g.archived[s.file] {
			after.addStore(s.Stored)
		}
	}
	for id := range g.config.Object("auth").Object("profiles").All() {
		after.addSecret(id, g.config.Object("auth").Object("profiles").Object(id))
	}
	var lost []string
	for hash, id := range g.before.secrets {
		if after.secrets[hash] == "" && g.told.secrets[hash] == "" {
			lost = append(lost, "the credential of "+mask.ID(id))
		}
	}
	for held := range g.before.state {
		if !after.state[held] && !g.told.state[held] && !g.follows(held, after) {
			lost = append(lost, lossText(held))
		}
	}
	slices.Sort(lost)
	return lost
}
