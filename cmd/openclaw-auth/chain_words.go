package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// sourceOfModel says who chose the model.
var sourceOfModel = map[chain.Source]string{
	chain.SourceDefault:   "the configured default",
	chain.SourceAgent:     "the agent's own model",
	chain.SourceAuto:      "a fallback that the session is still on",
	chain.SourceUser:      "chosen by the session's user",
	chain.SourceLegacy:    "an override without a source",
	chain.SourceParent:    "taken from the session",
	chain.SourceCron:      "the scheduled job's model",
	chain.SourceHeartbeat: "the heartbeat's model",
	chain.SourceSubagent:  "the model for sub-agents",
	chain.SourceHook:      "the Gmail hook's model",
	chain.SourceSession:   "the override of the job's session",
	chain.SourceOneRun:    "given for this run",
	chain.SourceAllowlist: "the first allowed model, because the chosen one is not",
}

// fallbackWords say why the chain is what it is.
var fallbackWords = map[chain.FallbackReason]string{
	chain.FallbacksConfigured:   "the configured fallbacks, then the primary",
	chain.FallbacksAgent:        "the agent's own fallbacks",
	chain.FallbacksAgentStrict:  "strict: the agent names a model without fallbacks",
	chain.FallbacksUserStrict:   "strict: a user's choice has no fallbacks",
	chain.FallbacksLegacyStrict: "strict: an override without a source counts as a user's choice",
	chain.FallbacksInherited:    "the default fallbacks, without the primary at the end",
	chain.FallbacksSubagent:     "the fallbacks for sub-agents",
	chain.FallbacksCron:         "the scheduled job's own fallbacks",
	chain.FallbacksLocked:       "strict: the session is locked to its model",
}

var roleWords = map[chain.Role]string{
	chain.Requested: "requested",
	chain.Fallback:  "fallback",
	chain.Primary:   "the configured primary",
}

// whyWords say why a candidate is attempted, probed or skipped.
var whyWords = map[chain.Why]string{
	chain.WhyUsable:      "a profile is usable",
	chain.WhyNoProfiles:  "it has no profiles that are known",
	chain.WhyBackend:     "a CLI backend: its profiles' windows are not looked at",
	chain.WhyAuth:        "every profile failed to authenticate",
	chain.WhyBilling:     "billing blocks the provider",
	chain.WhyMargin:      "the first profile recovers within two minutes",
	chain.WhyRateLimit:   "a rate limit without a known reset is worth a try",
	chain.WhySingle:      "there is nothing else to try",
	chain.WhyRespelled:   "the request is not spelled in its normal form",
	chain.WhySibling:     "the reason may pass, and this is another model",
	chain.WhySlot:        "the provider is probed once a run",
	chain.WhyThrottled:   "it was probed less than 30 seconds ago",
	chain.WhyFar:         "the first profile recovers in more than two minutes",
	chain.WhyUnavailable: "all profiles are unavailable",
	chain.WhySkipCache:   "it failed to authenticate in this session just now",
	chain.WhyExcluded:    "the provider's certificate is not trusted",
}

// pinWords say why the session uses its profile.
var pinWords = map[auth.PinReason]string{
	auth.PinKept:       "pinned until it is unavailable, a reset or, on older releases, a compaction",
	auth.PinKeptByUser: "the user's choice",
	auth.PinIntent:     "the user's choice, which is not available",
	auth.PinNotInMain:  "the agent command looks for the pinned profile in the main agent's store, where it is missing",
	auth.PinFirst:      "the first usable one",
	auth.PinNewSession: "a new session takes the next one",
	auth.PinCompaction: "a compaction takes the next one",
	auth.PinRotated:    "the pinned one is unavailable",
	auth.PinReplaced:   "the pinned one is unavailable, so another is pinned",
	auth.PinRecovered:  "an earlier one of the order has recovered",
	auth.PinReference:  "named by the model's reference",
	auth.PinNoProfiles: "the provider has no usable profile",
	auth.PinAllDown:    "every profile is unavailable for all models, so the pin is dropped",
}

var actionStyles = map[chain.Action]words.Style{
	chain.Try: words.Green, chain.Probe: words.Yellow, chain.Skip: words.Red,
}

func actionCell(action chain.Action) words.Cell {
	return words.In(actionStyles[action], string(action))
}

// chainNoteTexts is the wording of notes; those that say the same of several
// providers are one.
func chainNoteTexts(notes []chain.Note) []string {
	var texts []string
	var capped []chain.Note
	for _, n := range notes {
		if n.Code == chain.NoteRotationCap {
			capped = append(capped, n)
			continue
		}
		texts = append(texts, chainNoteText(n))
	}
	for len(capped) > 0 {
		first, others := capped[0], capped[:0]
		names := []string{first.Params["provider"]}
		for _, n := range capped[1:] {
			if n.Params["tried"] == first.Params["tried"] && n.Params["profiles"] == first.Params["profiles"] {
				if !slices.Contains(names, n.Params["provider"]) { // several models of a provider
					names = append(names, n.Params["provider"])
				}
			} else {
				others = append(others, n)
			}
		}
		params := maps.Clone(first.Params)
		params["provider"] = strings.Join(names, ", ")
		texts = append(texts, rotationCapText(params, len(names)))
		capped = others
	}
	return texts
}

// chainNoteText is the wording of a note.
func chainNoteText(n chain.Note) string {
	p := n.Params
	switch n.Code {
	case chain.NoteAgentStrict:
		return fmt.Sprintf("the agent's model (%s) names no fallbacks, so %s default %s not used: give it a fallbacks list to use them", p["at"], p["fallbacks"], words.Plural(atoi(p["fallbacks"]), "fallback is", "fallbacks are"))
	case chain.NotePlainDefault:
		return fmt.Sprintf("%s is a plain text, which carries no fallbacks; the object form {primary, fallbacks} does", p["at"])
	case chain.NoteSinglePinned:
		return fmt.Sprintf("a user's choice is exact, so nothing follows %s; /model default restores the chain", p["model"])
	case chain.NoteSingleLegacy:
		return fmt.Sprintf("an override without a source counts as a user's choice, so nothing follows %s", p["model"])
	case chain.NoteSingleDuplicate:
		return fmt.Sprintf("the fallbacks only name %s, which the session already uses, and an explicit list excludes the primary: nothing follows", p["model"])
	case chain.NoteKeepsFallback:
		return keepsFallbackText(p)
	case chain.NoteReprobeDue:
		return fmt.Sprintf("this run tries the primary %s again; if it answers, the override is cleared. A session does so once in five minutes: a message before that stays on the fallback", p["primary"])
	case chain.NoteStaleOrigin:
		return fmt.Sprintf("the session is on %s in place of %s, which is no longer the default (%s); the next heartbeat drops that override", p["model"], p["primary"], p["default"])
	case chain.NoteNotice:
		return fmt.Sprintf("the session's user was last told: %s in place of %s (%s)", p["active"], p["selected"], p["reason"])
	case chain.NoteUnrecorded:
		return fmt.Sprintf("the model chain of OpenClaw %s was not recorded: selection, candidates and decisions follow the rules of %s", p["line"], p["rules"])
	case chain.NoteRetries:
		return retriesText(p)
	case chain.NoteRunBehind:
		return fmt.Sprintf("a gateway is running (process %s) that started before the profiles were last written: if it did not write them itself, its next run still uses what it has loaded; openclaw secrets reload ends that at once", p["process"])
	case chain.NoteSkipTTL:
		return skipTTLText(p)
	case chain.NoteOverrideHides:
		return fmt.Sprintf("the default is %s, the session uses %s because of its override (%s)", p["default"], p["model"], p["source"])
	case chain.NoteReset:
		return fmt.Sprintf("the override %s is dropped by this run: %s", p["model"], resetWords[p["why"]])
	case chain.NoteOtherProvider:
		return fmt.Sprintf("%s is of another provider than the primary %s, so the configured fallbacks are left out", p["model"], p["primary"])
	case chain.NoteRotationCap:
		return rotationCapText(p, 1)
	case chain.NoteNoProfiles:
		return fmt.Sprintf("%s has no profile; OpenClaw still tries it with credentials from the environment or models.providers", p["provider"])
	case chain.NoteNoOverrideVendor:
		return fmt.Sprintf("the override names %s without a provider; it is read as %s's", p["model"], p["provider"])
	case chain.NoteCatalog:
		return fmt.Sprintf("the configured model is not allowed, so the run takes the first allowed model of the release's own catalogue: the first one of %s there or, if there is none, %s", p["providers"], p["model"])
	case chain.NoteRuntime:
		return fmt.Sprintf("%s runs on the %s runtime, with the profiles of %s; whether it is tried still depends on %s", p["model"], p["runtime"], p["provider"], providerOf(p["model"]))
	case chain.NoteOwnLogin:
		return fmt.Sprintf("%s runs on %s, which has its own login: OpenClaw's profiles are not used", p["model"], p["runtime"])
	case chain.NoteSwitchPending:
		return "the session waits for a live model switch"
	case chain.NoteNoModel:
		return fmt.Sprintf("neither a model nor a provider is configured: OpenClaw's built-in default is %s", p["model"])
	}
	return string(n.Code)
}

// retriesText says how often a rate limited request is sent with one profile.
func retriesText(p map[string]string) string {
	text := "a rate-limited request is sent once with one profile before the next profile is tried"
	if p["requests"] != "1" {
		text = fmt.Sprintf("a rate-limited request is sent %s times over %s s with one profile before the next profile is tried", p["requests"], p["seconds"])
	}
	if p["setting"] != "" {
		text += fmt.Sprintf(" (retry.provider.maxRetries is %s in settings.json of the agent)", p["setting"])
	}
	return text + "; a Retry-After adds at most 60 s (OPENCLAW_SDK_RETRY_MAX_WAIT_SECONDS)"
}

func keepsFallbackText(p map[string]string) string {
	usable := "is unavailable"
	if p["usable"] == "true" {
		usable = "is usable again"
	}
	return fmt.Sprintf("the session stays on the fallback %s although it is meant for %s, which %s; /new or /reset ends that", p["model"], p["primary"], usable)
}

func rotationCapText(p map[string]string, providers int) string {
	text := fmt.Sprintf("%s "+words.Plural(providers, "has", "have")+" %s profiles; after rate limits only %s are tried before the next model", p["provider"], p["profiles"], p["tried"])
	if p["key"] != "" {
		return text + ": " + p["key"] + " raises that"
	}
	return text + ", a fixed limit on this release"
}

var resetWords = map[string]string{
	"stale":     "it is stale, the default has changed since",
	"allowlist": "the allowlist does not have it",
}

func atoi(text string) int {
	n := 0
	fmt.Sscan(text, &n)
	return n
}

// providerOf is the provider of PROVIDER/MODEL.
func providerOf(model string) string {
	provider, _, _ := strings.Cut(model, "/")
	return provider
}

// skipTTLText says what OPENCLAW_FALLBACK_SKIP_TTL_MS does.
func skipTTLText(p map[string]string) string {
	name := "OPENCLAW_FALLBACK_SKIP_TTL_MS=" + p["value"]
	if p["ms"] == "0" {
		return name + " has no effect here: it wants a positive number, on 2026.6.11 or later"
	}
	return fmt.Sprintf("%s: a fallback that fails to authenticate is skipped in the session's runs of the next %s ms (1000 to 600000), the primary never", name, p["ms"])
}
