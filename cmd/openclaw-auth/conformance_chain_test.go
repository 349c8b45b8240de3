package main

import (
	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

func modelsOf(rules *auth.Rules, input *auth.Object) *chain.Models {
	index, _ := input.Get("pluginIndex")
	return &chain.Models{
		Rules: rules, Config: auth.NewConfig(input.Object("cfg")),
		Agent: input.Text("agentId"), PluginIndex: index == true,
	}
}

func refObject(ref chain.Ref, ok bool) any {
	if !ok {
		return nil
	}
	return object("provider", ref.Provider, "model", ref.Model)
}

func answerParse(rules *auth.Rules, v vector) any {
	models := modelsOf(rules, v.input)
	provider := v.input.Text("defaultProvider")
	switch v.input.Text("kind") {
	case "configured":
		primary := models.DefaultsPrimary()
		return object("ref", refObject(models.Configured(primary, provider, v.input.Text("defaultModel")), true))
	case "agentDefault":
		return object("ref", refObject(models.Default(), true))
	}
	raw := v.input.Text("raw")
	model, profile := models.SplitProfile(raw)
	parsed, parses := models.Parse(raw, provider)
	ref, alias, ok := models.Resolve(raw, provider)
	return object(
		"split", object("model", model, "profile", orNull(string(profile))),
		"parsed", refObject(parsed, parses),
		"resolved", refObject(ref, ok),
		"alias", orNull(alias),
		"key", orNull(ref.Key()),
	)
}

// orNull is a text, or null where it is empty.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func answerCandidates(rules *auth.Rules, v vector) any {
	models := modelsOf(rules, v.input)
	if v.input.Text("kind") == "image" {
		return candidatesObject(models.ImageCandidates(v.input.Text("modelOverride")))
	}
	request := chain.Request{
		Provider: v.input.Text("provider"), Model: v.input.Text("model"),
		Resolved: v.input.Text("requestedRouteResolution") == "resolved", Fallbacks: fallbackList(v.input),
	}
	answer := candidatesObject(models.Candidates(request))
	if v.want.(*auth.Object).Has("origins") {
		answer.Set("origins", origins(models.Candidates(request)))
	}
	return answer
}

func fallbackList(input *auth.Object) []chain.Written {
	value, _ := input.Get("fallbacksOverride")
	list, ok := value.([]any)
	if !ok {
		return nil
	}
	fallbacks := []chain.Written{}
	for _, item := range list {
		fallbacks = append(fallbacks, chain.Written{Text: item.(string)})
	}
	return fallbacks
}

func candidatesObject(candidates []chain.Candidate) *auth.Object {
	refs := []any{}
	for _, candidate := range candidates {
		refs = append(refs, refObject(candidate.Ref, true))
	}
	return object("candidates", refs)
}

func origins(candidates []chain.Candidate) any {
	names := map[chain.Role]string{
		chain.Requested: "requested", chain.Fallback: "configured-fallback", chain.Primary: "configured-primary",
	}
	list := []any{}
	for _, candidate := range candidates {
		list = append(list, names[candidate.Role])
	}
	return list
}
