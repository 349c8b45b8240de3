package repair

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
)

// repairOrders repairs auth.order where the line's doctor does (2026.9.6, cases
// stale-order-and-profiles, fn-stale-order-only-missing): the only declared
// profile of a provider takes the place of ids that are gone; otherwise the list
// goes as a whole if all its ids are gone and every agent has a usable profile
// without it.
func (g *migration) repairOrders() {
	config, err := g.configurable()
	order := config.Object("auth").Object("order")
	if err != nil || !g.line.OrderRepair || g.Agent != "" {
		return
	}
	for _, key := range order.Keys() {
		value, _ := order.Get(key)
		items, ok := value.([]any)
		ids := texts(value)
		if !ok || len(ids) == 0 || len(ids) < len(items) || !slices.ContainsFunc(ids, g.isGone) {
			continue
		}
		if only := g.onlyDeclared(config, key); only != "" {
			order.Set(key, g.withOnly(ids, only))
			g.note("", "auth.order.%s names %s now, the only declared profile of the provider", key, mask.ID(only))
			continue
		}
		if !slices.ContainsFunc(ids, func(id string) bool { return !g.isGone(id) }) && g.selectsWithout(config, key) {
			order.Delete(key)
			g.note("", "auth.order.%s is removed: all that it names is gone, and without it there is a usable profile", key)
		}
	}
}

// withOnly puts the only declared profile in the place of those that are gone.
func (g *migration) withOnly(ids []string, only string) document.Value {
	list := []any{}
	for _, id := range ids {
		if g.isGone(id) {
			id = only
		}
		if !slices.Contains(list, any(id)) {
			list = append(list, id)
		}
	}
	return list
}

// isGone reports whether no store has a profile and the configuration does not
// declare it.
func (g *migration) isGone(id string) bool {
	for _, s := range g.stores {
		if s.Profiles.Has(id) {
			return false
		}
	}
	return !g.config.Object("auth").Object("profiles").Has(id)
}

// onlyDeclared is the one profile that the configuration declares for a
// provider; "" for none or several.
func (g *migration) onlyDeclared(config *document.Object, provider string) string {
	only := ""
	profiles := config.Object("auth").Object("profiles")
	for id := range profiles.All() {
		if g.rules.Providers.Normalize(profiles.Object(id).Text("provider")) != g.rules.Providers.Normalize(provider) {
			continue
		}
		if only != "" {
			return ""
		}
		only = id
	}
	return only
}

// selectsWithout reports whether every agent would have a profile of a provider
// without an order of the configuration.
func (g *migration) selectsWithout(config *document.Object, provider string) bool {
	without := config.Clone()
	without.Object("auth").Object("order").Delete(provider)
	for _, agent := range g.agents {
		engine := &auth.Profiles{Rules: g.rules, Config: auth.NewConfig(without), Store: g.loginStore(agent)}
		ordering := engine.Order(auth.OrderQuery{Provider: provider, Now: g.Now})
		if len(ordering.Order) == 0 {
			return false
		}
	}
	return len(g.agents) > 0
}
