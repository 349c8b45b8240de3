package repair

import (
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// references calls visit for the ids that the state of a store names.
func references(s *state.Stored, visit func(id string)) {
	for _, value := range s.Order.All() {
		for _, id := range texts(value) {
			visit(id)
		}
	}
	for key := range s.LastGood.All() {
		visit(s.LastGood.Text(key))
	}
	for id := range s.UsageStats.All() {
		visit(id)
	}
}

// texts are the texts of a list.
func texts(value document.Value) []string {
	items, _ := value.([]any)
	var all []string
	for _, item := range items {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// renameStore renames in a store, and reports whether anything was.
func (g *migration) renameStore(s *state.Stored) bool {
	before := string(document.EncodeCompact(s.Profiles))
	for _, id := range s.Profiles.Keys() {
		credential := s.Profiles.Object(id)
		name, ok := g.names[id]
		provider := g.line.RenamedProvider(credential.Text("provider"))
		if retired, _ := g.line.RetiredOf(id); credential == nil || !ok && (provider == "" || retired != nil) {
			continue
		}
		if credential = credential.Clone(); provider != "" {
			credential.Set("provider", provider)
		}
		if ok {
			s.Profiles.Delete(id)
			id = name
		}
		s.Profiles.Set(id, credential)
	}
	g.renameOrder(s.Order)
	g.renameLastGood(s.LastGood)
	for _, id := range s.UsageStats.Keys() {
		if name, ok := g.names[id]; ok {
			stats, _ := s.UsageStats.Get(id)
			s.UsageStats.Delete(id)
			if s.UsageStats.Has(name) {
				g.tell("usageStats", id, stats)
				g.note("", "the usage of %s is dropped: %s has one of its own", mask.ID(id), mask.ID(name))
				continue
			}
			s.UsageStats.Set(name, stats)
		}
	}
	return before != string(document.EncodeCompact(s.Profiles))
}

// renameOrder renames in an order: what was listed under openai-codex goes
// before what is listed under openai.
func (g *migration) renameOrder(order *document.Object) {
	for _, key := range order.Keys() {
		value, _ := order.Get(key)
		items, ok := value.([]any)
		if !ok {
			continue
		}
		provider := g.line.RenamedProvider(key)
		if provider == "" {
			if slices.ContainsFunc(texts(value), func(id string) bool { return g.names[id] != "" }) {
				order.Set(key, g.renameList(items, nil))
			}
			continue
		}
		// What keeps its id stays where it is listed; so does an empty list.
		stay := slices.DeleteFunc(slices.Clone(items), func(item any) bool { return !g.keepsID(item) })
		moved := slices.DeleteFunc(slices.Clone(items), g.keepsID)
		if len(moved) == 0 {
			continue
		}
		below, _ := order.Get(provider)
		others, _ := below.([]any)
		if len(stay) > 0 {
			order.Set(key, stay)
		} else {
			order.Delete(key)
		}
		order.Set(provider, g.renameList(moved, others))
	}
}

// keepsID reports whether an item of a list is the id of a retired provider that
// is not renamed.
func (g *migration) keepsID(item any) bool {
	id, _ := item.(string)
	retired, _ := g.line.RetiredOf(id)
	return retired != nil && g.names[id] == ""
}

// renameList is a list with the new ids, then the others that it lacks.
func (g *migration) renameList(items, others []any) []any {
	merged := []any{}
	for _, item := range slices.Concat(items, others) {
		if id, ok := item.(string); ok {
			if name, ok := g.names[id]; ok {
				item = name
			}
		}
		if _, ok := item.(string); !ok || !slices.Contains(merged, item) {
			merged = append(merged, item)
		}
	}
	return merged
}

func (g *migration) renameLastGood(lastGood *document.Object) {
	for _, key := range lastGood.Keys() {
		value, _ := lastGood.Get(key)
		id, ok := value.(string)
		if !ok {
			continue
		}
		name, renamed := g.names[id]
		if !renamed {
			name = id
		}
		provider := g.line.RenamedProvider(key)
		retired, _ := g.line.RetiredOf(id)
		switch {
		case provider == "":
			lastGood.Set(key, name)
		case !renamed && retired != nil: // of a profile that there is not
		case lastGood.Has(provider):
			lastGood.Delete(key)
			g.tell("lastGood", key, value)
			g.note("", "lastGood of %s (%s) is dropped: %s has one of its own", key, mask.ID(id), provider)
		default:
			lastGood.Delete(key)
			lastGood.Set(provider, name)
		}
	}
}

// renameDeclared renames in auth.profiles and auth.order of the configuration.
func (g *migration) renameDeclared(config *document.Object) {
	profiles := config.Object("auth").Object("profiles")
	for _, id := range profiles.Keys() {
		declared := profiles.Object(id)
		name, ok := g.names[id]
		provider := g.line.RenamedProvider(declared.Text("provider"))
		if declared == nil || !ok && provider == "" {
			continue
		}
		if provider != "" {
			declared.Set("provider", provider)
		}
		if !ok {
			continue
		}
		profiles.Delete(id)
		if have := profiles.Object(name); have != nil {
			fill(have, declared)
			continue
		}
		profiles.Set(name, declared)
	}
	g.renameOrder(config.Object("auth").Object("order"))
}

// fill adds the members that an object lacks.
func fill(object, from *document.Object) {
	for name, value := range from.All() {
		if !object.Has(name) {
			object.Set(name, value)
		}
	}
}

func sortedIDs(names map[string]string) []string {
	ids := make([]string, 0, len(names))
	for id := range names {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
