package chain_test

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

// A run whose first provider is rate limited: OpenClaw falls back to the next model.
func ExampleModels_Simulate() {
	parse := func(text string) *document.Object {
		value, err := document.ParseJSON("example", []byte(text))
		if err != nil {
			panic(err)
		}
		return value.(*document.Object)
	}
	config := auth.NewConfig(parse(`{"agents": {"defaults": {"model": {
		"primary": "anthropic/claude-opus-4-6", "fallbacks": ["google/gemini-3.1-pro-preview"]}}}}`))
	rules, err := auth.RulesFor("2026.5.12")
	if err != nil {
		fmt.Println(err)
		return
	}
	profiles := &auth.Profiles{Rules: rules, Config: config, Store: &auth.Store{Profiles: parse(`{
		"anthropic:work": {"type": "api_key", "provider": "anthropic", "key": "sk-1"},
		"google:default": {"type": "api_key", "provider": "google", "key": "sk-2"}}`)}}
	limit, err := chain.ParsePattern("anthropic/*=rate_limit")
	if err != nil {
		fmt.Println(err)
		return
	}
	models := &chain.Models{Rules: rules, Config: config}
	run, err := models.Simulate(chain.SimulateQuery{Profiles: profiles, Patterns: []chain.Pattern{limit}, Now: 1_780_000_000_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, use := range run.Uses {
		fmt.Println(use.Ref.Provider+"/"+use.Ref.Model, use.Profile, use.Reason)
	}
	// Output:
	// anthropic/claude-opus-4-6 anthropic:work rate_limit
	// google/gemini-3.1-pro-preview google:default
}
