package lines

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/release"
)

// The spellings of model ids that the release lines know, by who declares them:
// the program itself or the manifests of the bundled plugins.

// Functions, not variables: most commands need none of them.

func claudeDotted() map[string]string {
	return map[string]string{
		"opus-4.6": "claude-opus-4-6", "opus-4.5": "claude-opus-4-5",
		"sonnet-4.6": "claude-sonnet-4-6", "sonnet-4.5": "claude-sonnet-4-5",
	}
}

func claudeShort() map[string]string {
	return map[string]string{"opus-4.6": "claude-opus-4-6", "sonnet-4.6": "claude-sonnet-4-6"}
}

func claudeMay() map[string]string {
	return release.With(claudeShort(), map[string]string{"opus-4.8": "claude-opus-4-8", "opus": "claude-opus-4-8"})
}

func claudeJuly() map[string]string {
	return release.With(claudeMay(), map[string]string{
		"mythos-5": "claude-mythos-5", "sonnet-5": "claude-sonnet-5", "sonnet": "claude-sonnet-5",
	})
}

func claudeAugust() map[string]string {
	return release.With(claudeJuly(), map[string]string{"opus-5": "claude-opus-5", "opus": "claude-opus-5"})
}

func claudeSeptember() map[string]string {
	return release.With(claudeAugust(), map[string]string{
		"fable": "claude-fable-5-1", "fable-5": "claude-fable-5", "fable-5.1": "claude-fable-5-1", "fable-5-1": "claude-fable-5-1",
		"haiku": "claude-haiku-4-5", "opus-5.5": "claude-opus-5-5", "opus-5-5": "claude-opus-5-5", "opus-4.7": "claude-opus-4-7",
	})
}

func geminiOld() map[string]string {
	return map[string]string{
		"gemini-3-pro": "gemini-3-pro-preview", "gemini-3-flash": "gemini-3-flash-preview",
		"gemini-3.1-pro": "gemini-3.1-pro-preview", "gemini-3.1-flash-lite": "gemini-3.1-flash-lite-preview",
		"gemini-3.1-flash": "gemini-3-flash-preview", "gemini-3.1-flash-preview": "gemini-3-flash-preview",
	}
}

func geminiMay() map[string]string {
	return release.With(geminiOld(), map[string]string{
		"gemini-3-pro": "gemini-3.1-pro-preview", "gemini-3-pro-preview": "gemini-3.1-pro-preview",
	})
}

func geminiLite() map[string]string {
	return release.Without(release.With(geminiMay(), map[string]string{
		"gemini-3.1-flash-lite-preview": "gemini-3.1-flash-lite",
	}), "gemini-3.1-flash-lite")
}

func geminiGemma() map[string]string {
	return release.With(geminiLite(), map[string]string{"gemma-4-26b": "gemma-4-26b-a4b-it"})
}

func grokFast() map[string]string {
	return map[string]string{"grok-4-fast-reasoning": "grok-4-fast", "grok-4-1-fast-reasoning": "grok-4-1-fast"}
}

func grok420() map[string]string {
	return map[string]string{
		"grok-4.20-experimental-beta-0304-reasoning":     "grok-4.20-beta-latest-reasoning",
		"grok-4.20-experimental-beta-0304-non-reasoning": "grok-4.20-beta-latest-non-reasoning",
		"grok-4.20-reasoning":                            "grok-4.20-beta-latest-reasoning",
		"grok-4.20-non-reasoning":                        "grok-4.20-beta-latest-non-reasoning",
	}
}

func grokLatest() map[string]string {
	return map[string]string{"grok-4.3-latest": "grok-4.3", "grok-4.5-latest": "grok-4.5", "grok-build-latest": "grok-4.5"}
}

func kimi() map[string]string {
	return map[string]string{"moonshotai/Kimi-K2.5": "moonshotai/Kimi-K2.6"}
}

func vercelClaude() ModelIDPolicy {
	return ModelIDPolicy{Aliases: claudeDotted(), AnyCase: true, Prefix: "anthropic/", PrefixStarts: "claude-"}
}

// googleIDs gives the providers the same Gemini spellings.
func googleIDs(aliases map[string]string, anyCase, nested bool, providers ...auth.ProviderID) map[auth.ProviderID]ModelIDPolicy {
	policy := ModelIDPolicy{Aliases: aliases, AnyCase: anyCase}
	if nested {
		policy.Keep = "google/"
	}
	policies := map[auth.ProviderID]ModelIDPolicy{}
	for _, provider := range providers {
		policies[provider] = policy
	}
	return policies
}
