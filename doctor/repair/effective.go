package repair

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// route is what an agent authenticates a provider with.
type route struct{ agent, provider string }

// loginHash stands for a credential, whatever its profile is called.
type loginHash [sha256.Size]byte

// routes are the effective orders of all agents, as credentials. Ids change in a
// migration; which login an agent uses, and in which order, must not.
type routes map[route]*logins

// logins are those of a route, in their order. Where a retired provider and the
// one that it became both have some, first is how many are the retired one's:
// OpenClaw puts these first, and leaves out others that an order does not name.
type logins struct {
	order []loginHash
	first int
}

// routes computes the effective orders from the documents as they stand in the
// plan now. A file that waits for its import counts as part of its agent's
// store, and a retired provider as the one that it became.
func (g *migration) routes() routes {
	all := routes{}
	for _, agent := range g.agents {
		store := g.effectiveStore(agent)
		for _, provider := range g.providersOf(store) {
			at := route{agent.ID, g.currentProvider(provider)}
			if all[at] == nil {
				all[at] = &logins{}
			}
			list := all[at]
			for _, hash := range g.orderOf(store, provider) {
				if !slices.Contains(list.order, hash) {
					list.order = append(list.order, hash)
				}
			}
			if list.first == 0 || g.line.RenamedProvider(provider) != "" {
				list.first = len(list.order)
			}
		}
	}
	return all
}

func (g *migration) currentProvider(provider string) string {
	if renamed := g.line.RenamedProvider(provider); renamed != "" {
		return renamed
	}
	return provider
}

// providersOf are the providers of a store's profiles, retired ones first: what
// was listed under them comes first afterwards.
func (g *migration) providersOf(store *auth.Store) []string {
	found := map[string]bool{}
	for id := range store.Profiles.All() {
		if provider := g.rules.Providers.Normalize(store.Profiles.Object(id).Text("provider")); provider != "" {
			found[string(provider)] = true
		}
	}
	names := slices.Sorted(maps.Keys(found))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(strings.Compare(g.line.RenamedProvider(b), ""), strings.Compare(g.line.RenamedProvider(a), ""))
	})
	return names
}

func (g *migration) orderOf(store *auth.Store, provider string) []loginHash {
	config := g.Config.Auth()
	if !g.m.Includes() && g.config != nil {
		config = auth.NewConfig(g.config)
	}
	engine := &auth.Profiles{Rules: g.rules, Config: config, Store: store}
	var hashes []loginHash
	for _, id := range engine.Order(auth.OrderQuery{Provider: provider, Now: g.Now}).Order {
		if retired, _ := g.line.RetiredOf(string(id)); retired != nil && g.line.CodexRealms && g.isOfAnotherRealm(string(id)) {
			continue // it keeps its provider
		}
		hashes = append(hashes, g.hashOf(store.Profiles.Object(string(id))))
	}
	return hashes
}

// hashOf stands for what a credential authenticates with: its secrets, or what
// it refers to.
func (g *migration) hashOf(credential *document.Object) loginHash {
	if hash, ok := creds.SecretOf(credential); ok {
		return hash
	}
	for _, name := range []string{"keyRef", "tokenRef", "oauthRef"} {
		if ref := credential.Object(name); ref != nil {
			hash := loginHash(sha256.Sum256(document.EncodeCompact(ref)))
			return hash
		}
	}
	return sha256.Sum256(document.EncodeCompact(credential))
}

// effectiveStore is what an agent has, and what it inherits, once all that waits
// is in its place.
func (g *migration) effectiveStore(agent state.Agent) *auth.Store {
	var own, main []*heldStore
	for _, s := range g.stores {
		switch {
		case g.archived[s.file]:
		case s.shared || s.agent == mainAgent && agent.ID != mainAgent:
			main = append(main, s)
		case s.agent == agent.ID:
			own = append(own, s)
		}
	}
	return g.rules.Inherit(g.withWaiting(g.mainOf(), g.combined(main)), g.withWaiting(agent, g.combined(own)), g.Now)
}

// withWaiting adds what the next load imports into a store that is not there yet:
// the agent uses it from then on, repaired or not.
func (g *migration) withWaiting(agent state.Agent, store *auth.Store) *auth.Store {
	files, _ := g.waitingOnLoad(agent) // importOnLoad reports the error
	for _, w := range files {
		if store == nil {
			store = emptyStore()
		}
		for _, id := range w.file.Profiles() {
			if !store.Profiles.Has(id) {
				store.Profiles.Set(id, w.file.Get(id))
			}
		}
	}
	return store
}

// combined is the store that several make: the first one that has something wins,
// as an import leaves what a database has.
func (g *migration) combined(stores []*heldStore) *auth.Store {
	if len(stores) == 0 {
		return nil
	}
	all := emptyStore()
	for _, s := range stores {
		part := s.Store()
		for id := range s.Profiles.All() {
			entry, _ := creds.WithKnownNames(s.Profiles.Object(id))
			if credential, reason := g.rules.LoadCredential(entry, ""); entry != nil && reason == "" && !all.Profiles.Has(id) {
				all.Profiles.Set(id, credential)
			}
		}
		fill(all.Order, part.Order)
		fill(all.LastGood, part.LastGood)
		fill(all.UsageStats, part.UsageStats)
	}
	return all
}

func emptyStore() *auth.Store {
	return &auth.Store{Profiles: document.NewObject(), Order: document.NewObject(), LastGood: document.NewObject(), UsageStats: document.NewObject()}
}

// keepRoutes gives an agent an order of its own where a migration would let it
// use another login than before, and fails where that does not help.
func (g *migration) keepRoutes(before routes) error {
	for _, at := range g.diverted(before, g.routes()) {
		g.pinRoute(at, before[at].order)
	}
	if diverted := g.diverted(before, g.routes()); len(diverted) > 0 {
		var texts []string
		for _, at := range diverted {
			texts = append(texts, fmt.Sprintf("agent %s would use another login for %s", at.agent, at.provider))
		}
		return fmt.Errorf("%w: %s", ErrLost, words.List(texts, mask.Few))
	}
	return nil
}

// diverted lists the routes on which the logins that there were before no longer
// follow each other as they did. Logins that an import has added may stand
// anywhere, and one that a note says is gone may be missing.
func (g *migration) diverted(before, after routes) []route {
	known := map[loginHash]bool{}
	for _, list := range before {
		for _, hash := range list.order {
			known[hash] = true
		}
	}
	var diverted []route
	for at, list := range before {
		was, now := list.order, []loginHash(nil)
		if after[at] != nil {
			now = after[at].order
		}
		was = slices.DeleteFunc(slices.Clone(was), func(h loginHash) bool { _, ok := g.succeeded[h]; return !ok && g.told.secrets[h] != "" })
		for i, hash := range was {
			if other, ok := g.succeeded[hash]; ok {
				was[i] = other
			}
		}
		now = slices.DeleteFunc(slices.Clone(now), func(h loginHash) bool { return !known[h] || g.told.secrets[h] != "" })
		if len(was) > 0 && !keeps(was, now, min(list.first, len(was))) {
			diverted = append(diverted, at)
		}
	}
	slices.SortFunc(diverted, func(a, b route) int {
		return strings.Compare(a.agent+"\x00"+a.provider, b.agent+"\x00"+b.provider)
	})
	return diverted
}

// keeps reports whether a list still begins with the first of another one, and has
// nothing but what follows them there, in its order.
func keeps(was, now []loginHash, first int) bool {
	if len(now) < first || !slices.Equal(was[:first], now[:first]) {
		return false
	}
	rest := was[first:]
	for _, hash := range now[first:] {
		i := slices.Index(rest, hash)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// pinRoute gives an agent an order of its own that names the logins which it used.
func (g *migration) pinRoute(at route, was []loginHash) {
	agent, err := state.FindAgent(g.agents, at.agent)
	own := g.ownStore(at.agent)
	if err != nil || own == nil {
		return
	}
	store := g.effectiveStore(agent)
	ids := map[loginHash]auth.ProfileID{}
	for id := range store.Profiles.All() {
		credential := store.Profiles.Object(id)
		if string(g.rules.Providers.Normalize(credential.Text("provider"))) == at.provider {
			ids[g.hashOf(credential)] = auth.ProfileID(id)
		}
	}
	var order []auth.ProfileID
	for _, hash := range was {
		if id, ok := ids[hash]; ok {
			order = append(order, id)
		}
	}
	if len(order) == 0 {
		return
	}
	key := g.rules.Providers.Normalize(at.provider)
	if state.RulesOf(g.rules).OrderByAuthKey {
		key = g.rules.Providers.AuthKey(at.provider)
	}
	own.SetOrder(key, order)
	g.note(at.agent, "gets an order of its own for %s, so that it keeps the login that it used: %s", at.provider, words.List(mask.IDs(order), mask.Few))
}

// ownStore is the store of an agent that a plan may write: where the line keeps
// it or, as long as there is no database, its files.
func (g *migration) ownStore(agent string) *heldStore {
	var files *heldStore
	for _, s := range g.stores {
		switch {
		case s.agent != agent || g.archived[s.file] || s.shared && agent != mainAgent:
		case !s.files && s.isStore():
			return s
		case s.isStore():
			files = s
		}
	}
	return files
}
