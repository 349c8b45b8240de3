package lines

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// table has the steps. The recorded answers parse, candidates, selection and
// walk of each line are its proof. No walk is recorded before 2026.3.13: older
// releases get the rules of that line, the nearest known.
var table = release.NewTable(nil,
	release.Step[Rules]{Line: "2026.1.29", Change: base},
	release.Step[Rules]{Line: "2026.3.13", Change: func(r *Rules) {
		r.Follows = ""
	}},
	release.Step[Rules]{Line: "2026.3.22", Change: func(r *Rules) {
		r.References.ProfileSuffixes = []SuffixKind{SuffixDate}
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs, map[auth.ProviderID]ModelIDPolicy{
			"xai": {Aliases: release.With(grokFast(), grok420())},
		})
		r.Selection.Stored = StoredNormalized
		r.Selection.WholeCatalog = false
	}},
	release.Step[Rules]{Line: "2026.3.28", Change: func(r *Rules) {
		r.Walk.Exhausted = ExhaustedSummary
	}},
	release.Step[Rules]{Line: "2026.4.1", Change: func(r *Rules) {
		r.Walk.LiveSwitch = SwitchRecord
	}},
	release.Step[Rules]{Line: "2026.4.5", Change: func(r *Rules) {
		r.References.DefaultProvider, r.References.DefaultModel = "openai", "gpt-5.4"
		r.References.BareProvider = ""
		r.Selection.Stored = StoredParsed
	}},
	release.Step[Rules]{Line: "2026.4.7", Change: func(r *Rules) {
		r.References.ProfileSuffixes = []SuffixKind{SuffixDate, SuffixQuant}
	}},
	release.Step[Rules]{Line: "2026.4.9", Change: func(r *Rules) {
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs, map[auth.ProviderID]ModelIDPolicy{"huggingface": {Strip: "huggingface/"}})
		r.References.Inference = InferRaw
		r.Selection.KeepsSource = false
		r.Selection.CronInherits = true
		r.Persist.Fields = []string{
			"providerOverride", "modelOverride", "modelOverrideSource", "authProfileOverride", "authProfileOverrideSource",
		}
	}},
	release.Step[Rules]{Line: "2026.4.14", Change: func(r *Rules) {
		r.Selection.StartsOnOverride = true
	}},
	release.Step[Rules]{Line: "2026.4.20", Change: func(r *Rules) {
		r.Selection.DropsAuto = true
	}},
	release.Step[Rules]{Line: "2026.4.23", Change: func(r *Rules) {
		r.References.DefaultModel = "gpt-5.5"
	}},
	release.Step[Rules]{Line: "2026.4.24", Change: func(r *Rules) {
		r.Walk.RawFirst = true
	}},
	release.Step[Rules]{Line: "2026.4.26", Change: func(r *Rules) {
		r.Selection.DropsAuto = false
		r.Walk.LiveSwitch = SwitchJump
	}},
	release.Step[Rules]{Line: "2026.4.27", Change: func(r *Rules) {
		r.References.BuiltInIDs = nil
		r.Selection.StrictAgent = true
		r.Selection.SourcePolicy = true
		r.Walk.Steps = true
	}},
	release.Step[Rules]{Line: "2026.4.29", Change: func(r *Rules) {
		r.References.ProfileSuffixes = []SuffixKind{SuffixDate, SuffixQuant, SuffixIQuant}
		r.References.OpenRouter = true
		r.References.ExactProvider = true
		r.References.AliasSlash = true
		r.References.ManifestIndex = true
		r.References.ManifestIDs = release.With(googleIDs(geminiOld(), true, false, "google", "google-vertex"), map[auth.ProviderID]ModelIDPolicy{
			"anthropic":         {Aliases: claudeDotted(), AnyCase: true},
			"huggingface":       {Strip: "huggingface/"},
			"nvidia":            {Prefix: "nvidia/"},
			"openrouter":        {Prefix: "openrouter/"},
			"vercel-ai-gateway": vercelClaude(),
			"xai":               {Aliases: release.With(grokFast(), grok420()), AnyCase: true},
		})
		r.Candidates.RequestedAlias = AliasAny
		r.Candidates.ImageProvider = true
		r.Selection.ResetNamed = true
		r.Selection.AllowBare = true
		r.Walk.Respelled = false
		r.Walk.Transient = []auth.Reason{
			failure.RateLimit, failure.Overloaded, failure.Timeout, failure.Unknown, failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified,
		}
		r.Walk.RawEmpty = true
		r.Persist.Fields = append(slices.Clone(r.Persist.Fields), "authProfileOverrideCompactionCount")
	}},
	release.Step[Rules]{Line: "2026.5.3", Change: func(r *Rules) {
		r.References.ManifestIndex = false
	}},
	release.Step[Rules]{Line: "2026.5.12", Change: func(r *Rules) {
		r.References.SkipWildcards = true
		r.References.ManifestIDs = release.With(r.References.ManifestIDs,
			googleIDs(geminiMay(), true, false, "google", "google-vertex", "google-gemini-cli"))
		r.References.BuiltInIDs = googleIDs(geminiMay(), false, true, "google", "google-vertex", "google-gemini-cli")
		r.References.Inference = InferNormalized
		r.Candidates.RequestedAlias = AliasGuarded
		r.Candidates.SameProvider = false
		r.Selection.Origins = true
		r.Selection.StaleHeartbeat = true
		r.Selection.Wildcards = true
		r.Selection.FinalCheck = true
		r.Selection.Renormalizes = true
		r.Retry = RetryRules{RateLimit: Retry{Requests: 4, Seconds: 14}, Server: Retry{Requests: 3}}
		r.Walk.LaneTimeoutEnds = true
		r.Runtime.Pins = true
		r.Runtime.CodexForOpenAI = "openai-codex"
		r.Selection.CronLists = true
		r.Walk.BillingText = "is in cooldown (suspending lanes)"
		r.Walk.CooldownText = "is in cooldown (suspending lanes)"
		r.Persist.Fields = append(slices.Clone(r.Persist.Fields),
			"modelOverrideFallbackOriginProvider", "modelOverrideFallbackOriginModel")
	}},
	release.Step[Rules]{Line: "2026.5.18", Change: func(r *Rules) {
		r.Selection.SourcelessAuto = true
		r.Selection.Reprobe = true
	}},
	release.Step[Rules]{Line: "2026.5.26", Change: func(r *Rules) {
		r.References.ManifestIDs = release.With(r.References.ManifestIDs,
			googleIDs(geminiLite(), true, false, "google", "google-vertex", "google-gemini-cli"), map[auth.ProviderID]ModelIDPolicy{
				"anthropic": {Aliases: claudeShort(), AnyCase: true},
				"vercel-ai-gateway": {
					Aliases: claudeShort(), AnyCase: true, Prefix: "anthropic/", PrefixStarts: "claude-",
				},
			})
		r.References.BuiltInIDs = googleIDs(geminiLite(), false, true, "google", "google-vertex", "google-gemini-cli")
	}},
	release.Step[Rules]{Line: "2026.5.28", Change: func(r *Rules) {
		r.References.Primary = PrimaryReparse
		r.References.Inference = InferBoth
		r.References.InferNormal = true
		r.References.ManifestIDs = release.With(r.References.ManifestIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Aliases: claudeMay(), AnyCase: true},
			"xai":       {Aliases: grok420(), AnyCase: true},
		})
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs, map[auth.ProviderID]ModelIDPolicy{
			"openrouter": {Prefix: "openrouter/"},
			"xai":        {Aliases: release.With(grokFast(), grok420()), AnyCase: true},
			"together":   {Aliases: kimi()},
		})
		r.Selection.CodexTwin = "openai-codex"
		r.Selection.SubagentOrder = true
		r.Walk.RatePrimary = true
		r.Persist.VerboseOnly = false
	}},
	release.Step[Rules]{Line: "2026.6.1", Change: func(r *Rules) {
		r.References.SelfPrefix = true
		r.Selection.StaleOriginless = true
		r.Walk.SkipCache = true
		r.Walk.Reauth = true
	}},
	release.Step[Rules]{Line: "2026.6.5", Change: func(r *Rules) {
		r.Walk.SingleProbed = true
	}},
	release.Step[Rules]{Line: "2026.6.10", Change: func(r *Rules) {
		r.Walk.FinalFlag = true
	}},
	release.Step[Rules]{Line: "2026.6.11", Change: func(r *Rules) {
		r.References.ExactBare = true
		r.References.ExactSlash = true
		r.References.Primary = PrimaryBody
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs,
			googleIDs(geminiGemma(), false, true, "google", "google-vertex", "google-gemini-cli"), map[auth.ProviderID]ModelIDPolicy{
				"anthropic":         {Strip: "anthropic/", Aliases: claudeMay(), AnyCase: true},
				"vercel-ai-gateway": {Aliases: claudeMay(), AnyCase: true, Prefix: "anthropic/", PrefixStarts: "claude-"},
				"huggingface":       {Strip: "huggingface/"},
				"nvidia":            {Prefix: "nvidia/"},
			})
		r.Candidates.WithConfig = true
		r.Candidates.Renormalizes = true
		r.Selection.RepeatedProvider = true
		r.Selection.CodexTwin = "openai"
		r.Runtime.CodexForOpenAI = "openai"
		r.Walk.CLIBackends = []auth.ProviderID{"claude-cli", "google-gemini-cli"}

	}},
	release.Step[Rules]{Line: "2026.6.34", Change: func(r *Rules) {
		r.References.DefaultModel = "gpt-5.6-sol" // 2026.6.33 to 6.35 came after 2026.7.1
	}},
	release.Step[Rules]{Line: "2026.7.1", Change: func(r *Rules) {
		r.References.DefaultModel = "gpt-5.5"
		r.References.ProviderAlias = true
		r.References.ManifestIDs = release.With(r.References.ManifestIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Aliases: claudeJuly(), AnyCase: true},
		})
		delete(r.References.ManifestIDs, "vercel-ai-gateway")
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Strip: "anthropic/", Aliases: claudeJuly(), AnyCase: true},
			"vercel-ai-gateway": {
				Aliases: map[string]string{
					"opus-4.6": "claude-opus-4-6", "sonnet-5": "claude-sonnet-5", "sonnet": "claude-sonnet-4-6", "sonnet-4.6": "claude-sonnet-4-6",
				},
				AnyCase: true, Prefix: "anthropic/", PrefixStarts: "claude-",
			},
		})
		r.Walk.RawEmpty = false
		r.Walk.CauseCode = true
		r.Retry.RateLimit = Retry{Requests: 1}
		r.Selection.CronSubagents = true
		r.Runtime.Override = true
	}},
	release.Step[Rules]{Line: "2026.8.1", Change: func(r *Rules) {
		r.References.DefaultModel = "gpt-5.6-sol"
		r.References.AgentEntries = true
		r.References.ManifestIDs = release.With(r.References.ManifestIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Aliases: claudeAugust(), AnyCase: true},
			"xai":       {Aliases: grokLatest(), AnyCase: true},
		})
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Strip: "anthropic/", Aliases: claudeAugust(), AnyCase: true},
			"xai":       {Aliases: release.With(grokFast(), grokLatest()), AnyCase: true},
		})
		r.Selection.Routes = true
		r.Selection.ActiveParent = true
		r.Selection.Policy = true
		r.Walk.BillingText, r.Walk.CooldownText = "is in cooldown", "is in cooldown"
		r.Walk.LiveSwitch = SwitchInside
		r.Walk.Exhausted = ExhaustedFailover
	}},
	release.Step[Rules]{Line: "2026.8.2", Change: func(r *Rules) {
		r.References.ExactSlash = false
		r.References.AliasPerModel = true
		r.References.AgentModels = true
		r.References.FirstProvider = FirstUnlessModel
		r.Candidates.RequestedAlias = AliasUnlessRow
		r.Candidates.Resolved = ResolvedNormalized
		r.Candidates.Agent = true
		r.Selection.Locked = true
		r.Walk.TLSExcludes = true
		r.Walk.StrictTTL = true
		r.Selection.SpawnSubFirst = true
		r.Persist.Fields = nil
		r.Persist.NotInGroups = true
		r.Persist.NoticeObject = true
	}},
	release.Step[Rules]{Line: "2026.9.2", Change: func(r *Rules) {
		r.Walk.SoonestKeeps = true
	}},
	release.Step[Rules]{Line: "2026.9.4", Change: func(r *Rules) {
		r.Selection.DefaultSource = true
	}},
	release.Step[Rules]{Line: "2026.9.5", Change: func(r *Rules) {
		r.References.DefaultModel = "gpt-6-astra"
		r.Candidates.Renormalizes = false
		r.Candidates.Resolved = ResolvedVerbatim
		r.Selection.VerbatimRoutes = true
		r.Selection.Renormalizes = false
		r.Selection.AutoBypasses = true
	}},
	release.Step[Rules]{Line: "2026.9.6", Change: func(r *Rules) {
		r.Selection.KeyOwner = true
		r.Retry = RetryRules{
			RateLimit: Retry{Requests: 10, Seconds: 134}, Server: Retry{Requests: 9, Seconds: 90, Within: true},
			Timeouts: true, Waits: []int{1, 2, 4, 8, 16, 26, 26, 26, 26},
		}
		r.References.Primary = PrimaryScoped
		r.References.InferExact = true
		r.References.FirstProvider = FirstNonUtility
		r.References.ManifestIDs = release.With(r.References.ManifestIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Aliases: claudeSeptember(), AnyCase: true},
			"xai":       {Aliases: release.With(grokLatest(), map[string]string{"grok-4.7-latest": "grok-4.7"}), AnyCase: true},
		})
		r.References.BuiltInIDs = release.With(r.References.BuiltInIDs, map[auth.ProviderID]ModelIDPolicy{
			"anthropic": {Strip: "anthropic/", Aliases: claudeSeptember(), AnyCase: true},
		})
		r.Candidates.ByPair = true
		r.Selection.ByPair = true
		r.Selection.SpawnDepth = true
		r.Walk.SkipCode = "MODEL_FALLBACK_SKIPPED"
		r.Walk.CacheScope = true
		r.Walk.LoginHints = map[auth.ProviderID]string{
			"google-gemini-cli": "Authenticate in Gemini CLI directly, or configure a supported Google API key with: openclaw configure",
		}
	}},
)

func base(r *Rules) {
	r.Follows = "2026.3.13"
	r.References = RefRules{
		DefaultProvider: "anthropic",
		DefaultModel:    "claude-opus-4-6",
		BuiltInIDs: release.With(googleIDs(geminiOld(), false, false, "google", "google-vertex"), map[auth.ProviderID]ModelIDPolicy{
			"anthropic":  {Aliases: claudeDotted(), AnyCase: true},
			"openrouter": {Prefix: "openrouter/"},
			"vercel-ai-gateway": {
				Aliases: claudeDotted(), AnyCase: true, Prefix: "anthropic/", PrefixStarts: "claude-", AllOrNothing: true,
			},
		}),
		Primary:       PrimaryText,
		BareProvider:  "anthropic",
		Inference:     InferNever,
		FirstProvider: FirstUnlessKey,
	}
	r.Candidates = CandidateRules{RequestedAlias: AliasNever, SameProvider: true, Resolved: ResolvedUnknown}
	r.Selection = SelectionRules{Stored: StoredAsIs, WholeCatalog: true, KeepsSource: true}
	r.Walk = WalkRules{
		Transient:    []auth.Reason{failure.RateLimit, failure.Overloaded, failure.Unknown},
		Respelled:    true,
		BillingText:  "has billing issue (skipping all models)",
		CooldownText: "is in cooldown (all profiles unavailable)",
		LiveSwitch:   SwitchNone,
		Exhausted:    ExhaustedError,
	}
	r.Persist.VerboseOnly = true
}
