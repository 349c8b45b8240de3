package doctor

import (
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// unknownInOrder reports orders that name profiles which are not there.
func unknownInOrder() *Check {
	return &Check{
		ID: IDOrderUnknownID, Severity: Warning,
		Title: "orders that name profiles which are not in the store",
		Why:   "the rotation silently shrinks; an order whose profiles are all gone may turn the provider off",
		Fix:   "doctor --fix takes them out of a stored order, as long as that names others; auth.order it repairs as OpenClaw does (2026.9.6), otherwise that is edited by hand",
		agent: func(x *examination, p *examinedAgent) {
			x.hints(p, func(h orderHint) {
				switch h.Code {
				case auth.HintOrderMissing, auth.HintOrderDead, auth.HintOrderRepaired:
					x.missing(p, h)
				}
			})
		},
		after: (*examination).tellMissing,
	}
}

// orderHint is a hint about an order, with the place of that.
type orderHint struct {
	auth.Hint
	provider string
	key      string // of the order
	source   auth.OrderSource
	where    state.Origin
}

// hints calls visit for the hints about the orders that apply to the agent and
// that were not reported for an agent before it.
func (x *examination) hints(p *examinedAgent, visit func(orderHint)) {
	if !p.judges() {
		return
	}
	for _, hint := range p.orderHints(x) {
		if hint.source != auth.StateOrder || !x.judged[hint.where.File] {
			visit(hint)
		}
	}
}

// orderHints computes them once for all checks.
func (p *examinedAgent) orderHints(x *examination) []orderHint {
	if p.hints != nil {
		return p.hints
	}
	p.hints = []orderHint{}
	for _, provider := range orderedProviders(x, p) {
		query := auth.OrderQuery{Provider: provider, Now: x.Now}
		ordering := p.engine.Order(query)
		section, where := ordering.Key, x.configAt("auth", "order", ordering.Key)
		if ordering.Source == auth.StateOrder {
			where = p.StateOrigin("order", ordering.Key)
		}
		for _, hint := range p.engine.Hints(query, ordering, p.engine.Explain(query, ordering)) {
			p.hints = append(p.hints, orderHint{hint, provider, section, ordering.Source, where})
		}
	}
	return p.hints
}

// orderedProviders are the providers with an explicit order.
func orderedProviders(x *examination, p *examinedAgent) []string {
	var providers []string
	for _, orders := range []*document.Object{p.Store.Order, x.Config.Auth().Order()} {
		for key := range orders.All() {
			normal := x.rules.Providers.Normalize(key)
			seen := slices.ContainsFunc(providers, func(have string) bool { return x.rules.Providers.Normalize(have) == normal })
			if !seen && !(x.line.CodexProfiles && lines.IsCodex(key)) {
				providers = append(providers, key)
			}
		}
	}
	return providers
}

// configOrders collects the findings about auth.order of several agents, so that
// each is reported once.
type configOrders struct {
	missing  collected
	unlisted collected
}

// collected are ids of an order by the order's key, each with the agents that it
// is reported for.
type collected []*collectedID

type collectedID struct {
	key, id string
	code    auth.HintCode
	agents  []string
}

func (c *collected) add(hint orderHint, id, agent string) {
	for _, have := range *c {
		if have.key == hint.key && have.id == id && have.code == hint.Code {
			have.agents = append(have.agents, agent)
			return
		}
	}
	*c = append(*c, &collectedID{hint.key, id, hint.Code, []string{agent}})
}

// missing reports the missing ids of an order.
func (x *examination) missing(p *examinedAgent, hint orderHint) {
	for _, profile := range hint.Profiles {
		id := string(profile)
		switch {
		case x.line.CodexProfiles && lines.IsCodexProfile(id) || x.isDeclared(id):
		case hint.source == auth.ConfigOrder:
			x.orders.missing.add(hint, id, p.Agent.ID)
		default:
			where := hint.where
			where.Pointer += indexOf(p.Store.Order, hint.key, id)
			f := Finding{Agent: p.Agent.ID, Profile: id, Code: string(hint.Code), Where: where, Severity: deadSeverity(hint.Code),
				Message: fmt.Sprintf("the stored order of %s names %s, which is not in the store", hint.provider, mask.ID(id)), Treats: missingText(hint.Code)}
			if hint.Code == auth.HintOrderMissing {
				f.Repair = removal(state.Repair{Kind: state.RepairOrder, File: where.File, Key: hint.key, Profile: profile})
			}
			f.Fix, f.Commands = x.orderCure(p, hint)
			x.add(f)
		}
	}
}

// orderCure is the command that leaves of a stored order what is there, or removes
// it as a whole.
func (x *examination) orderCure(p *examinedAgent, hint orderHint) (fix string, commands []string) {
	value, _ := p.Store.Order.Get(hint.key)
	items, _ := value.([]any)
	words := []string{"auth", "order", "set", hint.provider}
	for _, item := range items {
		if id, ok := item.(string); ok && p.Store.Profiles.Has(id) && !slices.Contains(words, id) {
			words = append(words, id)
		}
	}
	if len(words) == 4 {
		return "remove the order, or log in again", x.own(p.Agent.ID, "auth", "order", "clear", hint.provider)
	}
	return "set the order without it, or log in again", x.own(p.Agent.ID, words...)
}

// indexOf is the pointer from an order to an id in it, "" if it is not there.
func indexOf(orders *document.Object, key, id string) string {
	value, _ := orders.Get(key)
	items, _ := value.([]any)
	for i, item := range items {
		if item == id {
			return document.Pointer(fmt.Sprint(i))
		}
	}
	return ""
}

func deadSeverity(code auth.HintCode) Severity {
	if code == auth.HintOrderDead {
		return Error
	}
	return Warning
}

func missingText(code auth.HintCode) string {
	switch code {
	case auth.HintOrderDead:
		return "nothing of the order is left, so the provider has no profile at all"
	case auth.HintOrderRepaired:
		return "nothing of the order is left, so the stored profiles are used instead"
	}
	return "passed over (profile_missing); the rotation is that much shorter"
}

// tellMissing reports the ids that auth.order names and that agents lack: where
// some agent has the profile it is no mistake of the order.
func (x *examination) tellMissing() {
	for _, m := range x.orders.missing {
		where := x.configAt("auth", "order", m.key)
		where = x.Config.Locate(where.Pointer + indexOf(x.Config.Auth().Order(), m.key, m.id))
		f := Finding{Profile: m.id, Code: string(m.code), Where: where, Severity: deadSeverity(m.code), Treats: missingText(m.code),
			Message: fmt.Sprintf("auth.order.%s names %s, which no agent has", m.key, mask.ID(m.id)), Fix: "take it out of the list, or log in again"}
		if x.line.OrderRepair {
			f.Treats += "; openclaw doctor --fix repairs it where one answer is possible"
			f.Repair = migratedIf(true)
		}
		if len(m.agents) < len(x.agents) {
			f.Message = fmt.Sprintf("auth.order.%s names %s, which %s %s not", m.key, mask.ID(m.id), words.List(m.agents, mask.Few), words.Plural(len(m.agents), "has", "have"))
			f.Severity = Info
		}
		x.add(f)
	}
}

// leftOut reports usable profiles that an explicit order does not name.
func leftOut() *Check {
	return &Check{
		ID: IDOrderLeftOut, Severity: Info,
		Title: "usable profiles that an explicit order leaves out",
		Why:   "an order is a closed list: a profile that is not in it is never used",
		Fix:   "add the profile where it should rotate; nothing is wrong if it should not",
		agent: func(x *examination, p *examinedAgent) {
			x.hints(p, func(h orderHint) {
				if h.Code != auth.HintOrderUnlisted {
					return
				}
				if h.source == auth.ConfigOrder {
					for _, id := range h.Profiles {
						x.orders.unlisted.add(h, string(id), p.Agent.ID)
					}
					return
				}
				ids := mask.IDs(h.Profiles)
				x.add(Finding{Agent: p.Agent.ID, Profile: string(h.Profiles[0]), Code: string(h.Code), Where: h.where, Treats: "never used for " + h.provider,
					Message: fmt.Sprintf("the stored order of %s leaves out %s", h.provider, words.List(ids, mask.Few))})
			})
		},
		after: func(x *examination) {
			for _, u := range x.orders.unlisted {
				x.add(Finding{Profile: u.id, Code: string(u.code), Where: x.configAt("auth", "order", u.key), Treats: "never used for " + u.key,
					Message: fmt.Sprintf("auth.order.%s leaves out %s of %s", u.key, mask.ID(u.id), words.List(u.agents, mask.Few))})
			}
		},
	}
}

// otherOrders reports orders that do something else than they seem to.
func otherOrders() *Check {
	return &Check{
		ID: IDOrderEffect, Severity: Warning,
		Title: "orders that turn a provider off, or that another order hides",
		Why:   "an empty list means none, not all; an agent's own order wins over auth.order",
		Fix:   "auth order clear PROVIDER removes a stored order",
		agent: func(x *examination, p *examinedAgent) {
			x.hints(p, func(h orderHint) {
				switch h.Code {
				case auth.HintOrderEmpty:
					x.tellEmpty(p, h)
				case auth.HintOrderHidden:
					x.add(Finding{Severity: Info, Agent: p.Agent.ID, Code: string(h.Code), Where: h.where, Treats: "auth.order is not used for this agent",
						Fix: "clear the stored order if auth.order is meant", Commands: x.own(p.Agent.ID, "auth", "order", "clear", h.provider),
						Message: fmt.Sprintf("the stored order of %s hides auth.order.%s", h.provider, h.Key)})
				}
			})
		},
	}
}

func (x *examination) tellEmpty(p *examinedAgent, h orderHint) {
	key := "empty " + h.key
	if h.source == auth.ConfigOrder && x.judged[key] {
		return
	}
	f := Finding{Agent: p.Agent.ID, Code: string(h.Code), Where: h.where, Treats: "no profile of the provider is used", Fix: "remove the list",
		Message: "the order of " + h.provider + " is an empty list"}
	if h.source == auth.ConfigOrder {
		x.judged[key], f.Agent = true, ""
	} else {
		f.Fix, f.Commands = "clear the stored order", x.own(p.Agent.ID, "auth", "order", "clear", h.provider)
	}
	x.add(f)
}
