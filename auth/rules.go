package auth

import "openclaw-auth/auth/release"

// Rules is how one release line of OpenClaw behaves, as data. Engine code asks
// fields and never a version. The about tags are the fields' documentation;
// `openclaw-auth rules show` prints them. rules_table.go fills the fields.
type Rules struct {
	// Line is the release the rules were recorded on, such as "2026.5.12".
	Line string `json:"line"`

	Providers   ProviderRules    `json:"providers"`
	Eligibility EligibilityRules `json:"eligibility"`
	Order       OrderRules       `json:"order"`
	Windows     WindowRules      `json:"windows"`
	Failures    FailureRules     `json:"failures"`
	Rotation    RotationRules    `json:"rotation"`
	Pins        PinRules         `json:"pins"`
	Store       StoreRules       `json:"store"`
}

// ProviderRules say which spellings name the same provider.
type ProviderRules struct {
	Synonyms    map[string]ProviderID `json:"synonyms" about:"other spellings of a provider id; every comparison of providers applies them"`
	AuthAliases map[string]ProviderID `json:"authAliases" about:"providers that use another provider's credentials; eligibility, profile listing and pins apply them"`
}

// EligibilityRules say when a profile may serve a provider at all.
type EligibilityRules struct {
	ReasonCodes        bool      `json:"reasonCodes" about:"OpenClaw names the reason of an exclusion (before, it only answers yes or no)"`
	SecretRefs         bool      `json:"secretRefs" about:"a keyRef or tokenRef counts as a credential"`
	RefSources         []string  `json:"refSources" about:"sources that a keyRef or tokenRef may name"`
	RefDollar          bool      `json:"refDollar" about:"a ref may be written as $NAME, not only as ${NAME}"`
	RefMarkers         bool      `json:"refMarkers" about:"a ref may be written as secretref-env:NAME or __env__:NAME"`
	UnknownTypeIsOAuth bool      `json:"unknownTypeIsOAuth" about:"a credential of unknown type is judged as an OAuth one (before: never eligible)"`
	InvalidExpires     bool      `json:"invalidExpires" about:"a token whose expires is not a positive number is excluded (before: such a value is ignored)"`
	ExpiresWithinDate  bool      `json:"expiresWithinDate" about:"a token whose expires is beyond JavaScript's last date is excluded"`
	MalformedAPIKey    bool      `json:"malformedApiKey" about:"an API key that is a pasted onboard command is excluded"`
	ConfigOnlyAWS      AWSPolicy `json:"configOnlyAws" about:"when a profile that only the configuration knows, mode aws-sdk, is eligible"`
	OAuthRef           RefPolicy `json:"oauthRef" about:"what an OAuth profile without tokens but with an oauthRef is"`
	RefreshFence       bool      `json:"refreshFence" about:"an OAuth profile that holds a refresh fence in place of tokens counts as expired"`
	SetupReplacement   bool      `json:"setupReplacement" about:"a credential that replaces another in an unfinished setup is inactive"`
	OpenAIKeyForCodex  bool      `json:"openaiKeyForCodex" about:"an OpenAI API key also serves openai-codex"`
}

// AWSPolicy says when an aws-sdk profile without a stored credential is eligible.
type AWSPolicy string

// The policies of config-only aws-sdk profiles.
const (
	AWSNever         AWSPolicy = "never"            // ≤2026.4.29
	AWSBedrockOrAuth AWSPolicy = "bedrock-or-auth"  // 2026.5.12: amazon-bedrock without a configured auth, or auth aws-sdk
	AWSAuth          AWSPolicy = "auth"             // 2026.5.28–7.1: only where models.providers says auth aws-sdk
	AWSAuthOfAuthKey AWSPolicy = "auth-of-auth-key" // 2026.8.2+: the same, looked up by the auth alias
)

// RefPolicy says what an OAuth credential with an oauthRef and no tokens is.
type RefPolicy string

// The policies of an OAuth reference.
const (
	RefIgnored    RefPolicy = "ignored"    // missing_credential
	RefSidecar    RefPolicy = "sidecar"    // 2026.5.12: eligible, the tokens are in an encrypted sidecar file
	RefUnresolved RefPolicy = "unresolved" // 2026.6.11+: unresolved_ref
)

// OrderRules say how the rotation order of a provider is made.
type OrderRules struct {
	AuthKeyFirst     bool         `json:"authKeyFirst" about:"an order is looked up by the auth alias first, then by the provider itself (before: only by the provider)"`
	CodexAlias       bool         `json:"codexAlias" about:"openai-codex without an order of its own uses the order of openai, its own profiles added"`
	MissingRepair    RepairPolicy `json:"missingRepair" about:"when an order whose ids are all missing from the store gives way to the stored profiles"`
	ExpiredOAuthLast bool         `json:"expiredOAuthLast" about:"without an explicit order, OAuth profiles whose access token has expired come after the other OAuth profiles"`
	ModelAware       bool         `json:"modelAware" about:"a window of another model does not send a profile to the end of the order"`
}

// RepairPolicy says when an order of missing ids only is replaced by the stored profiles.
type RepairPolicy string

// The repair policies.
const (
	RepairNever          RepairPolicy = "never"                     // 2026.1.30
	RepairConfigProfiles RepairPolicy = "config-profiles"           // 2026.2.26–5.28: when auth.profiles names the provider
	RepairOrStoredOrder  RepairPolicy = "config-profiles-or-stored" // 2026.6.11+: or when the order is the stored one; the result is sorted as without an order
)

// WindowRules say when a profile is unavailable: cooldown, disable and block windows.
type WindowRules struct {
	ClearsExpired      bool         `json:"clearExpired" about:"computing an order clears expired windows and their counters, in memory"`
	ClearKeepsRate     bool         `json:"clearKeepsRateLimitCount" about:"clearing windows and resetting counters keep the rate_limit count"`
	Bypass             []ProviderID `json:"bypass" about:"providers whose profiles are never held back: failures are not recorded, windows on disk are ignored"`
	Blocked            bool         `json:"blocked" about:"blockedUntil (a subscription limit with a known reset) is a window"`
	BlockedScope       bool         `json:"blockedScope" about:"a block may be scoped to one model"`
	WithinDate         bool         `json:"withinDate" about:"a time beyond JavaScript's last date is no window"`
	Reasons            bool         `json:"cooldownReasons" about:"a cooldown stores its reason and model"`
	ModelScoped        []Reason     `json:"modelScoped" about:"cooldown reasons that hold a profile back for one model only"`
	ScopedUnlessBlock  bool         `json:"scopedUnlessBlocked" about:"an active block ends the exemption of other models from a cooldown"`
	SoonestSameModel   bool         `json:"soonestSameModel" about:"of rate limits on the asked model the latest counts for the soonest recovery, not the earliest"`
	KnownReasons       []Reason     `json:"knownReasons" about:"reasons that explain an unavailable provider, the one that wins a tie first"`
	CooldownReasonWins bool         `json:"cooldownReasonWins" about:"a cooldown's own reason explains it, not its failure counts"`
	UncountedReason    Reason       `json:"uncountedReason" about:"the reason of a cooldown that counted no failure"`
	Classification     bool         `json:"cooldownClassification" about:"a cooldown stores why a Codex token was refused"`
}

// FailureRules say what a failure, a success and a clear write.
type FailureRules struct {
	KeepActiveWindow  bool       `json:"keepActiveWindow" about:"a failure inside a window does not move the window's end"`
	LapseResets       bool       `json:"lapseResets" about:"a failure after the window has passed counts from one again, so that a ladder is climbed only by failures that are counted inside a window, and a billing disable hardly ever doubles (the documentation says that both climb with every failure)"`
	ShortLadder       bool       `json:"shortLadder" about:"cooldowns of 30 s, 1 min, 5 min (before: 1 min, 5 min, 25 min, 1 h; the documentation went on saying so until 2026.5)"`
	RateLimitDoubling bool       `json:"rateLimitDoubling" about:"rate limits double from 30 s to 24 h, counted until a success"`
	AuthPermanent     LaneKind   `json:"authPermanentLane" about:"which window a permanent auth failure opens"`
	Configurable      bool       `json:"configurable" about:"auth.cooldowns of the configuration counts (later: ignored)"`
	BillingMinutes    float64    `json:"billingMinutes" about:"first billing disable, minutes"`
	BillingMaxMinutes float64    `json:"billingMaxMinutes" about:"longest billing disable, minutes"`
	NoBackoffFloor    bool       `json:"noBackoffFloor" about:"a disable may be shorter than a minute"`
	IntegerWindows    bool       `json:"integerWindows" about:"window ends are whole milliseconds within JavaScript's dates"`
	IgnoreNoDetails   bool       `json:"ignoreNoErrorDetails" about:"no_error_details is not recorded"`
	BlockShieldsRate  bool       `json:"blockShieldsRateLimit" about:"a rate limit inside a subscription block changes nothing"`
	CodexProbe        ProbeRules `json:"codexProbe" about:"the Codex usage probe, which openclaw-auth never sends"`
	SingleSuccess     bool       `json:"singleSuccess" about:"success is one write that checks the provider (before: lastGood and lastUsed apart)"`
	GoodByAuthKey     bool       `json:"goodByAuthKey" about:"lastGood is kept under the auth alias (before: the provider as spelled, which must match exactly)"`
	SuccessProbeTime  bool       `json:"successProbeTime" about:"a success sets lastProbeAt"`
	SuccessMergesGood bool       `json:"successMergesGood" about:"a success replaces lastGood under other spellings of the provider"`
	CooldownOp        bool       `json:"cooldownOp" about:"OpenClaw has an operation that cools a profile down without a reason"`
	ClearOp           ClearKind  `json:"clearOp" about:"what OpenClaw's own clear operation removes"`
	Coerce            bool       `json:"coerce" about:"a write drops usage fields that OpenClaw does not know"`
	PruneOnWrite      bool       `json:"pruneOnWrite" about:"a write drops usage and lastGood of profiles that the agent's own store lacks"`
	PruneOrder        bool       `json:"pruneOrder" about:"a write drops such profiles from the stored order too"`
	KeepInlineKeys    bool       `json:"keepInlineKeys" about:"usage of API keys in the configuration (inline-api-key:PROVIDER) is kept"`
	EmptyModel        bool       `json:"emptyModel" about:"an empty model name is stored as such"`
}

// LaneKind names the window that a permanent auth failure opens.
type LaneKind string

// The lanes of auth_permanent.
const (
	LaneCooldown LaneKind = "cooldown"         // 2026.1.30: the ladder
	LaneBilling  LaneKind = "disabled-billing" // 2026.2.26–3.31: a disable with billing's backoff
	LaneOwn      LaneKind = "disabled"         // 2026.4.9+: a disable of 10 to 60 minutes
)

// ClearKind names what the clear operation of a line removes.
type ClearKind string

// The clear operations.
const (
	ClearNone     ClearKind = "none"     // 2026.2.26, 3.13 and 9.6 have none
	ClearCooldown ClearKind = "cooldown" // 2026.1.30: errorCount and cooldownUntil
	ClearAll      ClearKind = "all"      // 2026.3.31–8.2: every window and counter
)

// ProbeRules describe the usage probe that a failure of a Codex OAuth profile triggers.
type ProbeRules struct {
	Provider   ProviderID `json:"provider" about:"provider whose OAuth profiles are probed; empty: none"`
	Reasons    []Reason   `json:"reasons" about:"failure reasons that trigger it"`
	Unexpired  bool       `json:"unexpired" about:"only while the access token is valid"`
	HalfReset  bool       `json:"halfReset" about:"an exhausted window cools down for half its remaining time, 4 h at most"`
	Blocks     bool       `json:"blocks" about:"an exhausted window blocks the profile until its reset"`
	WholeReset bool       `json:"wholeReset" about:"a fractional reset time is refused"`
	Timestamp  bool       `json:"timestamp" about:"a probe sets lastProbeAt"`
	Classifies bool       `json:"classifies" about:"a refused token is stored as such"`
	Rewritten  bool       `json:"rewritten" about:"2026.9.6: every exhausted window counts, a failed probe leaves rate limits and blocks alone"`
}

// RotationRules say how many profiles of a provider one candidate of the model
// chain tries. They stand here and not among lines.Rules (chain/lines) because the order of
// profiles says less than it seems without them.
type RotationRules struct {
	OverloadCap  bool `json:"overloadCap" about:"after one more profile an overloaded provider gives way to the next model (auth.cooldowns.overloadedProfileRotations where cooldowns are configurable)"`
	RateLimitCap bool `json:"rateLimitCap" about:"likewise a rate limited one (auth.cooldowns.rateLimitedProfileRotations)"`
	BesidePin    bool `json:"besidePin" about:"a user's profile goes first and the others follow (before: it is the only one)"`

	CapUnrecorded  bool          `json:"capUnrecorded" about:"the rate limit that reaches the cap is not recorded on its profile"`
	CapAsksRun     bool          `json:"capAsksRun" about:"the cap counts where this run has fallbacks (before: where the configuration has some)"`
	NoBillingProbe bool          `json:"noBillingProbe" about:"a candidate that is probed although billing disables the first of its profiles is given up without a request"`
	GivenUp        GivenUpPolicy `json:"givenUp" about:"the error of a candidate that is given up without a request because every profile is unavailable"`
	LoginHints     []ProviderID  `json:"loginHints" about:"providers for which that error names the command to log in with; for others it names the configuration alone"`
}

// GivenUpPolicy says with which error a candidate is given up whose profiles
// are all unavailable.
type GivenUpPolicy string

// The errors of a candidate that is given up.
const (
	GivenUpPlain   GivenUpPolicy = "plain"   // ≤2026.5.28: one text for all reasons
	GivenUpReason  GivenUpPolicy = "reason"  // 2026.6.11–8.2: a text for each reason
	GivenUpProfile GivenUpPolicy = "profile" // 2026.9.6: names the first profile
)

// PinRules say how a session's auth pin is resolved.
type PinRules struct {
	AcceptedProviders bool     `json:"acceptedProviders" about:"a run may accept several providers"`
	SourceFirst       bool     `json:"sourceFirst" about:"the pin's source is read before a pin is cleared"`
	ProviderByAuthKey bool     `json:"providerByAuthKey" about:"the pin's provider is compared by auth alias"`
	UserOutsideOrder  bool     `json:"userOutsideOrder" about:"a user pin outside the order is kept"`
	CommandAsksMain   bool     `json:"commandAsksMain" about:"the agent command looks a session's pin up in the main agent's store, whichever agent runs, and drops one that is not there"`
	ReplaceUnusable   bool     `json:"replaceUnusable" about:"an unusable pin, a user's too, gives way to a usable profile (the documentation says that a user's pin is strict)"`
	UserStrict        bool     `json:"userStrict" about:"a user pin is returned as it is, in a new session too"`
	ModelAware        bool     `json:"modelAware" about:"cooldown tests use the session's model; all profiles unavailable: no pin"`
	CompactionRotates bool     `json:"compactionRotates" about:"a compaction moves an automatic pin on"`
	ReferenceProfile  bool     `json:"referenceProfile" about:"the profile that the run's model reference names goes before rotation, after a user's pin"`
	MissingIntent     bool     `json:"missingIntent" about:"a user pin on a missing profile of the provider is kept as intent"`
	PreferEarlier     bool     `json:"preferEarlier" about:"an automatic pin returns to an earlier profile of an explicit order that has recovered from a rate limit (the documentation promises it from 2026.5 on)"`
	OrderForModel     bool     `json:"orderForModel" about:"the order is computed for the session's model"`
	MonotoneUpdatedAt bool     `json:"monotoneUpdatedAt" about:"updatedAt never goes back"`
	KeylessUserRoute  bool     `json:"keylessUserRoute" about:"a session without a key reports how the profile that its user chose pays"`
	RouteModels       []string `json:"routeModels" about:"OpenAI models served both by subscription and by API key: rotation stays within the class"`
}

// Lines returns the rules of every release line, oldest first.
func Lines() []*Rules {
	names := release.Names()
	lines := make([]*Rules, len(names))
	for place, name := range names {
		lines[place] = table.At(name)
	}
	return lines
}

// Oldest returns the rules of the oldest line.
func Oldest() *Rules { return table.At(release.Oldest()) }

// Newest returns the rules of the newest line.
func Newest() *Rules { return table.At(release.Newest()) }

// Span returns the first and the last line whose rules hold something, as
// [release.Table.Span] finds it.
func Span(holds func(*Rules) bool) (first, last string) { return table.Span(holds) }

// RulesFor returns the rules of a release: those of its line, as [release.For]
// finds it. The error is about a text that names no release.
func RulesFor(text string) (*Rules, error) {
	line, err := release.For(text)
	if err != nil {
		return nil, err
	}
	return table.At(line.Name), nil
}
