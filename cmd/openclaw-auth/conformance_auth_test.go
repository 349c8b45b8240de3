package main

import (
	"strings"

	"openclaw-auth/auth"
)

func profilesOf(rules *auth.Rules, input *auth.Object) *auth.Profiles {
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

func answerOrder(rules *auth.Rules, v vector) any {
	profiles := profilesOf(rules, v.input)
	provider := v.input.Text("provider")
	ordering := profiles.Order(auth.OrderQuery{
		Provider: provider, Now: v.now,
		Model: v.input.Text("forModel"), Prefer: auth.ProfileID(v.input.Text("preferredProfile")),
	})
	eligibility := auth.NewObject()
	add := func(id string) {
		if rules.Eligibility.ReasonCodes {
			eligibility.Set(id, profiles.Eligibility(provider, auth.ProfileID(id), v.now))
		}
	}
	for _, ids := range []*auth.Object{profiles.Store.Profiles, profiles.Config.Profiles()} {
		for id := range ids.All() {
			add(id)
		}
	}
	for _, orders := range []*auth.Object{profiles.Store.Order, profiles.Config.Order()} {
		for _, value := range orders.All() {
			list, _ := value.([]any)
			for _, id := range list {
				add(id.(string))
			}
		}
	}
	return object("authKey", rules.Providers.AuthKey(provider), "order", ordering.Order, "eligibility", eligibility)
}

func answerCooldown(rules *auth.Rules, v vector) any {
	profiles := profilesOf(rules, v.input)
	model := v.input.Text("forModel")
	var ids []auth.ProfileID
	list, _ := v.input.Get("profileIds")
	for _, id := range list.([]any) {
		ids = append(ids, auth.ProfileID(id.(string)))
	}
	want := v.want.(*auth.Object)
	got := auth.NewObject()
	resting, display := auth.NewObject(), auth.NewObject()
	for _, id := range ids {
		resting.Set(string(id), profiles.InCooldown(id, model, v.now))
		display.Set(string(id), optional(profiles.DisplayUntil(id)))
	}
	got.Set("inCooldown", resting)
	got.Set("soonest", optional(profiles.SoonestExpiry(ids, model, v.now)))
	got.Set("reason", nil)
	if reason := profiles.UnavailableReason(ids, v.now); reason != "" {
		got.Set("reason", reason)
	}
	got.Set("displayUntil", display)
	stats, cleared := rules.Windows.ClearExpired(profiles.Store.UsageStats, v.now)
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
	return auth.NumberValue(number)
}

func answerPin(rules *auth.Rules, v vector) any     { return skipped("not yet") }
func answerFailure(rules *auth.Rules, v vector) any { return skipped("not yet") }

var _ = strings.TrimSpace
