// Package lines says what differs from release to release in how OpenClaw
// chooses and tries models: Rules, and the table of their steps.
package lines

import "openclaw-auth/auth"

// Rules say which models a run tries, and when it gives one up.
type Rules struct {
	Follows string `json:"follows" about:"the release whose recorded chains these rules are; empty: its own"`

	References RefRules       `json:"references"`
	Candidates CandidateRules `json:"candidates"`
	Selection  SelectionRules `json:"selection"`
	Walk       WalkRules      `json:"walk"`
	Persist    PersistRules   `json:"persist"`
	Runtime    RuntimeRules   `json:"runtime"`
	Retry      RetryRules     `json:"retry"`
}

// RetryRules say how often a request is repeated with the same profile. They
// were measured on real runs of 2026.5.12, 7.1 and 9.6; those for other errors
// than rate limits on 9.6 were read.
type RetryRules struct {
	RateLimit Retry `json:"rateLimit" about:"a plain 429"`
	Server    Retry `json:"server" about:"a 529 or another 5xx, and a connection that is reset"`
	Timeouts  bool  `json:"timeouts" about:"a timeout is repeated as a server error is"`
	Waits     []int `json:"waits" about:"seconds before each repetition, on average; retry.provider.maxRetries of the agent's settings.json then sets their number"`
}

// Retry is how often one call with one profile is made before it counts as
// failed, and how long that takes.
type Retry struct {
	Requests int  `json:"requests"`         // at most; 1: none is repeated; 0: not known
	Seconds  int  `json:"seconds"`          // from the first request to the last, without the provider's own time
	Within   bool `json:"within,omitempty"` // repeated only as long as the seconds allow
}

// RuntimeRules say what runs a model.
type RuntimeRules struct {
	Pins           bool            `json:"pins" about:"agentRuntime.id beside a model or a provider chooses its runtime"`
	Override       bool            `json:"override" about:"agentRuntimeOverride of a session chooses it first"`
	CodexForOpenAI auth.ProviderID `json:"codexForOpenai" about:"openai at its own address runs on the codex runtime, with the profiles of this provider; empty: it does not"`
}

// RefRules say what a model reference names.
type RefRules struct {
	DefaultProvider auth.ProviderID `json:"defaultProvider" about:"provider of a model that names none, where nothing is configured"`
	DefaultModel    string          `json:"defaultModel" about:"model that runs where nothing is configured"`

	ProfileSuffixes []SuffixKind `json:"profileSuffixes" about:"what after an @ belongs to the model id and is no auth profile"`
	OpenRouter      bool         `json:"openrouterShorthand" about:"openrouter:auto and openrouter:free name models"`
	ExactProvider   bool         `json:"exactProvider" about:"a key of models.providers with an api of its own is taken as written, without synonyms"`
	ExactBare       bool         `json:"exactBare" about:"a model without provider is tried against such a key too"`
	ExactSlash      bool         `json:"exactSlash" about:"a text that starts with a slash counts as a model without provider there"`

	BuiltInIDs    map[auth.ProviderID]ModelIDPolicy `json:"builtInIds" about:"other spellings of model ids that the program knows"`
	ManifestIDs   map[auth.ProviderID]ModelIDPolicy `json:"manifestIds" about:"other spellings of model ids that the bundled plugins declare; applied before the built-in ones"`
	ManifestIndex bool                              `json:"manifestNeedsIndex" about:"an npm install finds the plugins' spellings only through plugins/installs.json"`
	SelfPrefix    bool                              `json:"selfPrefix" about:"a provider repeated in front of the model id is dropped"`

	AliasSlash    bool `json:"aliasSlash" about:"an alias may contain a slash"`
	ProviderAlias bool `json:"providerAlias" about:"PROVIDER/ALIAS names the aliased model of that provider"`
	SkipWildcards bool `json:"skipWildcards" about:"a key PROVIDER/* of agents.defaults.models is no model"`
	AliasPerModel bool `json:"aliasPerModel" about:"a model has one alias, the last; an empty one takes it away"`
	AgentModels   bool `json:"agentModels" about:"an agent's own models map is read after the default one"`
	AgentEntries  bool `json:"agentEntries" about:"agents.entries, by agent id, replaces agents.list"`

	Primary       PrimaryKind     `json:"primary" about:"how the configured primary is read"`
	BareProvider  auth.ProviderID `json:"bareProvider" about:"provider of a primary that names none; empty: the default provider"`
	Inference     InferKind       `json:"inference" about:"how the provider of a primary that names none is found in the configuration"`
	InferNormal   bool            `json:"inferNormalized" about:"the model id of an inferred primary is normalised"`
	InferExact    bool            `json:"inferExactFirst" about:"an exact match of the model id outranks one in another case"`
	FirstProvider FirstKind       `json:"firstProvider" about:"when the first configured provider stands in for a missing primary"`
}

// SuffixKind is a kind of text after an @ that OpenClaw does not take for an auth profile.
type SuffixKind string

// The kinds of suffixes.
const (
	SuffixDate   SuffixKind = "date"           // @20251001
	SuffixQuant  SuffixKind = "quantization"   // @q8_0, @8bit
	SuffixIQuant SuffixKind = "i-quantization" // @iq4_xs
)

// PrimaryKind says how the text of a configured primary is read.
type PrimaryKind string

// The ways of reading a primary.
const (
	PrimaryText    PrimaryKind = "text"         // ≤2026.5.12: an alias is the whole text
	PrimaryReparse PrimaryKind = "reparse"      // 2026.5.28: an alias may carry a profile; its key is read anew
	PrimaryBody    PrimaryKind = "body"         // 2026.6.11–8.2: a configured provider outranks an alias
	PrimaryScoped  PrimaryKind = "scoped-alias" // 2026.9.6: PROVIDER/ALIAS first, a bare text is resolved like any other
)

// InferKind says which rows of models.providers tell the provider of a bare model id.
type InferKind string

// The ways of inferring.
const (
	InferNever      InferKind = "never"      // ≤2026.3.31
	InferRaw        InferKind = "raw"        // 2026.4.9, 4.29: rows as written
	InferNormalized InferKind = "normalized" // 2026.5.12: rows with their ids normalised
	InferBoth       InferKind = "both"       // 2026.5.28+
)

// FirstKind says when the first configured provider replaces the built-in default model.
type FirstKind string

// The conditions.
const (
	FirstUnlessKey   FirstKind = "no-key"        // ≤2026.7.1: models.providers lacks the default provider's key
	FirstUnlessModel FirstKind = "no-model"      // 2026.8.2: the default provider's row lacks the default model
	FirstNonUtility  FirstKind = "no-model-util" // 2026.9.6: the same; a separate utility model is passed over
)

// ModelIDPolicy turns other spellings of a provider's model ids into the id.
type ModelIDPolicy struct {
	Strip        string            `json:"strip,omitempty" about:"prefix that is dropped, in any case"`
	Keep         string            `json:"keep,omitempty" about:"prefix that may stand before a spelling, any number of times, and stays"`
	Aliases      map[string]string `json:"aliases,omitempty" about:"the id of each other spelling"`
	AnyCase      bool              `json:"anyCase,omitempty" about:"spellings count in any case"`
	Prefix       string            `json:"prefix,omitempty" about:"prefix that an id without a slash gets"`
	PrefixStarts string            `json:"prefixStarts,omitempty" about:"only an id that starts like this gets the prefix"`
	AllOrNothing bool              `json:"allOrNothing,omitempty" about:"an id that does not get the prefix stays as written"`
}

// CandidateRules say which models a run may try.
type CandidateRules struct {
	RequestedAlias RequestedAlias `json:"requestedAlias" about:"when the requested model may be an alias"`
	WithConfig     bool           `json:"withConfig" about:"configured providers keep their spelling, and openrouter:free counts, in fallbacks too"`
	SameProvider   bool           `json:"sameProviderFallbacks" about:"configured fallbacks are left out when the request is for another provider and is none of them"`
	ByPair         bool           `json:"byPair" about:"duplicates are exact pairs of provider and model (before: equal keys)"`
	Renormalizes   bool           `json:"renormalizes" about:"every candidate is normalised when it is added"`
	Resolved       ResolvedKind   `json:"resolved" about:"what is done to a requested model that was resolved before"`
	Agent          bool           `json:"agent" about:"the agent's own fallbacks and primary make the list (before: the defaults' alone)"`
	ImageProvider  bool           `json:"imageProvider" about:"an image model that names no provider belongs to the primary image model's"`
}

// ResolvedKind says what becomes of a request that is marked as resolved.
type ResolvedKind string

// The treatments.
const (
	ResolvedUnknown    ResolvedKind = "unknown"    // ≤2026.7.1: there is no such mark
	ResolvedNormalized ResolvedKind = "normalized" // 2026.8.2: no alias any more
	ResolvedVerbatim   ResolvedKind = "verbatim"   // 2026.9.6: only the provider is lower-cased
)

// RequestedAlias says when a requested pair of provider and model is looked up as an alias.
type RequestedAlias string

// The conditions.
const (
	AliasNever     RequestedAlias = "never"      // ≤2026.4.9
	AliasAny       RequestedAlias = "any"        // 2026.4.29: the model text, whatever provider it names
	AliasGuarded   RequestedAlias = "guarded"    // 2026.5.12–7.1: an alias of the requested provider, or of any one for the default provider
	AliasUnlessRow RequestedAlias = "unless-row" // 2026.8.2+: the same, unless the pair is a configured model
)

// SelectionRules say which model a session runs, and which fallbacks it has.
type SelectionRules struct {
	StrictAgent bool `json:"strictAgent" about:"an agent with a model of its own and no fallbacks list has no fallbacks"`

	Stored           StoredKind `json:"stored" about:"how a session's stored override is read"`
	RepeatedProvider bool       `json:"repeatedProvider" about:"a provider repeated in front of a stored model is dropped"`
	Routes           bool       `json:"routes" about:"an override records whether it was resolved; a raw one may be an alias"`
	VerbatimRoutes   bool       `json:"verbatimRoutes" about:"a resolved override is taken as it is"`
	ActiveParent     bool       `json:"skipActiveParent" about:"the override of a parent that runs on an automatic fallback is not inherited"`
	DefaultSource    bool       `json:"defaultSource" about:"an explicit choice of the default is stored (source default)"`

	DropsAuto        bool            `json:"dropsAuto" about:"a run first forgets an automatic override, and starts on the default"`
	StartsOnOverride bool            `json:"startsOnOverride" about:"the run starts on the stored override even if the allowlist then clears it"`
	Origins          bool            `json:"origins" about:"an automatic override records which model it replaced"`
	StaleHeartbeat   bool            `json:"staleHeartbeat" about:"a heartbeat ends an automatic override whose origin is no longer the default"`
	SourcelessAuto   bool            `json:"sourcelessAuto" about:"an override without source but with its origin is automatic (before: a user's)"`
	StaleOriginless  bool            `json:"staleOriginless" about:"an automatic override without origin is dropped"`
	CodexTwin        auth.ProviderID `json:"codexTwin" about:"an automatic override to this provider's copy of an openai default is dropped; empty: none"`

	WholeCatalog bool `json:"wholeCatalog" about:"without an allowlist an override must be in OpenClaw's own model catalogue"`
	AllowBare    bool `json:"allowBareInferred" about:"an allowlist key without provider gets the one that the configuration names"`
	Wildcards    bool `json:"wildcards" about:"PROVIDER/* allows a provider"`
	Policy       bool `json:"policy" about:"modelPolicy.allow is the allowlist; fallbacks are not added to it"`
	ByPair       bool `json:"byPair" about:"models are compared as pairs of provider and model (before: as keys)"`
	AutoBypasses bool `json:"autoBypasses" about:"an automatic override with its origin need not be in the allowlist"`
	Renormalizes bool `json:"renormalizes" about:"the model that was found is normalised once more"`
	FinalCheck   bool `json:"finalCheck" about:"a model outside the allowlist gives way to the first allowed one"`
	Locked       bool `json:"locked" about:"modelSelectionLocked keeps a session on its override"`
	ResetNamed   bool `json:"resetNamed" about:"a cleared override is reported by name"`
	KeepsSource  bool `json:"keepsSource" about:"clearing an override leaves modelOverrideSource alone, which the line does not know"`

	KeyOwner bool `json:"keyOwner" about:"a session key that names another agent, or none, is refused"`

	SourcePolicy  bool `json:"sourcePolicy" about:"a user's override has no fallbacks, an automatic one has the configured ones (before: any override has them)"`
	SubagentOrder bool `json:"subagentOrder" about:"an automatic override of a sub-agent uses the fallbacks of subagents.model first"`
	SpawnDepth    bool `json:"spawnDepth" about:"spawnDepth, too, makes a session a sub-agent's"`
	SpawnSubFirst bool `json:"spawnSubagentsFirst" about:"a spawned agent prefers the defaults' subagents.model to its own model"`
	CronLists     bool `json:"cronLists" about:"the error of a scheduled job whose model is not allowed names the allowed ones"`
	CronSubagents bool `json:"cronSubagents" about:"a scheduled job that runs a model for sub-agents has the fallbacks beside it"`
	CronInherits  bool `json:"cronInherits" about:"a scheduled job's model has the fallbacks of its agent, else the defaults'"`
	Reprobe       bool `json:"reprobe" about:"a session on an automatic fallback tries its primary again every five minutes"`
}

// StoredKind says how a stored override is read.
type StoredKind string

// The ways of reading one.
const (
	StoredAsIs       StoredKind = "as-is"      // 2026.3.13: provider and model as written
	StoredNormalized StoredKind = "normalized" // 2026.3.31: both normalised
	StoredParsed     StoredKind = "parsed"     // 2026.4.9+: PROVIDER/MODEL read as a reference
)

// WalkRules say what a run does with each candidate, and when it ends.
type WalkRules struct {
	CLIBackends []auth.ProviderID `json:"cliBackends" about:"providers that run on a command line backend: their windows are not looked at"`
	Transient   []auth.Reason     `json:"transient" about:"reasons for which an unavailable provider's other models are still tried, once per run"`

	Respelled    bool `json:"respelledPrimary" about:"a request that is spelled otherwise than its normal form is attempted in a cooldown at once"`
	RatePrimary  bool `json:"rateLimitPrimary" about:"a rate-limited primary is probed without waiting for its recovery"`
	SingleProbed bool `json:"singleProbed" about:"a primary without other candidates is probed"`

	BillingText  string `json:"billingText" about:"how a provider is described whose windows mean billing"`
	CooldownText string `json:"cooldownText" about:"how an unavailable provider is described"`
	SkipCode     string `json:"skipCode" about:"code of an attempt that was skipped"`

	RawFirst        bool       `json:"rawFirst" about:"an attempt is recorded with the provider's own text (before: with OpenClaw's message)"`
	LiveSwitch      SwitchKind `json:"liveSwitch" about:"what a model switch in the middle of a run does"`
	RawEmpty        bool       `json:"emptyRawError" about:"an attempt records the provider's own text even where that is empty"`
	CauseCode       bool       `json:"causeCode" about:"the code of an error is part of the text in which a full context window is looked for"`
	LaneTimeoutEnds bool       `json:"laneTimeoutEnds" about:"the timeout of a task in a command lane ends the run at once"`
	TLSExcludes     bool       `json:"tlsExcludes" about:"an untrusted certificate excludes the provider for the rest of the run"`
	FinalFlag       bool       `json:"finalFlag" about:"the last attempt is told that it is the last"`
	Steps           bool       `json:"steps" about:"the run reports its fallback steps"`

	SkipCache  bool `json:"skipCache" about:"OPENCLAW_FALLBACK_SKIP_TTL_MS keeps a fallback that failed to authenticate out of a session's next runs"`
	StrictTTL  bool `json:"strictTtl" about:"that variable must be a whole number (before: a leading one is enough)"`
	CacheScope bool `json:"skipCacheScope" about:"such a failure counts for the profile that failed"`

	Exhausted    ExhaustedKind              `json:"exhausted" about:"the error that ends a run out of candidates"`
	Reauth       bool                       `json:"reauthHint" about:"that error tells how to authenticate again"`
	LoginHints   map[auth.ProviderID]string `json:"loginHints" about:"what it tells instead for single providers"`
	SoonestKeeps bool                       `json:"soonestKeeps" about:"its time of recovery may be one that has passed, and only candidates that were reached count"`
}

// SwitchKind says what a live model switch does to a run.
type SwitchKind string

// The kinds.
const (
	SwitchNone   SwitchKind = "none"   // ≤2026.3.31: an error like any other
	SwitchRecord SwitchKind = "record" // 2026.4.9: recorded as overloaded
	SwitchJump   SwitchKind = "jump"   // 2026.4.29–7.1: a later candidate is jumped to, any other switch recorded as unknown
	SwitchInside SwitchKind = "inside" // 2026.8.2+: the same, but a model outside the chain ends the run
)

// ExhaustedKind is the class of the error that ends a run out of candidates.
type ExhaustedKind string

// The classes.
const (
	ExhaustedError    ExhaustedKind = "Error"                // 2026.3.13
	ExhaustedSummary  ExhaustedKind = "FallbackSummaryError" // 2026.3.31–7.1
	ExhaustedFailover ExhaustedKind = "FailoverError"        // 2026.8.2+
)

// PersistRules say what a fallback leaves in the session.
type PersistRules struct {
	Fields       []string `json:"fields" about:"members of the session entry that a fallback writes before it runs; empty: it is for the turn only"`
	VerboseOnly  bool     `json:"noticeVerboseOnly" about:"the fallback notice is only shown in verbose sessions"`
	NotInGroups  bool     `json:"noticeNotInGroups" about:"the fallback notice is not shown in groups and channels"`
	NoticeObject bool     `json:"noticeObject" about:"the entry keeps the last notice as one object (before: three members)"`
}

// Of returns the chain's rules on the line of the profiles' rules.
func Of(r *auth.Rules) *Rules { return table.At(r.Line) }
