package answer

import (
	"encoding/json"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/chain/lines"
)

func modelsOf(rules *auth.Rules, input *document.Object) *chain.Models {
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

func answerParse(rules *auth.Rules, q Question) any {
	models := modelsOf(rules, q.Input)
	provider := q.Input.Text("defaultProvider")
	switch q.Input.Text("kind") {
	case "configured":
		primary := models.DefaultsPrimary()
		return object("ref", refObject(models.Configured(primary, provider, q.Input.Text("defaultModel")), true))
	case "agentDefault":
		return object("ref", refObject(models.Default(), true))
	}
	raw := q.Input.Text("raw")
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

func answerCandidates(rules *auth.Rules, q Question) any {
	models := modelsOf(rules, q.Input)
	if q.Input.Text("kind") == "image" {
		return candidatesObject(models.ImageCandidates(q.Input.Text("modelOverride")))
	}
	request := chain.Request{
		Provider: q.Input.Text("provider"), Model: q.Input.Text("model"),
		Resolved: q.Input.Text("requestedRouteResolution") == "resolved", Fallbacks: fallbackList(q.Input),
	}
	answer := candidatesObject(models.Candidates(request))
	if q.Want.(*document.Object).Has("origins") {
		answer.Set("origins", origins(models.Candidates(request)))
	}
	return answer
}

func fallbackList(input *document.Object) []chain.Written {
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

func candidatesObject(candidates []chain.Candidate) *document.Object {
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

func answerSelection(rules *auth.Rules, q Question) any {
	models := modelsOf(rules, q.Input)
	heartbeat, _ := q.Input.Get("isHeartbeat")
	probed, _ := q.Input.Number("lastPrimaryProbeAt")
	query := chain.SessionQuery{
		Key: q.Input.Text("sessionKey"), Sessions: q.Input.Object("sessions"), Now: q.Now,
		Heartbeat: heartbeat == true, HeartbeatModel: q.Input.Text("heartbeatModel"), LastPrimaryProbe: int64(probed),
	}
	if catalog, ok := q.Input.Get("catalog"); ok {
		query.Catalog = []chain.Ref{}
		for _, row := range catalog.([]any) {
			query.Catalog = append(query.Catalog, chain.Ref{Provider: row.(*document.Object).Text("provider"), Model: row.(*document.Object).Text("id")})
		}
	}
	selection, err := models.Select(query)
	if selection.Catalog != nil {
		return Skipped("the answer depends on the release's own model catalogue")
	}
	if err != nil {
		return object("default", refObject(selection.Default, true), "error", err.Error())
	}
	if entry := query.Sessions.Object(query.Key); rules.Pins.KeylessUserRoute && entry.Has("authProfileOverride") {
		return Skipped("the selection drops the pin of a profile that the store lacks, and the vector has no store; here ResolvePin does that")
	}
	if source, _ := query.Sessions.Object(query.Key).Get("modelOverrideSource"); source != nil && selection.OverrideSource == "" && selection.HasOverride {
		return Skipped("a source that is not text counts as none, but is reported as it stands")
	}
	answer := object(
		"default", refObject(selection.Default, true),
		"provider", selection.Provider, "model", selection.Model,
		"storedSource", orNull(string(selection.Stored)),
		"hasSessionModelOverride", selection.HasOverride,
		"modelOverrideSource", orNull(selection.OverrideSource),
		"hasAutoFallbackProvenance", selection.AutoOrigin,
		"fallbacksOverride", texts(selection.Fallbacks),
		"reset", selection.Reset, "resetRef", orNull(selection.ResetRef),
		"primaryProbe", probeObject(selection.Probe),
		"entryAfter", overrideMembers(selection.Entry),
	)
	list, _ := candidatesObject(selection.Candidates).Get("candidates")
	answer.Set("candidates", list)
	// Two answers that only some lines give.
	want := q.Want.(*document.Object)
	if want.Has("commandFallbacksOverride") {
		answer.Set("commandFallbacksOverride", texts(selection.CommandFallbacks))
	}
	if want.Has("requestedRouteResolution") {
		answer.Set("requestedRouteResolution", map[bool]string{true: "resolved", false: "raw"}[selection.Resolved])
	}
	return answer
}

func texts(list []chain.Written) any {
	if list == nil {
		return nil
	}
	items := []any{}
	for _, item := range list {
		items = append(items, item.Text)
	}
	return items
}

func probeObject(probe *chain.PrimaryProbe) any {
	if probe == nil {
		return nil
	}
	return object(
		"provider", probe.Primary.Provider, "model", probe.Primary.Model,
		"fallbackProvider", probe.Fallback.Provider, "fallbackModel", probe.Fallback.Model,
	)
}

// overrideMembers is the part of a session entry that the recordings hold.
func overrideMembers(entry *document.Object) *document.Object {
	members := document.NewObject()
	for _, name := range []string{
		"providerOverride", "modelOverride", "modelOverrideSource", "modelOverrideRouteResolution",
		"modelOverrideFallbackOriginProvider", "modelOverrideFallbackOriginModel",
		"authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount",
	} {
		if value, ok := entry.Get(name); ok {
			members.Set(name, value)
		}
	}
	return members
}

func answerWalk(rules *auth.Rules, q Question) any {
	models := modelsOf(rules, q.Input)
	memory := &chain.Memory{}
	now := q.Now
	walk := func(run *document.Object) any {
		advance, _ := run.Number("advanceMs")
		now += int64(advance)
		outcomes := run.Object("outcomes")
		if outcomes == nil {
			outcomes = q.Input.Object("outcomes")
		}
		return walkOnce(models, q, memory, now, outcomes)
	}
	runs, ok := q.Input.Get("runs")
	if !ok {
		return walk(document.NewObject())
	}
	answers := []any{}
	for _, run := range runs.([]any) {
		answers = append(answers, walk(run.(*document.Object)))
	}
	return object("runs", answers)
}

func walkOnce(models *chain.Models, q Question, memory *chain.Memory, now int64, outcomes *document.Object) any {
	calls, steps := []any{}, []any{}
	query := chain.WalkQuery{
		Request:  chain.Request{Provider: q.Input.Text("provider"), Model: q.Input.Text("model"), Fallbacks: fallbackList(q.Input)},
		Profiles: profilesOf(models.Rules, q.Input), Now: now, Memory: memory,
		Session: q.Input.Text("sessionId"), SkipTTL: scalar(q.Input, "skipTtlMs"),
		Run: func(attempt chain.Attempt) chain.Outcome {
			call := refObject(attempt.Ref, true).(*document.Object)
			if attempt.Probe {
				call.Set("probe", true)
			}
			if attempt.Final {
				call.Set("final", true)
			}
			calls = append(calls, call)
			return outcomeFor(outcomes, attempt.Ref)
		},
	}
	result := models.Walk(query)
	for _, step := range result.Steps {
		to := any(nil)
		if step.To != nil {
			to = step.To.String()
		}
		steps = append(steps, object(
			"from", step.From.String(), "to", to, "reason", orNull(string(step.Reason)),
			"pos", int64(step.Position), "outcome", string(step.Outcome),
		))
	}
	if want, ok := q.Want.(*document.Object); ok {
		forgetEmpty(want)
	}
	return object("at", now, "calls", calls, "steps", steps, "result", walkResult(models.Rules, result))
}

// forgetEmpty makes null of an empty code and of a status 0 in the attempts of
// a recorded walk: OpenClaw hands them on, and nothing reads them.
func forgetEmpty(value document.Value) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			forgetEmpty(item)
		}
	case *document.Object:
		for key, item := range v.All() {
			status, isNumber := item.(json.Number)
			if key == "code" && item == "" || key == "status" && isNumber && status == "0" {
				v.Set(key, nil)
				continue
			}
			forgetEmpty(item)
		}
	}
}

// scalar is a member that may be written as text or number.
func scalar(input *document.Object, name string) string {
	switch value, _ := input.Get(name); value := value.(type) {
	case string:
		return value
	case json.Number:
		return string(value)
	}
	return ""
}

func outcomeFor(outcomes *document.Object, ref chain.Ref) chain.Outcome {
	value, ok := outcomes.Get(ref.String())
	if !ok {
		value, _ = outcomes.Get("*")
	}
	outcome, ok := value.(*document.Object)
	if !ok {
		return chain.Outcome{}
	}
	if target := outcome.Object("switch"); target != nil {
		return chain.Outcome{Switch: &chain.Ref{Provider: target.Text("provider"), Model: target.Text("model")}}
	}
	status, _ := outcome.Number("status")
	failure := &chain.Failure{
		Reason: auth.Reason(outcome.Text("reason")), Message: outcome.Text("message"), Raw: textPointer(outcome, "rawError"),
		Name: outcome.Text("name"), Status: status, Code: outcome.Text("code"),
		Profile: auth.ProfileID(outcome.Text("profileId")),
	}
	if failure.Reason == "" {
		failure.Message = outcome.Text("raw")
	}
	return chain.Outcome{Failure: failure}
}

func walkResult(rules *auth.Rules, result chain.WalkResult) any {
	attempts := []any{}
	for _, record := range result.Records {
		status := any(nil)
		if record.Status != 0 {
			status = document.NumberValue(record.Status)
		}
		attempts = append(attempts, object(
			"provider", record.Provider, "model", record.Model, "error", record.Error,
			"reason", string(record.Reason), "status", status, "code", orNull(record.Code),
		))
	}
	if result.Winner != nil {
		return object("kind", "ok", "provider", result.Winner.Provider, "model", result.Winner.Model, "attempts", attempts)
	}
	e := result.Err
	answer := object("kind", "error", "name", e.Name, "message", e.Message, "reason", orNull(string(e.Reason)))
	if e.Summary && lines.Of(rules).Walk.Exhausted != lines.ExhaustedError {
		answer.Set("attempts", attempts)
		answer.Set("soonestCooldownExpiry", optional(e.Soonest, e.Soonest != 0))
	}
	return answer
}
