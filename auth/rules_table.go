package auth

import (
	"slices"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// The table of releases. Each step states what changed since the release before
// it; everything else stayed. The recorded answers of each release in
// testdata/vectors and testdata/recordings (order, cooldown, failure, pin) are its
// proof; scripts/record finds the steps.
var table = release.NewTable(finish,
	release.Step[Rules]{Line: "2026.1.29", Change: func(r *Rules) {
		r.Providers.Synonyms = names(nil,
			"z.ai", "zai", "z-ai", "zai", "opencode-zen", "opencode", "qwen", "qwen-portal",
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
		r.Pins.CommandAsksMain = true
	}},
	release.Step[Rules]{Line: "2026.1.30", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "kimi-code", "kimi-coding")
	}},
	release.Step[Rules]{Line: "2026.2.2", Change: func(r *Rules) {
		r.Failures.ClearOp = ClearNone
		r.Failures.CooldownOp = false
	}},
	release.Step[Rules]{Line: "2026.2.17", Change: func(r *Rules) {
		r.Windows.ClearsExpired = true
	}},
	release.Step[Rules]{Line: "2026.2.21", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "bytedance", "volcengine", "doubao", "volcengine")
		r.Order.MissingRepair = RepairConfigProfiles
	}},
	release.Step[Rules]{Line: "2026.2.22", Change: func(r *Rules) {
		r.Windows.KnownReasons = []Reason{
			failure.Auth, failure.Billing, failure.Format, failure.ModelNotFound, failure.Timeout, failure.RateLimit, failure.Unknown,
		}
		r.Failures.KeepActiveWindow = true
	}},
	release.Step[Rules]{Line: "2026.2.24", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "bedrock", "amazon-bedrock", "aws-bedrock", "amazon-bedrock")
		r.Windows.Bypass = []ProviderID{"openrouter"}
	}},
	release.Step[Rules]{Line: "2026.2.25", Change: func(r *Rules) {
		r.Windows.KnownReasons = slices.Insert(r.Windows.KnownReasons, 0, failure.AuthPermanent)
		r.Failures.AuthPermanent = LaneBilling
	}},
	release.Step[Rules]{Line: "2026.3.2", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(nil, "volcengine-plan", "volcengine", "byteplus-plan", "byteplus")
	}},
	release.Step[Rules]{Line: "2026.3.7", Change: func(r *Rules) {
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
	}},
	release.Step[Rules]{Line: "2026.3.11", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "opencode-go-auth", "opencode-go")
		r.Windows.UncountedReason = failure.Unknown
		r.Failures.LapseResets = true
	}},
	release.Step[Rules]{Line: "2026.3.22", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "kimi-code", "kimi", "kimi-coding", "kimi")
		r.Failures.ClearOp = ClearAll
		r.Failures.CooldownOp = true
	}},
	release.Step[Rules]{Line: "2026.3.28", Change: func(r *Rules) {
		r.Providers.Synonyms = release.Without(r.Providers.Synonyms, "qwen")
		r.Windows.Reasons = true
		r.Windows.ModelScoped = []Reason{failure.RateLimit}
		r.Failures.ShortLadder = true
		r.Rotation.OverloadCap = true
	}},
	release.Step[Rules]{Line: "2026.4.1", Change: func(r *Rules) {
		r.Failures.CodexProbe = ProbeRules{
			Provider: providerCodex, Reasons: []Reason{failure.RateLimit, failure.Unknown}, HalfReset: true,
		}
	}},
	release.Step[Rules]{Line: "2026.4.5", Change: func(r *Rules) {
		r.Providers.Synonyms = names(r.Providers.Synonyms, "modelstudio", "qwen", "qwencloud", "qwen")
		r.Windows.SoonestSameModel = true
		r.Failures.AuthPermanent = LaneOwn
	}},
	release.Step[Rules]{Line: "2026.4.7", Change: func(r *Rules) {
		r.Pins.UserOutsideOrder = true
	}},
	release.Step[Rules]{Line: "2026.4.9", Change: func(r *Rules) {
		r.Failures.GoodByAuthKey = true
		r.Rotation.RateLimitCap = true
		r.Pins.SourceFirst = true
	}},
	release.Step[Rules]{Line: "2026.4.24", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(r.Providers.AuthAliases,
			"claude-cli", "anthropic",
			"minimax-api", "minimax", "minimax-cloud", "minimax", "minimax-api-lightning", "minimax", "minimax-api-key-cn", "minimax",
			"codex-cli", "openai-codex", "openai-codex-import", "openai-codex",
			"modelstudio-standard-api-key", "qwen", "modelstudio-standard-api-key-cn", "qwen",
			"modelstudio-api-key", "qwen", "modelstudio-api-key-cn", "qwen",
		)
		r.Order.AuthKeyFirst = true
		r.Pins.ProviderByAuthKey = true
	}},
	release.Step[Rules]{Line: "2026.4.26", Change: func(r *Rules) {
		r.Windows.KnownReasons = []Reason{
			failure.AuthPermanent, failure.Auth, failure.Billing, failure.Format, failure.ModelNotFound,
			failure.Overloaded, failure.Timeout, failure.RateLimit,
			failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified, failure.Unknown,
		}
		r.Failures.CodexProbe.Reasons = []Reason{
			failure.RateLimit, failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified, failure.Unknown,
		}
	}},
	release.Step[Rules]{Line: "2026.4.29", Change: func(r *Rules) {
		r.Failures.PruneOnWrite = true
		r.Failures.PruneOrder = true
	}},
	release.Step[Rules]{Line: "2026.5.4", Change: func(r *Rules) {
		r.Pins.ReplaceUnusable = true
	}},
	release.Step[Rules]{Line: "2026.5.7", Change: func(r *Rules) {
		r.Eligibility.RefMarkers = true
	}},
	release.Step[Rules]{Line: "2026.5.12", Change: func(r *Rules) {
		r.Store.RunBehind = true
		r.Providers.Synonyms = names(r.Providers.Synonyms,
			"anthropic-cli", "claude-cli", "moonshotai", "moonshot", "moonshot-ai", "moonshot",
		)
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
	}},
	release.Step[Rules]{Line: "2026.5.18", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(r.Providers.AuthAliases, "minimax-cn", "minimax", "minimax-portal-cn", "minimax-portal")
		r.Eligibility.RefDollar = true
		r.Eligibility.OAuthRef = RefIgnored
		r.Failures.Coerce = true
	}},
	release.Step[Rules]{Line: "2026.5.28", Change: func(r *Rules) {
		r.Providers.Synonyms = nil
		r.Providers.AuthAliases = names(r.Providers.AuthAliases, "moonshotai", "moonshot", "moonshot-ai", "moonshot")
		r.Eligibility.ConfigOnlyAWS = AWSAuth
		r.Failures.CodexProbe.WholeReset = true
		r.Failures.EmptyModel = false
		r.Rotation.CapAsksRun = true
	}},
	release.Step[Rules]{Line: "2026.6.1", Change: func(r *Rules) {
		r.Providers.AuthAliases = names(release.Without(r.Providers.AuthAliases, "codex-cli", "openai-codex-import"),
			"novita-ai", "novita", "novitaai", "novita",
			"gmi-cloud", "gmi", "gmicloud", "gmi", "qwen-cli", "qwen-oauth", "qwen-portal", "qwen-oauth",
		)
		r.Eligibility.OAuthRef = RefUnresolved
		r.Eligibility.ExpiresWithinDate = true
		r.Eligibility.OpenAIKeyForCodex = false
		r.Order.CodexAlias = false
		r.Order.MissingRepair = RepairOrStoredOrder
		r.Windows.WithinDate = true
		r.Windows.ModelScoped = []Reason{failure.RateLimit, failure.Timeout}
		r.Windows.ScopedUnlessBlock = true
		r.Failures.CodexProbe.Provider = providerOpenAI
		r.Rotation.GivenUp = GivenUpReason
		r.Rotation.LoginHints = []ProviderID{
			"alibaba", "anthropic", "arcee", "byteplus", "cerebras", "chutes", "cloudflare-ai-gateway", "comfy", "copilot-proxy", "deepinfra",
			"deepseek", "fal", "fireworks", "github-copilot", "gmi", "google", "google-gemini-cli", "google-vertex", "huggingface", "kilocode",
			"kimi", "litellm", "lmstudio", "microsoft-foundry", "minimax", "minimax-portal", "mistral", "moonshot", "novita", "nvidia", "ollama",
			"ollama-cloud", "openai", "opencode", "opencode-go", "openrouter", "qianfan", "qwen", "qwen-oauth", "runway", "sglang", "stepfun",
			"stepfun-plan", "synthetic", "tencent-tokenhub", "together", "venice", "vercel-ai-gateway", "vllm", "volcengine", "vydra", "xai",
			"xiaomi", "xiaomi-token-plan", "zai",
		}
	}},
	release.Step[Rules]{Line: "2026.6.5", Change: func(r *Rules) {
		r.Failures.PruneOrder = false
		r.Failures.IntegerWindows = true
	}},
	release.Step[Rules]{Line: "2026.6.9", Change: func(r *Rules) {
		r.Providers.AuthAliases = release.Without(r.Providers.AuthAliases,
			"modelstudio-standard-api-key", "modelstudio-standard-api-key-cn", "modelstudio-api-key", "modelstudio-api-key-cn",
			"gmi-cloud", "gmicloud", "qwen-cli", "qwen-portal",
		)
		r.Rotation.LoginHints = append(without(r.Rotation.LoginHints,
			"arcee", "cerebras", "chutes", "cloudflare-ai-gateway", "deepinfra", "deepseek", "gmi", "kilocode", "kimi", "qianfan",
			"qwen", "qwen-oauth", "stepfun", "stepfun-plan",
		), "cohere")
	}},
	release.Step[Rules]{Line: "2026.6.11", Change: func(r *Rules) {
		r.Providers.AuthAliases = release.Without(r.Providers.AuthAliases, "moonshotai", "moonshot-ai")
		r.Rotation.LoginHints = without(r.Rotation.LoginHints, "fireworks", "moonshot", "tencent-tokenhub", "venice", "vercel-ai-gateway", "zai")
	}},
	release.Step[Rules]{Line: "2026.6.33", Change: func(r *Rules) {
		r.Eligibility.MalformedAPIKey = true
		r.Failures.IgnoreNoDetails = true
	}},
	release.Step[Rules]{Line: "2026.6.35", Change: func(r *Rules) {
		r.Failures.CodexProbe.Unexpired = true // 2026.6.33 to 6.35 came after 2026.7.1, which lacks it
	}},
	release.Step[Rules]{Line: "2026.7.1", Change: func(r *Rules) {
		r.Failures.CodexProbe.Unexpired = false
		r.Pins.MonotoneUpdatedAt = true
		r.Rotation.LoginHints = append(slices.Clone(r.Rotation.LoginHints), "clawrouter", "meta")
	}},
	release.Step[Rules]{Line: "2026.7.33", Change: func(r *Rules) {
		r.Failures.CodexProbe.Unexpired = true
	}},
	release.Step[Rules]{Line: "2026.8.1", Change: func(r *Rules) {
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
	release.Step[Rules]{Line: "2026.9.2", Change: func(r *Rules) {
		r.Windows.ClearKeepsRate = true
		r.Failures.RateLimitDoubling = true
		r.Failures.BillingMinutes = 10
		r.Failures.CodexProbe.Rewritten = true
		r.Pins.KeylessUserRoute = true
		r.Pins.PreferEarlier = true
		r.Pins.OrderForModel = true
	}},
	release.Step[Rules]{Line: "2026.9.3", Change: func(r *Rules) {
		r.Pins.MissingIntent = true
	}},
	release.Step[Rules]{Line: "2026.9.4", Change: func(r *Rules) {
		r.Pins.CommandAsksMain = false
	}},
	release.Step[Rules]{Line: "2026.9.5", Change: func(r *Rules) {
		r.Eligibility.RefreshFence = true
		r.Eligibility.SetupReplacement = true
		r.Failures.BlockShieldsRate = true
		r.Failures.SuccessProbeTime = true
		r.Failures.ClearOp = ClearNone
		r.Failures.CooldownOp = false
	}},
	release.Step[Rules]{Line: "2026.9.6", Change: func(r *Rules) {
		r.Failures.NoBackoffFloor = true
		r.Rotation.NoBillingProbe = true
		r.Rotation.GivenUp = GivenUpProfile
		r.Pins.CompactionRotates = false
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

// without returns a list less some of its items, as a new one.
func without(list []ProviderID, gone ...ProviderID) []ProviderID {
	return slices.DeleteFunc(slices.Clone(list), func(id ProviderID) bool { return slices.Contains(gone, id) })
}
