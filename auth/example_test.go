package auth_test

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// The order of a provider's profiles, and what excludes or delays each.
func ExampleProfiles_Order() {
	value, err := document.ParseJSON("auth-profiles.json", []byte(`{
		"anthropic:work": {"type": "api_key", "provider": "anthropic", "key": "sk-1"},
		"anthropic:home": {"type": "api_key", "provider": "anthropic", "key": "sk-2"},
		"anthropic:old":  {"type": "token", "provider": "anthropic", "token": "t", "expires": 1700000000000}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	usage := document.NewObject()
	limited := document.NewObject()
	limited.SetNumber("cooldownUntil", 1_780_000_060_000)
	usage.Set("anthropic:work", limited)

	rules, err := auth.RulesFor("2026.5.12")
	if err != nil {
		fmt.Println(err)
		return
	}
	profiles := &auth.Profiles{Rules: rules, Store: &auth.Store{Profiles: value.(*document.Object), UsageStats: usage}}
	query := auth.OrderQuery{Provider: "anthropic", Now: 1_780_000_000_000}
	ordering := profiles.Order(query)
	fmt.Println("order:", ordering.Order)
	for _, placement := range profiles.Explain(query, ordering) {
		fmt.Println(placement.ID, placement.State, placement.Code)
	}
	// Output:
	// order: [anthropic:home anthropic:work]
	// anthropic:home ready ok
	// anthropic:work cooling ok
	// anthropic:old excluded expired
}
