package auth_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/release"
)

// The statements of OpenClaw's own documentation about profiles, order and
// cooldowns, S-number by S-number: each under the release lines on which the
// program does what the page says, and under those where it does not.

const (
	testNow = 1_780_000_000_000
	minute  = 60_000
	hour    = 60 * minute
)

func parse(t *testing.T, text string) *document.Object {
	t.Helper()
	value, err := document.Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value.(*document.Object)
}

// profiles makes an agent's profiles out of a configuration and a store.
func profiles(t *testing.T, line, config, store string) *auth.Profiles {
	t.Helper()
	rules, err := auth.RulesFor(line)
	if err != nil {
		t.Fatal(err)
	}
	doc := parse(t, store)
	return &auth.Profiles{Rules: rules, Config: auth.NewConfig(parse(t, config)), Store: &auth.Store{
		Profiles: doc.Object("profiles"), Order: doc.Object("order"),
		LastGood: doc.Object("lastGood"), UsageStats: doc.Object("usageStats"),
	}}
}

func order(p *auth.Profiles, provider string) string {
	return ids(p.Order(auth.OrderQuery{Provider: provider, Now: testNow}).Order)
}

func ids(list []auth.ProfileID) string {
	texts := make([]string, len(list))
	for i, id := range list {
		texts[i] = string(id)
	}
	return strings.Join(texts, " ")
}

// since lists the lines from one on.
func since(line string) []string {
	var lines []string
	for _, rules := range auth.Lines() {
		if rules.Line == line || len(lines) > 0 {
			lines = append(lines, rules.Line)
		}
	}
	return lines
}

func all() []string { return since("2026.1.30") }

func onLines(t *testing.T, lines []string, test func(t *testing.T, line string)) {
	t.Helper()
	if len(lines) == 0 {
		t.Fatal("no such line")
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) { test(t, line) })
	}
}

func expect[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

const threeTypes = `{profiles: {
	"p:key": {type: "api_key", provider: "p", key: "k"},
	"p:token": {type: "token", provider: "p", token: "t"},
	"p:new": {type: "oauth", provider: "p", access: "a", refresh: "r"},
	"p:old": {type: "oauth", provider: "p", access: "a", refresh: "r"},
}, usageStats: {"p:new": {lastUsed: 1779999000000}, "p:old": {lastUsed: 1779990000000}, "p:key": {lastUsed: 1}}}`

// S16: auth.profiles and auth.order of the configuration route; they hold no
// credential and make none.
func TestS16ConfigRoutesOnly(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{auth: {profiles: {"p:gone": {provider: "p", mode: "api_key"}}, order: {p: ["p:gone"]}}}`, `{profiles: {}}`)
		expect(t, "order", order(p, "p"), "")
		expect(t, "code", p.Eligibility("p", "p:gone", testNow), auth.ProfileMissing)
	})
}

// S18: three types of credentials; an OAuth login keeps projectId and enterpriseUrl.
func TestS18CredentialTypes(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		rules, _ := auth.RulesFor(line)
		loaded, rejected := rules.LoadProfiles(parse(t, `{
			"a:1": {type: "api_key", provider: "a", key: "k"},
			"a:2": {type: "token", provider: "a", token: "t"},
			"a:3": {type: "oauth", provider: "a", access: "x", projectId: "p", enterpriseUrl: "e"},
			"a:4": {type: "password", provider: "a"}, "a:5": {type: "api_key"}, "a:6": 7}`))
		expect(t, "loaded", strings.Join(loaded.Keys(), " "), "a:1 a:2 a:3")
		expect(t, "projectId", loaded.Object("a:3").Text("projectId"), "p")
		expect(t, "enterpriseUrl", loaded.Object("a:3").Text("enterpriseUrl"), "e")
		expect(t, "rejected", fmt.Sprint(rejected), "[{a:4 invalid_type} {a:5 missing_provider} {a:6 non_object}]")
	})
}

// S20: auth.order, else auth.profiles, else the stored profiles; the agent's
// own order wins over the configuration.
func TestS20OrderSource(t *testing.T) {
	const stored = `{"p:1": {type: "api_key", provider: "p", key: "k"}, "p:2": {type: "api_key", provider: "p", key: "k"}}`
	onLines(t, all(), func(t *testing.T, line string) {
		for _, test := range []struct {
			config, state string
			source        auth.OrderSource
			order         string
		}{
			{`{}`, `{}`, auth.StoredProfiles, "p:1 p:2"},
			{`{auth: {profiles: {"p:2": {provider: "p", mode: "api_key"}}}}`, `{}`, auth.ConfigProfiles, "p:2"},
			{`{auth: {profiles: {"p:2": {provider: "p", mode: "api_key"}}, order: {p: ["p:2", "p:1"]}}}`, `{}`, auth.ConfigOrder, "p:2 p:1"},
			{`{auth: {order: {p: ["p:2", "p:1"]}}}`, `{p: ["p:1"]}`, auth.StateOrder, "p:1"},
		} {
			p := profiles(t, line, test.config, `{profiles: `+stored+`, order: `+test.state+`}`)
			ordering := p.Order(auth.OrderQuery{Provider: "p", Now: testNow})
			expect(t, "source", ordering.Source, test.source)
			expect(t, "order", ids(ordering.Order), test.order)
		}
	})
}

// S21: without an order, logins before tokens before keys, the longest unused
// first; from 2026.8.2 on expired logins after the valid ones.
func TestS21RoundRobin(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		expect(t, "order", order(profiles(t, line, `{}`, threeTypes), "p"), "p:old p:new p:token p:key")
	})
	const expired = `{profiles: {
		"p:1": {type: "oauth", provider: "p", access: "a", expires: 1779999999999},
		"p:2": {type: "oauth", provider: "p", access: "a", expires: 1780000000001}}}`
	for _, line := range all() {
		want := "p:1 p:2"
		if slices.Contains(since("2026.8.1"), line) {
			want = "p:2 p:1"
		}
		expect(t, line+" order", order(profiles(t, line, `{}`, expired), "p"), want)
	}
}

// S22: unavailable profiles come last, the first to recover before the others, in an
// explicit order too.
func TestS22RestingLast(t *testing.T) {
	const stored = `{profiles: {
		"p:1": {type: "api_key", provider: "p", key: "k"}, "p:2": {type: "api_key", provider: "p", key: "k"}, "p:3": {type: "api_key", provider: "p", key: "k"}},
		usageStats: {"p:1": {disabledUntil: 1780000090000, disabledReason: "billing"}, "p:2": {cooldownUntil: 1780000030000}}}`
	onLines(t, all(), func(t *testing.T, line string) {
		expect(t, "order", order(profiles(t, line, `{}`, stored), "p"), "p:3 p:2 p:1")
		listed := profiles(t, line, `{auth: {order: {p: ["p:1", "p:2", "p:3"]}}}`, stored)
		expect(t, "explicit order", order(listed, "p"), "p:3 p:2 p:1")
	})
}

const pinned = `{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}, "p:2": {type: "api_key", provider: "p", key: "k"}}%s}`

func pin(t *testing.T, p *auth.Profiles, entry string, newSession bool) auth.Pin {
	t.Helper()
	return p.ResolvePin(auth.PinQuery{Provider: "p", Model: "m", Entry: parse(t, entry), NewSession: newSession, Now: testNow})
}

// S23: a session keeps its profile until it is reset or compacted, or the
// profile is unavailable; 2026.9.6 no longer looks at compactions.
func TestS23PinKeptUntil(t *testing.T) {
	const entry = `{authProfileOverride: "p:1", authProfileOverrideSource: "auto", authProfileOverrideCompactionCount: %d, compactionCount: 1}`
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, fmt.Sprintf(pinned, ""))
		expect(t, "kept", pin(t, p, fmt.Sprintf(entry, 1), false).Profile, "p:1")
		expect(t, "new session", pin(t, p, fmt.Sprintf(entry, 1), true).Profile, "p:2")
		want := auth.ProfileID("p:2")
		if release.Place(line) >= release.Place("2026.9.6") {
			want = "p:1"
		}
		expect(t, "compacted", pin(t, p, fmt.Sprintf(entry, 0), false).Profile, want)
		unavailable := profiles(t, line, `{}`, fmt.Sprintf(pinned, `, usageStats: {"p:1": {cooldownUntil: 1780000030000}}`))
		expect(t, "rotated", pin(t, unavailable, fmt.Sprintf(entry, 1), false).Profile, "p:2")
	})
}

// S24: a user's pin stays, even while its profile is unavailable. The program of
// 2026.5.4 to 2026.7.35 does otherwise: an unusable pin is replaced.
func TestS24UserPin(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, fmt.Sprintf(pinned, `, usageStats: {"p:1": {cooldownUntil: 1780000030000}}`))
		got := pin(t, p, `{authProfileOverride: "p:1", authProfileOverrideSource: "user"}`, false)
		want, source := auth.ProfileID("p:1"), auth.PinUser
		if slices.Contains(since("2026.5.4"), line) && !slices.Contains(since("2026.8.1"), line) {
			want, source = "p:2", auth.PinAuto
		}
		expect(t, "profile", got.Profile, want)
		expect(t, "source", got.Source, source)
	})
}

// S25: an automatic pin returns to an earlier profile of the order once that
// has recovered. The page says so from 2026.5.11 on; the program does it from 2026.9.2 on.
func TestS25EarlierRecovered(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, fmt.Sprintf(pinned, `, order: {p: ["p:1", "p:2"]}, usageStats: {"p:1": {failureCounts: {rate_limit: 1}, errorCount: 1}}`))
		got := pin(t, p, `{authProfileOverride: "p:2", authProfileOverrideSource: "auto", authProfileOverrideCompactionCount: 0, compactionCount: 0}`, false)
		want := auth.ProfileID("p:2")
		if release.Place(line) >= release.Place("2026.9.2") {
			want = "p:1"
		}
		expect(t, "profile", got.Profile, want)
	})
}

// S26: a login and a key of one provider rotate, so the login can look lost;
// an order or a pin fixes one. The hint says so.
func TestS26LoginLooksLost(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		query := auth.OrderQuery{Provider: "p", Now: testNow}
		hinted := func(p *auth.Profiles) bool {
			ordering := p.Order(query)
			return slices.ContainsFunc(p.Hints(query, ordering, p.Explain(query, ordering)), func(h auth.Hint) bool { return h.Code == auth.HintMixedTypes })
		}
		expect(t, "hint", hinted(profiles(t, line, `{}`, threeTypes)), true)
		fixed := profiles(t, line, `{auth: {order: {p: ["p:old"]}}}`, threeTypes)
		expect(t, "order", order(fixed, "p"), "p:old")
		expect(t, "hint with an order", hinted(fixed), false)
	})
}

// S27: a Codex subscription with an OpenAI key as backup; the recorded reset
// keeps the subscription out until then.
func TestS27CodexWithBackup(t *testing.T) {
	const store = `{profiles: {
		"openai-codex:me": {type: "oauth", provider: "openai-codex", access: "a", refresh: "r"},
		"openai:key": {type: "api_key", provider: "openai", key: "k"}},
		usageStats: {"openai-codex:me": {blockedUntil: %d, blockedReason: "subscription_limit", blockedSource: "codex_rate_limits"}}}`
	const config = `{auth: {order: {openai: ["openai-codex:me", "openai:key"]}}}`
	for _, line := range []string{"2026.5.12", "2026.5.28"} {
		expect(t, line+" blocked", order(profiles(t, line, config, fmt.Sprintf(store, testNow+1)), "openai-codex"), "openai:key openai-codex:me")
		expect(t, line+" at the reset", order(profiles(t, line, config, fmt.Sprintf(store, testNow)), "openai-codex"), "openai-codex:me openai:key")
	}
	// From 2026.6.11 on the subscription's profiles are openai's own.
	migrated := strings.ReplaceAll(strings.ReplaceAll(store, "openai-codex:me", "openai:me"), `"openai-codex"`, `"openai"`)
	onLines(t, since("2026.6.11"), func(t *testing.T, line string) {
		p := profiles(t, line, `{auth: {order: {openai: ["openai:me", "openai:key"]}}}`, fmt.Sprintf(migrated, testNow+1))
		expect(t, "order", order(p, "openai"), "openai:key openai:me")
	})
	if line := "2026.4.29"; order(profiles(t, line, config, fmt.Sprintf(store, testNow+1)), "openai-codex") != "openai-codex:me" {
		t.Error("2026.4.29 knows no blocks and lets no key serve openai-codex")
	}
}

// S35: a rate limit keeps a profile back for its model only (2026.3.28+); billing
// keeps the whole profile back.
func TestS35ModelScope(t *testing.T) {
	const store = `{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}, usageStats: {"p:1": {cooldownUntil: 1780000030000, cooldownReason: "rate_limit", cooldownModel: "opus"%s}}}`
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, fmt.Sprintf(store, ""))
		expect(t, "opus", p.InCooldown("p:1", "opus", testNow), true)
		expect(t, "sonnet", p.InCooldown("p:1", "sonnet", testNow), !slices.Contains(since("2026.3.28"), line))
		billing := profiles(t, line, `{}`, fmt.Sprintf(store, `, disabledUntil: 1780000090000, disabledReason: "billing"`))
		expect(t, "sonnet while disabled", billing.InCooldown("p:1", "sonnet", testNow), true)
	})
}
