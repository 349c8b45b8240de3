package auth

import (
	"cmp"
	"slices"

	"openclaw-auth/auth/document"
)

// OrderSource says where the rotation order of a provider comes from.
type OrderSource string

// The sources, the one that wins first (all lines).
const (
	StateOrder     OrderSource = "state-order"     // the agent's own order override
	ConfigOrder    OrderSource = "config-order"    // auth.order of the configuration
	ConfigProfiles OrderSource = "config-profiles" // no order: the profiles that auth.profiles declares
	StoredProfiles OrderSource = "stored"          // neither: the profiles in the store
)

// OrderQuery is what a rotation order may depend on beyond the profiles.
type OrderQuery struct {
	Provider string    // as the user or a model reference spells it
	Now      int64     // Unix ms
	Model    string    // the model to run; matters on lines with model-aware orders (2026.8.2+)
	Prefer   ProfileID // goes first if it is in the order at all, even while unavailable
}

// Ordering is the rotation order of a provider and how it came about.
type Ordering struct {
	Provider ProviderID  // the provider whose credentials serve, after aliases
	Source   OrderSource // where the list of ids came from
	Key      string      // the key of the order that was found, as written there; "" without an explicit order
	Explicit bool        // an order decides the sequence; otherwise type and age do
	Repaired bool        // every listed id is missing from the store, so the stored profiles took over
	Base     []ProfileID // the list before exclusions, as written
	Order    []ProfileID // the answer
}

// Order computes the rotation order: which profiles OpenClaw tries for the
// provider, in sequence. Eligible profiles in a window come last, the one that
// recovers first before the others.
func (p *Profiles) Order(query OrderQuery) Ordering {
	want := p.wantedBy(query.Provider)
	ordering := p.base(want)
	ids := p.eligibleOf(want, ordering.Base, query.Now)
	if len(ids) == 0 && p.repairs(want, ordering) {
		ordering.Repaired = true
		ordering.Explicit = ordering.Explicit && p.Rules.Order.MissingRepair != RepairOrStoredOrder
		ids = p.eligibleOf(want, p.storedFor(want), query.Now)
	}
	ids = unique(ids)
	ordering.Order = p.sequence(ids, ordering.Explicit, query)
	return ordering.Preferring(query.Prefer)
}

// Preferring returns the ordering with the profile first, if it is in the order at all.
func (o Ordering) Preferring(id ProfileID) Ordering {
	if i := slices.Index(o.Order, id); i > 0 {
		o.Order = slices.Concat([]ProfileID{id}, o.Order[:i], o.Order[i+1:])
	}
	return o
}

// base finds the list that the order starts from.
func (p *Profiles) base(want wanted) Ordering {
	ordering := Ordering{Provider: want.authKey, Explicit: true}
	if key, ids, ok := p.orderFor(p.Store.Order, want); ok {
		ordering.Source, ordering.Key, ordering.Base = StateOrder, key, ids
		return ordering
	}
	if key, ids, ok := p.orderFor(p.Config.Order(), want); ok {
		ordering.Source, ordering.Key, ordering.Base = ConfigOrder, key, ids
		return ordering
	}
	if p.aliasOrder(want, &ordering) {
		return ordering
	}
	ordering.Explicit = false
	if ordering.Base = p.configuredFor(want); len(ordering.Base) > 0 {
		ordering.Source = ConfigProfiles
		return ordering
	}
	ordering.Source, ordering.Base = StoredProfiles, p.storedFor(want)
	return ordering
}

// orderFor looks the provider up in an object of orders.
func (p *Profiles) orderFor(orders *document.Object, want wanted) (string, []ProfileID, bool) {
	var (
		key   string
		value document.Value
		found bool
	)
	if p.Rules.Order.AuthKeyFirst {
		key, value, found = p.Rules.Providers.lookup(orders, want.authKey)
	}
	if !found {
		key, value, found = p.Rules.Providers.lookup(orders, want.normalized)
	}
	return key, profileIDs(value), found
}

func profileIDs(value document.Value) []ProfileID {
	list, _ := value.([]any)
	ids := make([]ProfileID, 0, len(list))
	for _, item := range list {
		if id, ok := item.(string); ok {
			ids = append(ids, ProfileID(id))
		}
	}
	return ids
}

// aliasOrder makes an order for openai-codex out of the one for openai
// (2026.5.12, 5.28): the codex profiles that it leaves out are added, at the
// end if it names one of them, else in front.
func (p *Profiles) aliasOrder(want wanted, ordering *Ordering) bool {
	if !p.Rules.Order.CodexAlias || want.authKey != providerCodex && want.normalized != providerCodex {
		return false
	}
	openai := p.wantedBy(string(providerOpenAI))
	key, alias, ok := p.orderFor(p.Store.Order, openai)
	ordering.Source = StateOrder
	if !ok {
		key, alias, ok = p.orderFor(p.Config.Order(), openai)
		ordering.Source = ConfigOrder
	}
	if !ok {
		return false
	}
	native := p.nativeCodex()
	names := slices.ContainsFunc(alias, func(id ProfileID) bool { return slices.Contains(native, id) })
	if ordering.Base = slices.Concat(native, alias); names {
		ordering.Base = slices.Concat(alias, native)
	}
	ordering.Key, ordering.Base = key, unique(ordering.Base)
	return true
}

func (p *Profiles) nativeCodex() []ProfileID {
	var ids []ProfileID
	for id, value := range p.Store.Profiles.All() {
		if credential, _ := value.(*document.Object); p.Rules.Providers.AuthKey(credential.Text("provider")) == providerCodex {
			ids = append(ids, ProfileID(id))
		}
	}
	return ids
}

// configuredFor lists the profiles that auth.profiles declares for the provider.
func (p *Profiles) configuredFor(want wanted) []ProfileID {
	var ids []ProfileID
	for id, value := range p.Config.Profiles().All() {
		entry, _ := value.(*document.Object)
		kind := entry.Text("mode")
		if credential := p.Store.credential(ProfileID(id)); credential != nil {
			kind = credential.Text("type")
		}
		if entry != nil && p.serves(want, entry.Text("provider"), kind) {
			ids = append(ids, ProfileID(id))
		}
	}
	return ids
}

// storedFor lists the profiles in the store whose credential serves the provider.
func (p *Profiles) storedFor(want wanted) []ProfileID {
	var ids []ProfileID
	for id, value := range p.Store.Profiles.All() {
		credential, _ := value.(*document.Object)
		if credential != nil && p.serves(want, credential.Text("provider"), credential.Text("type")) {
			ids = append(ids, ProfileID(id))
		}
	}
	return ids
}

func (p *Profiles) eligibleOf(want wanted, ids []ProfileID, now int64) []ProfileID {
	eligible := make([]ProfileID, 0, len(ids))
	for _, id := range ids {
		if p.eligibility(want, id, now) == Eligible {
			eligible = append(eligible, id)
		}
	}
	return eligible
}

// repairs reports whether the stored profiles take over from a list whose ids
// are all gone.
func (p *Profiles) repairs(want wanted, ordering Ordering) bool {
	policy := p.Rules.Order.MissingRepair
	if policy == RepairNever || len(ordering.Base) == 0 {
		return false
	}
	for _, id := range ordering.Base {
		if p.Store.credential(id) != nil {
			return false
		}
	}
	return policy == RepairOrStoredOrder && ordering.Source == StateOrder || len(p.configuredFor(want)) > 0
}

// ranked is a profile with what its place depends on.
type ranked struct {
	id       ProfileID
	until    float64 // end of its windows; 0 while it has none
	kind     int     // oauth, token, api_key, other
	expired  int     // 1 for an OAuth profile whose access token has expired, where that counts
	lastUsed float64
}

// sequence puts unavailable profiles last, by recovery, and sorts the others
// by type and age unless an order decides.
func (p *Profiles) sequence(ids []ProfileID, explicit bool, query OrderQuery) []ProfileID {
	model := query.Model
	if !p.Rules.Order.ModelAware {
		model = ""
	}
	profiles := make([]ranked, len(ids))
	for i, id := range ids {
		profiles[i] = p.rank(id, query.Now)
		if until, held := p.windowUntil(id, model, query.Now); held {
			profiles[i].until = until
		}
	}
	slices.SortStableFunc(profiles, func(a, b ranked) int {
		if a.until != 0 || b.until != 0 {
			return cmp.Compare(a.until, b.until)
		}
		if explicit {
			return 0
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.expired, b.expired), cmp.Compare(a.lastUsed, b.lastUsed))
	})
	for i, profile := range profiles {
		ids[i] = profile.id
	}
	return ids
}

func (p *Profiles) rank(id ProfileID, now int64) ranked {
	credential := p.Store.credential(id)
	profile := ranked{id: id, kind: slices.Index([]string{TypeOAuth, TypeToken, TypeAPIKey}, credential.Text("type"))}
	if profile.kind < 0 {
		profile.kind = 3
	}
	expires, ok := credential.Number("expires")
	if p.Rules.Order.ExpiredOAuthLast && profile.kind == 0 && ok && expires > 0 && expires <= min(float64(now), lastDate) {
		profile.expired = 1
	}
	profile.lastUsed, _ = p.Store.usage(id).Number("lastUsed")
	return profile
}

// unique keeps the first occurrence of each id.
func unique(ids []ProfileID) []ProfileID {
	if len(ids) <= 24 { // a scan is faster than a map
		kept := ids[:0]
		for _, id := range ids {
			if !slices.Contains(kept, id) {
				kept = append(kept, id)
			}
		}
		clear(ids[len(kept):])
		return kept
	}
	seen := make(map[ProfileID]bool, len(ids))
	return slices.DeleteFunc(ids, func(id ProfileID) bool {
		repeated := seen[id]
		seen[id] = true
		return repeated
	})
}
