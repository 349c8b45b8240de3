package answer

import (
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

func profilesOf(rules *auth.Rules, input *document.Object) *auth.Profiles {
	store := input.Object("store")
	return &auth.Profiles{
		Rules:  rules,
		Config: auth.NewConfig(input.Object("cfg")),
		Store: &auth.Store{
			Profiles:   store.Object("profiles"),
			Order:      store.Object("order"),
			LastGood:   store.Object("lastGood"),
			UsageStats: store.Object("usageStats"),
		},
	}
}

func answerOrder(rules *auth.Rules, q Question) any {
	profiles := profilesOf(rules, q.Input)
	provider := q.Input.Text("provider")
	ordering := profiles.Order(auth.OrderQuery{
		Provider: provider, Now: q.Now,
		Model: q.Input.Text("forModel"), Prefer: auth.ProfileID(q.Input.Text("preferredProfile")),
	})
	eligibility := document.NewObject()
	add := func(id string) {
		if rules.Eligibility.ReasonCodes {
			eligibility.Set(id, profiles.Eligibility(provider, auth.ProfileID(id), q.Now))
		}
	}
	for _, ids := range []*document.Object{profiles.Store.Profiles, profiles.Config.Profiles()} {
		for id := range ids.All() {
			add(id)
		}
	}
	for _, orders := range []*document.Object{profiles.Store.Order, profiles.Config.Order()} {
		for _, value := range orders.All() {
			list, _ := value.([]any)
			for _, id := range list {
				add(id.(string))
			}
		}
	}
	return object("authKey", rules.Providers.AuthKey(provider), "order", ordering.Order, "eligibility", eligibility)
}

func answerCooldown(rules *auth.Rules, q Question) any {
	profiles := profilesOf(rules, q.Input)
	model := q.Input.Text("forModel")
	var ids []auth.ProfileID
	list, _ := q.Input.Get("profileIds")
	for _, id := range list.([]any) {
		ids = append(ids, auth.ProfileID(id.(string)))
	}
	want := q.Want.(*document.Object)
	got := document.NewObject()
	cooling, display := document.NewObject(), document.NewObject()
	for _, id := range ids {
		cooling.Set(string(id), profiles.InCooldown(id, model, q.Now))
		display.Set(string(id), optional(profiles.DisplayUntil(id)))
	}
	got.Set("inCooldown", cooling)
	got.Set("soonest", optional(profiles.SoonestExpiry(ids, model, q.Now)))
	got.Set("reason", nil)
	if reason := profiles.UnavailableReason(ids, q.Now); reason != "" {
		got.Set("reason", reason)
	}
	got.Set("displayUntil", display)
	stats, cleared := rules.Windows.ClearExpired(profiles.Store.UsageStats, q.Now)
	got.Set("cleared", cleared)
	got.Set("usageStats", stats)
	// A line answers only what it has a function for.
	for _, key := range got.Keys() {
		if !want.Has(key) {
			got.Delete(key)
		}
	}
	return got
}

// optional is a number, or null where there is none.
func optional(number float64, ok bool) any {
	if !ok {
		return nil
	}
	return document.NumberValue(number)
}

func answerPin(rules *auth.Rules, q Question) any {
	profiles := profilesOf(rules, q.Input)
	profiles.Store = rules.NormalizeState(profiles.Store)
	profiles.Store.Profiles, _ = rules.LoadProfiles(profiles.Store.Profiles)
	query := auth.PinQuery{
		Provider: q.Input.Text("provider"), Model: q.Input.Text("modelId"),
		Entry: q.Input.Object("sessionEntry"), Keyless: q.Input.Text("sessionKey") == "", Now: q.Now,
	}
	query.NewSession = q.Input.Bool("isNewSession")
	agent := "main"
	if parts := strings.Split(q.Input.Text("sessionKey"), ":"); len(parts) > 1 {
		agent = parts[1]
	}
	models := &chain.Models{Rules: rules, Config: profiles.Config, Agent: agent}
	query.Reference = models.ReferenceProfile(chain.Ref{Provider: string(rules.Providers.Normalize(query.Provider)), Model: query.Model})
	accepted, _ := q.Input.Get("acceptedProviderIds")
	list, _ := accepted.([]any)
	for _, provider := range list {
		query.Accepted = append(query.Accepted, provider.(string))
	}
	pin := profiles.ResolvePin(query)
	if pin.Err != nil {
		return object("error", pin.Err.Error())
	}
	got := object("via", "override", "profileId", nil)
	if pin.Profile != "" {
		got.Set("profileId", pin.Profile)
	} else if query.Keyless && !rules.Pins.UserStrict {
		// Such a session is not looked at: an id that is empty or no text is handed on.
		id, _ := query.Entry.Get("authProfileOverride")
		got.Set("profileId", id)
	}
	if rules.Pins.UserStrict {
		got.Set("via", "selection")
		if pin.Profile != "" {
			got.Set("source", pin.Source)
		}
		if pin.Route != "" {
			got.Set("routeRequirement", pin.Route)
		}
	}
	got.Set("entry", nil)
	if pin.Entry != nil {
		entry := document.NewObject()
		for _, name := range []string{"authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount", "updatedAt"} {
			if value, ok := pin.Entry.Get(name); ok {
				entry.Set(name, value)
			}
		}
		got.Set("entry", entry)
	}
	return got
}

func answerFailure(rules *auth.Rules, q Question) any {
	profiles := profilesOf(rules, q.Input)
	shown := profiles.Store // as it was given, until something is written
	profiles.Store = rules.NormalizeState(profiles.Store)
	events, _ := q.Input.Get("events")
	for _, event := range events.([]any) {
		if event.(*document.Object).Text("reason") == "toString" {
			return Skipped("not a reason: JavaScript counts the text of a function")
		}
	}
	var steps []any
	for _, value := range events.([]any) {
		event := value.(*document.Object)
		before := *profiles.Store
		transition, lastGood := replay(profiles, event)
		step := document.NewObject()
		if transition.Ignored == auth.IgnoredUnsupported {
			steps = append(steps, object("skipped", true))
			continue
		}
		if transition.Ignored == "" || lastGood != before.LastGood {
			after := before
			after.LastGood = lastGood
			if transition.Ignored == "" {
				after.UsageStats = document.NewObject()
				if before.UsageStats != nil {
					after.UsageStats = before.UsageStats.Clone()
				}
				after.UsageStats.Set(event.Text("profileId"), transition.Stats)
			}
			profiles.Store = rules.Persisted(&after)
			shown = profiles.Store
		}
		if stats := shown.UsageStats.Object(event.Text("profileId")); stats != nil {
			step.Set("stats", stats)
		} else {
			step.Set("stats", nil)
		}
		if transition.Probed {
			step.Set("probed", true)
		}
		steps = append(steps, step)
	}
	got := object("steps", steps, "usageStats", document.NewObject(), "lastGood", document.NewObject())
	if shown.UsageStats != nil {
		got.Set("usageStats", shown.UsageStats)
	}
	if shown.LastGood != nil {
		got.Set("lastGood", shown.LastGood)
	}
	return got
}

// replay applies an event of a failure vector.
func replay(profiles *auth.Profiles, event *document.Object) (auth.Transition, *document.Object) {
	id := auth.ProfileID(event.Text("profileId"))
	at, _ := event.Number("at")
	now := int64(at)
	rules := &profiles.Rules.Failures
	lastGood := profiles.Store.LastGood
	unsupported := auth.Transition{Ignored: auth.IgnoredUnsupported}
	switch event.Text("op") {
	case "failure":
		return profiles.Fail(auth.Failure{
			Profile: id, Reason: auth.Reason(event.Text("reason")), Model: textPointer(event, "modelId"),
			Now: now, Probe: probeAnswer(event.Object("wham")),
		}), lastGood
	case "cooldown":
		return profiles.CoolDown(id, now, probeAnswer(event.Object("wham"))), lastGood
	case "blocked":
		until, _ := event.Number("blockedUntil")
		return profiles.Block(auth.Block{
			Profile: id, Until: until, Source: event.Text("source"), Model: textPointer(event, "modelId"), Now: now,
		}), lastGood
	case "clear":
		return profiles.Clear(id), lastGood
	case "success":
		return profiles.Success(event.Text("provider"), id, now)
	case "used":
		if rules.SingleSuccess {
			return unsupported, lastGood
		}
		return profiles.Used(id, now), lastGood
	case "good":
		if rules.SingleSuccess {
			return unsupported, lastGood
		}
		return auth.Transition{Ignored: auth.IgnoredNoEntry}, profiles.Good(event.Text("provider"), id)
	}
	return unsupported, lastGood
}

func textPointer(object *document.Object, name string) *string {
	if !object.Has(name) {
		return nil
	}
	text := object.Text(name)
	return &text
}

func probeAnswer(wham *document.Object) *auth.ProbeAnswer {
	if wham == nil {
		return nil
	}
	answer := &auth.ProbeAnswer{Status: 200}
	if status, ok := wham.Number("status"); ok {
		answer.Status = int(status)
	}
	answer.Body, _ = wham.Get("body")
	return answer
}
