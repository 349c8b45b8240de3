package auth

import (
	"slices"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// The table of release lines. Each step states what changed since the line
// before it; everything else stayed. The recorded answers in testdata/vectors
// (order, cooldown, failure, pin) of each line are its proof.
var table = release.NewTable(finish,
	release.Step[Rules]{Line: "2026.1.30", Change: func(r *Rules) {
		r.Providers.Synonyms = names(nil,
			"z.ai", "zai", "z-ai", "zai", "opencode-zen", "opencode", "qwen", "qwen-portal", "kimi-code", "kimi-coding",
		)
		r.Eligibility.ConfigOnlyAWS = AWSNever
		r.Eligibility.OAuthRef = RefIgnored
		r.Order.MissingRepair = RepairNever
		r.Windows.UncountedReason = failure.RateLimit
		r.Failures.AuthPermanent = LaneCooldown
		r.Failures.Configurable = true
		r.Failures.BillingMinutes = 5 * 60
		r.Failures.BillingMaxMinutes = 24 * 60
		r.Failures.ClearOp = ClearCooldown
		r.Failures.CooldownOp = true
		r.Failures.EmptyModel = true
		r.Rotation.GivenUp = GivenUpPlain
		r.Pins.CompactionRotates = true
	}},
	release.Step[Rules]{Line: "2026.2.26", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms,
			"bedrock", "amazon-bedrock", "aws-bedrock", "amazon-bedrock", "bytedance", "volcengine", "doubao", "volcengine",
		)
		r.Order.MissingRepair = RepairConfigProfiles
		r.Windows.ClearsExpired = true
		r.Windows.Bypass = []ProviderID{"openrouter"}
		r.Windows.KnownReasons = []Reason{
			failure.AuthPermanent, failure.Auth, failure.Billing, failure.Format, failure.ModelNotFound,
			failure.Timeout, failure.RateLimit, failure.Unknown,
		}
		r.Failures.KeepActiveWindow = true
		r.Failures.AuthPermanent = LaneBilling
		r.Failures.ClearOp = ClearNone
		r.Failures.CooldownOp = false
	}},
	release.Step[Rules]{Line: "2026.3.13", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "opencode-go-auth", "opencode-go")
		r.Providers.AuthAliases = names(nil, "volcengine-plan", "volcengine", "byteplus-plan", "byteplus")
		r.Eligibility.ReasonCodes = true
		r.Eligibility.SecretRefs = true
		r.Eligibility.RefSources = []string{"env", "file", "exec"}
		r.Eligibility.UnknownTypeIsOAuth = true
		r.Eligibility.InvalidExpires = true
		r.Windows.Bypass = []ProviderID{"openrouter", "kilocode"}
		r.Windows.KnownReasons = []Reason{
			failure.AuthPermanent, failure.Auth, failure.Billing, failure.Format, failure.ModelNotFound,
			failure.Overloaded, failure.Timeout, failure.RateLimit, failure.Unknown,
		}
		r.Windows.UncountedReason = failure.Unknown
		r.Failures.LapseResets = true
	}},
	release.Step[Rules]{Line: "2026.3.31", Change: func(r *Rules) {
		r.Providers.Synonyms = release.Without(names(r.Providers.Synonyms,
			"kimi-code", "kimi", "kimi-coding", "kimi",
		), "qwen")
		r.Windows.Reasons = true
		r.Windows.ModelScoped = []Reason{failure.RateLimit}
		r.Failures.ShortLadder = true
		r.Failures.ClearOp = ClearAll
		r.Failures.CooldownOp = true
		r.Rotation.OverloadCap = true
	}},
	release.Step[Rules]{Line: "2026.4.9", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "modelstudio", "qwen", "qwencloud", "qwen")
		r.Windows.SoonestSameModel = true
		r.Failures.AuthPermanent = LaneOwn
		r.Failures.GoodByAuthKey = true
		r.Failures.CodexProbe = ProbeRules{
			Provider: providerCodex, Reasons: []Reason{failure.RateLimit, failure.Unknown}, HalfReset: true,
		}
		r.Rotation.RateLimitCap = true
		r.Pins.SourceFirst = true
		r.Pins.UserOutsideOrder = true
	}},
	release.Step[Rules]{Line: "2026.4.29", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(r.Providers.AuthAliases,
			"claude-cli", "anthropic",
			"minimax-api", "minimax", "minimax-cloud", "minimax", "minimax-api-lightning", "minimax", "minimax-api-key-cn", "minimax",
			"codex-cli", "openai-codex", "openai-codex-import", "openai-codex",
			"modelstudio-standard-api-key", "qwen", "modelstudio-standard-api-key-cn", "qwen",
			"modelstudio-api-key", "qwen", "modelstudio-api-key-cn", "qwen",
		)
		r.Order.AuthKeyFirst = true
		r.Windows.KnownReasons = []Reason{
			failure.AuthPermanent, failure.Auth, failure.Billing, failure.Format, failure.ModelNotFound,
			failure.Overloaded, failure.Timeout, failure.RateLimit,
			failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified, failure.Unknown,
		}
		r.Failures.CodexProbe.Reasons = []Reason{
			failure.RateLimit, failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified, failure.Unknown,
		}
		r.Failures.PruneOnWrite = true
		r.Failures.PruneOrder = true
		r.Pins.ProviderByAuthKey = true
	}},
	release.Step[Rules]{Line: "2026.5.12", Change: func(r *Rules) {
		r.Store.RunBehind = true
		r.Providers.Synonyms = names(r.Providers.Synonyms,
			"anthropic-cli", "claude-cli", "moonshotai", "moonshot", "moonshot-ai", "moonshot",
		)
		r.Eligibility.RefMarkers = true
		r.Eligibility.ConfigOnlyAWS = AWSBedrockOrAuth
		r.Eligibility.OAuthRef = RefSidecar
		r.Eligibility.OpenAIKeyForCodex = true
		r.Order.CodexAlias = true
		r.Windows.Blocked = true
		r.Failures.CodexProbe.HalfReset = false
		r.Failures.CodexProbe.Blocks = true
		r.Failures.SingleSuccess = true
		r.Rotation.CapUnrecorded = true
		r.Pins.AcceptedProviders = true
		r.Pins.ReplaceUnusable = true
	}},
	release.Step[Rules]{Line: "2026.5.28", Change: func(r *Rules) {
		r.Providers.Synonyms = nil
		r.Providers.AuthAliases = names(r.Providers.AuthAliases,
			"minimax-cn", "minimax", "minimax-portal-cn", "minimax-portal",
			"moonshotai", "moonshot", "moonshot-ai", "moonshot",
		)
		r.Eligibility.RefDollar = true
		r.Eligibility.ConfigOnlyAWS = AWSAuth
		r.Eligibility.OAuthRef = RefIgnored
		r.Failures.CodexProbe.WholeReset = true
		r.Failures.Coerce = true
		r.Failures.EmptyModel = false
		r.Rotation.CapAsksRun = true
	}},
	release.Step[Rules]{Line: "2026.6.11", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(release.Without(r.Providers.AuthAliases,
			"codex-cli", "openai-codex-import",
			"modelstudio-standard-api-key", "modelstudio-standard-api-key-cn", "modelstudio-api-key", "modelstudio-api-key-cn",
			"moonshotai", "moonshot-ai",
		), "novita-ai", "novita", "novitaai", "novita")
		r.Eligibility.OAuthRef = RefUnresolved
		r.Eligibility.ExpiresWithinDate = true
		r.Eligibility.OpenAIKeyForCodex = false
		r.Order.CodexAlias = false
		r.Order.MissingRepair = RepairOrStoredOrder
		r.Windows.WithinDate = true
		r.Windows.ModelScoped = []Reason{failure.RateLimit, failure.Timeout}
		r.Windows.ScopedUnlessBlock = true
		r.Failures.PruneOrder = false
		r.Failures.IntegerWindows = true
		r.Failures.CodexProbe.Provider = providerOpenAI
		r.Rotation.GivenUp = GivenUpReason
	}},
	release.Step[Rules]{Line: "2026.7.1", Change: func(r *Rules) {
		r.Eligibility.MalformedAPIKey = true
		r.Failures.IgnoreNoDetails = true
		r.Pins.MonotoneUpdatedAt = true
	}},
	release.Step[Rules]{Line: "2026.8.2", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(release.Without(r.Providers.AuthAliases,
			"volcengine-plan", "byteplus-plan", "novita-ai", "novitaai",
		), "x-ai", "xai")
		r.Eligibility.RefSources = []string{"env", "file", "exec", "store"}
		r.Eligibility.RefMarkers = false
		r.Eligibility.ConfigOnlyAWS = AWSAuthOfAuthKey
		r.Order.ExpiredOAuthLast = true
		r.Order.ModelAware = true
		r.Windows.BlockedScope = true
		r.Windows.ModelScoped = []Reason{failure.RateLimit, failure.Timeout, failure.ModelNotFound}
		r.Windows.KnownReasons = []Reason{
			failure.AuthPermanent, failure.Auth, failure.SessionExpired, failure.Billing, failure.Format, failure.ModelNotFound,
			failure.Overloaded, failure.Timeout, failure.RateLimit,
			failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified, failure.Unknown,
		}
		r.Windows.CooldownReasonWins = true
		r.Windows.Classification = true
		r.Failures.Configurable = false
		r.Failures.KeepInlineKeys = true
		r.Failures.CodexProbe.Unexpired = true
		r.Failures.CodexProbe.Timestamp = true
		r.Failures.CodexProbe.Classifies = true
		r.Failures.SuccessMergesGood = true
		r.Rotation.BesidePin = true
		r.Pins.AcceptedProviders = false
		r.Pins.ReplaceUnusable = false
		r.Pins.UserStrict = true
		r.Pins.ReferenceProfile = true
		r.Pins.ModelAware = true
		r.Pins.UserOutsideOrder = false
		r.Pins.RouteModels = []string{
			"gpt-5.4", "gpt-5.4-mini", "gpt-5.4-pro", "gpt-5.5", "gpt-5.5-pro", "gpt-5.6-luna", "gpt-5.6-sol", "gpt-5.6-terra",
		}
	}},
	release.Step[Rules]{Line: "2026.9.6", Change: func(r *Rules) {
		r.Eligibility.RefreshFence = true
		r.Eligibility.SetupReplacement = true
		r.Windows.ClearKeepsRate = true
		r.Failures.RateLimitDoubling = true
		r.Failures.BillingMinutes = 10
		r.Failures.NoBackoffFloor = true
		r.Failures.BlockShieldsRate = true
		r.Failures.CodexProbe.Rewritten = true
		r.Failures.SuccessProbeTime = true
		r.Failures.ClearOp = ClearNone
		r.Failures.CooldownOp = false
		r.Rotation.NoBillingProbe = true
		r.Rotation.GivenUp = GivenUpProfile
		r.Pins.CompactionRotates = false
		r.Pins.KeylessUserRoute = true
		r.Pins.MissingIntent = true
		r.Pins.PreferEarlier = true
		r.Pins.OrderForModel = true
		r.Pins.RouteModels = append(slices.Clone(r.Pins.RouteModels), "gpt-6-astra", "gpt-6-luna", "gpt-6-sol")
	}},
)

// finish adds what other tables say of the line.
func finish(line string, r *Rules) {
	r.Line = line
	r.Store = *storeTable.At(line)
}

// names adds other spellings of providers, each before the provider that it
// names, in place; nil is a new map with room for what all lines add to it.
func names(base map[string]ProviderID, pairs ...string) map[string]ProviderID {
	if base == nil {
		base = make(map[string]ProviderID, 20)
	}
	for i := 0; i < len(pairs); i += 2 {
		base[pairs[i]] = ProviderID(pairs[i+1])
	}
	return base
}
