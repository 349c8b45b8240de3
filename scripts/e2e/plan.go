package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/state"
)

// plan is a home with the turns that are run on it, as real/turns.mjs reads it.
type plan struct {
	Release string         `json:"release"`
	Layout  state.Backend  `json:"layout"`
	Config  map[string]any `json:"config"`
	Agents  []planAgent    `json:"agents"`
}

// planAgent is an agent with a store of its own, so that one home serves many.
type planAgent struct {
	ID       string         `json:"id"`
	Profiles map[string]any `json:"profiles"`
	State    map[string]any `json:"state"`
	Turns    []planTurn     `json:"turns"`
}

// planTurn is a message, with the way in which the providers fail meanwhile.
type planTurn struct {
	Session string         `json:"session"`
	Title   string         `json:"title"`
	Entry   map[string]any `json:"entry,omitempty"` // set in the session's entry before, if there is one
	Faults  []fault        `json:"faults,omitempty"`
	Fail    []string       `json:"fail,omitempty"` // the same for chain simulate
}

// fault is an answer of the mock that is none.
type fault struct {
	Match  string `json:"match"` // PROVIDER/MODEL@PROFILE, with *
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty"` // empty or reset, instead of a status
	Status int    `json:"status,omitempty"`
	Body   any    `json:"body,omitempty"`
}

// failing is a way to fail: what the mock answers, and what the program's client
// makes of it, as chain simulate is told it.
type failing struct {
	name, kind, result string
	status             int
	class, code, text  string
}

func (f failing) fault(match string) fault {
	if f.kind != "" {
		return fault{Match: match, Name: f.name, Kind: f.kind}
	}
	var code any
	if f.code != "" {
		code = f.code
	}
	return fault{Match: match, Name: f.name, Status: f.status, Body: map[string]any{"error": map[string]any{
		"message": f.text, "type": f.class, "code": code, "param": nil,
	}}}
}

func (f failing) pattern(match string) string {
	if f.result != "" {
		return match + "=" + f.result
	}
	return fmt.Sprintf("%s=text:%d %s", match, f.status, f.text)
}

// failings are the ways to fail. An empty answer is asked for once more by the
// program, then it ends the model as a bad request.
var failings = []failing{
	{name: "rate_limit", status: 429, class: "rate_limit_error", code: "rate_limit_exceeded", text: "Rate limit reached for requests. Please try again later."},
	{name: "rate_limit", status: 429, class: "rate_limit_error", text: "Too many requests"},
	{name: "billing", status: 402, class: "billing_error", code: "insufficient_credits", text: "Your credit balance is too low. Please add credits."},
	{name: "auth", status: 401, class: "authentication_error", code: "invalid_api_key", text: "Incorrect API key provided."},
	{name: "forbidden", status: 403, class: "permission_error", code: "forbidden", text: "You do not have access to this resource."},
	{name: "revoked", status: 403, class: "permission_error", code: "key_revoked", text: "This API key has been revoked."},
	{name: "overloaded", status: 529, class: "overloaded_error", code: "overloaded_error", text: "Overloaded"},
	{name: "server", status: 500, class: "server_error", text: "The server had an error while processing your request."},
	{name: "unavailable", status: 503, class: "server_error", text: "Service Unavailable"},
	{name: "model_not_found", status: 404, class: "invalid_request_error", code: "model_not_found", text: "The model does not exist or you do not have access to it."},
	{name: "format", status: 400, class: "invalid_request_error", code: "invalid_value", text: "Invalid value: 'foo'. Supported values are: 'system' and 'user'."},
	{name: "reset", kind: "reset", result: "text:Connection error."},
	{name: "empty", kind: "empty", result: "format"},
}

// agentsPerHome bounds how many agents share a home and a process.
const agentsPerHome = 12

// planner draws plans.
type planner struct {
	random  *rand.Rand
	release string
	layout  state.Backend
	now     int64 // Unix ms

	providers []string
	models    map[string][]string // of each provider
	profiles  map[string][]string
}

// plans draws homes with that many turns together.
func plans(release string, turns int, seed uint64) ([]plan, error) {
	rules, err := auth.RulesFor(release)
	if err != nil {
		return nil, err
	}
	var all []plan
	for i := uint64(0); turns > 0; i++ {
		p := &planner{random: rand.New(rand.NewPCG(seed, i)), release: release, layout: state.RulesOf(rules).Backend, now: time.Now().UnixMilli()}
		home := p.home(min(turns, 3*agentsPerHome))
		for _, agent := range home.Agents {
			turns -= len(agent.Turns)
		}
		all = append(all, home)
	}
	return all, nil
}

// home draws a home whose agents have turns turns together.
func (p *planner) home(turns int) plan {
	p.drawProviders()
	// Every agent inherits the profiles and the state of main, which has nothing of theirs.
	home := plan{Release: p.release, Layout: p.layout, Agents: []planAgent{{
		ID: "main", Profiles: map[string]any{"idle:one": credential("main", "idle:one")}, State: map[string]any{},
	}}}
	agents, ids := map[string]any{"main": map[string]any{}}, []string{"main"}
	for n := 1; turns > 0 && n <= agentsPerHome; n++ {
		agent := planAgent{ID: fmt.Sprintf("a%d", n), Profiles: map[string]any{}, State: p.state()}
		for _, id := range p.allProfiles() {
			agent.Profiles[id] = credential(agent.ID, id)
		}
		for range min(turns, 1+p.random.IntN(4)) {
			agent.Turns = append(agent.Turns, p.turn())
			turns--
		}
		own := map[string]any{}
		if p.chance(40) {
			own["model"] = p.model()
		}
		agents[agent.ID], ids = own, append(ids, agent.ID)
		home.Agents = append(home.Agents, agent)
	}
	home.Config = p.config(agents, ids)
	return home
}

// credential is a key that tells the mock which profile it is of.
func credential(agent, profile string) map[string]any {
	return map[string]any{"type": "api_key", "provider": providerOf(profile), "key": "sk-mock-" + profile + "#" + agent}
}

func (p *planner) chance(percent int) bool { return p.random.IntN(100) < percent }

func (p *planner) drawProviders() {
	p.providers = []string{"alpha", "beta", "gamma"}[:2+p.random.IntN(2)]
	p.models, p.profiles = map[string][]string{}, map[string][]string{}
	for i, provider := range p.providers {
		for n := range 1 + p.random.IntN(2) {
			p.models[provider] = append(p.models[provider], fmt.Sprintf("%c%d", provider[0], n+1))
		}
		names := []string{"one", "two", "three"}[:1+p.random.IntN(max(1, 3-i))]
		for _, name := range names {
			p.profiles[provider] = append(p.profiles[provider], provider+":"+name)
		}
	}
}

func providerOf(profile string) string {
	provider, _, _ := strings.Cut(profile, ":")
	return provider
}

func (p *planner) allProfiles() (ids []string) {
	for _, provider := range p.providers {
		ids = append(ids, p.profiles[provider]...)
	}
	return ids
}

func (p *planner) refs() (refs []string) {
	for _, provider := range p.providers {
		for _, model := range p.models[provider] {
			refs = append(refs, provider+"/"+model)
		}
	}
	return refs
}

func pick[T any](p *planner, from []T) T { return from[p.random.IntN(len(from))] }

// some draws items in a random order, at least one.
func some[T any](p *planner, from []T) []T {
	mixed := slices.Clone(from)
	p.random.Shuffle(len(mixed), func(i, k int) { mixed[i], mixed[k] = mixed[k], mixed[i] })
	return mixed[:1+p.random.IntN(len(mixed))]
}

// model draws a model setting in one of its forms.
func (p *planner) model() any {
	refs := some(p, p.refs())
	switch p.random.IntN(4) {
	case 0:
		return refs[0]
	case 1:
		return map[string]any{"primary": refs[0]}
	default:
		return map[string]any{"primary": refs[0], "fallbacks": refs[1:]}
	}
}

func (p *planner) config(agents map[string]any, ids []string) map[string]any {
	providers, declared := map[string]any{}, map[string]any{}
	for _, provider := range p.providers {
		var models []any
		for _, id := range p.models[provider] {
			models = append(models, map[string]any{
				"id": id, "name": id, "reasoning": false, "input": []string{"text"}, "contextWindow": 200_000, "maxTokens": 8192,
				"cost": map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
			})
		}
		providers[provider] = map[string]any{"baseUrl": "http://127.0.0.1:MOCK_PORT/" + provider + "/v1", "api": "openai-completions", "models": models}
		for _, id := range p.profiles[provider] {
			if p.chance(80) {
				declared[id] = map[string]any{"provider": provider, "mode": "api_key"}
			}
		}
	}
	refs := some(p, p.refs())
	defaults := map[string]any{
		"model": map[string]any{"primary": refs[0], "fallbacks": refs[1:]}, "skipBootstrap": true, "heartbeat": map[string]any{"every": "0m"},
	}
	if p.chance(30) { // an allowlist
		allowed := map[string]any{}
		for _, ref := range some(p, p.refs()) {
			allowed[ref] = map[string]any{}
		}
		defaults["models"] = allowed
	}
	login := map[string]any{"profiles": declared}
	if order := p.order(); len(order) > 0 {
		login["order"] = order
	}
	config := map[string]any{
		"meta":    map[string]any{"lastTouchedVersion": p.release},
		"models":  map[string]any{"mode": "replace", "providers": providers},
		"auth":    login,
		"agents":  map[string]any{"defaults": defaults},
		"plugins": map[string]any{"enabled": false},
		"tools":   map[string]any{"profile": "minimal"},
		"session": map[string]any{"dmScope": "main"},
		"gateway": map[string]any{
			"mode": "local", "auth": map[string]any{"mode": "token", "token": "e2e"},
			"http": map[string]any{"endpoints": map[string]any{"chatCompletions": map[string]any{"enabled": true}}},
		},
	}
	section := config["agents"].(map[string]any)
	if p.layout == state.BackendShared {
		section["entries"] = agents
		if len(ids) > 1 {
			section["ownership"] = "explicit"
			defaults["systemAgent"] = map[string]any{"agentId": ids[0]}
		}
		return config
	}
	var list []any
	for _, id := range ids {
		entry := map[string]any{"id": id}
		maps.Copy(entry, agents[id].(map[string]any))
		list = append(list, entry)
	}
	section["list"] = list
	return config
}

func (p *planner) order() map[string]any {
	order := map[string]any{}
	for _, provider := range p.providers {
		if p.chance(35) {
			order[provider] = some(p, p.profiles[provider])
		}
	}
	return order
}

// state draws what earlier runs have left. Windows end long before or after the
// turns, so that none ends within one.
func (p *planner) state() map[string]any {
	usage := map[string]any{}
	for _, id := range p.allProfiles() {
		if !p.chance(45) {
			continue
		}
		stats := map[string]any{"lastUsed": p.now - int64(p.random.IntN(200))*minute, "errorCount": 0}
		until := p.now + int64(40+p.random.IntN(200))*minute
		if p.chance(25) {
			until = p.now - int64(20+p.random.IntN(60))*minute
		}
		reason := pick(p, []string{"rate_limit", "overloaded", "auth", "timeout", "model_not_found", "billing", "auth_permanent", ""})
		if reason != "" {
			stats["errorCount"], stats["lastFailureAt"] = 1+p.random.IntN(3), p.now-int64(5+p.random.IntN(100))*minute
			stats["failureCounts"] = map[string]any{reason: stats["errorCount"]}
		}
		switch reason {
		case "":
		case "billing", "auth_permanent":
			stats["disabledUntil"], stats["disabledReason"] = until, reason
		default:
			stats["cooldownUntil"], stats["cooldownReason"] = until, reason
			if models := p.models[providerOf(id)]; p.chance(50) && (reason == "rate_limit" || reason == "model_not_found") {
				stats["cooldownModel"] = pick(p, models)
			}
		}
		usage[id] = stats
	}
	kept := map[string]any{"usageStats": usage}
	if p.chance(25) {
		kept["order"] = p.order()
	}
	if p.chance(30) {
		good := map[string]any{}
		for _, provider := range p.providers {
			good[provider] = pick(p, p.profiles[provider])
		}
		kept["lastGood"] = good
	}
	return kept
}

const minute = 60_000 // ms

func (p *planner) turn() planTurn {
	turn := planTurn{Session: pick(p, []string{"main", "main", "other"})}
	if p.chance(30) {
		turn.Entry = p.entry()
	}
	var titles []string
	for range p.random.IntN(4) {
		match := p.match()
		f := pick(p, failings)
		turn.Faults = append(turn.Faults, f.fault(match))
		turn.Fail = append(turn.Fail, f.pattern(strings.TrimSuffix(match, "@*")))
		titles = append(titles, match+" "+f.name)
	}
	turn.Title = strings.Join(titles, ", ")
	return turn
}

// match draws requests that fail: of a provider, a model or a profile.
func (p *planner) match() string {
	provider := pick(p, p.providers)
	switch p.random.IntN(5) {
	case 0:
		return provider + "/*@" + pick(p, p.profiles[provider])
	case 1:
		return provider + "/" + pick(p, p.models[provider]) + "@*"
	case 2:
		return "*/*@*"
	default:
		return provider + "/*@*"
	}
}

// entry draws what a user or an earlier fallback has left in a session.
func (p *planner) entry() map[string]any {
	ref := pick(p, p.refs())
	provider, model, _ := strings.Cut(ref, "/")
	entry := map[string]any{}
	if p.chance(60) {
		entry["providerOverride"], entry["modelOverride"], entry["modelOverrideSource"] = provider, model, "user"
	}
	if p.chance(60) {
		entry["authProfileOverride"], entry["authProfileOverrideSource"] = pick(p, p.profiles[provider]), pick(p, []string{"user", "auto"})
	}
	return entry
}
