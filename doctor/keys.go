package doctor

import (
	"errors"
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// configKeys reports members of the configuration that the release does not know.
func configKeys() *Check {
	return &Check{
		ID: IDConfigKeys, Severity: Error,
		Title: "members of auth and of the models' configuration that the release does not know, or no longer knows",
		Why:   "they have no effect, and on many releases keep OpenClaw from starting",
		Fix:   "doctor --fix moves what has a place now: models of a top-level agent, defaultModel; it removes auth.cooldowns where that is gone. The rest is yours to remove",
		home: func(x *examination) {
			document := x.Config.Document()
			x.topKeys(document)
			x.unknownKeys(document.Object("auth"), creds.AuthKeys, "auth")
			for id := range x.Config.Auth().Profiles().All() {
				x.unknownKeys(x.Config.Auth().Profiles().Object(id), slices.Concat(creds.ProfileKeys, creds.SecretKeys), "auth", "profiles", id)
			}
			x.cooldownKeys()
			defaults := document.Object("agents").Object("defaults")
			for _, name := range []string{"modelFallbacks", "imageModelFallbacks", "allowedModels", "modelAliases"} {
				if defaults.Has(name) {
					x.unknownKey(name+" is no member of agents.defaults", "agents", "defaults", name)
				}
			}
		},
	}
}

// topKeys reports members at the top that older releases had, or that people expect there.
func (x *examination) topKeys(document *document.Object) {
	for _, top := range []struct{ name, instead, treats string }{
		{"agent", "agents.defaults", x.line.TopAgent},
		{"defaultModel", "agents.defaults.model", x.line.DefaultModel},
		{"model", "agents.defaults.model", x.line.UnknownKeys},
		{"authProfiles", "auth.profiles", x.line.UnknownKeys},
	} {
		if document.Has(top.name) {
			x.add(Finding{Code: "retired_key", Where: x.configAt(top.name), Treats: top.treats,
				Message: "the member " + top.name + " is not one of the configuration: its place is " + top.instead, Fix: movedFix(top.name, top.instead, x.line), Repair: migratedIf(moves(top.name, x.line))})
		}
	}
}

// movedFix says who moves a member to its new place.
func movedFix(name, instead string, line *lines.Rules) string {
	if moves(name, line) {
		return "doctor --fix moves it to " + instead
	}
	return "move it to " + instead
}

func moves(name string, line *lines.Rules) bool {
	return name == "agent" || name == "defaultModel" && line.MovesDefaultModel
}

func (x *examination) unknownKeys(object *document.Object, known []string, at ...string) {
	for name := range object.All() {
		if !slices.Contains(known, name) {
			x.unknownKey(fmt.Sprintf("%s is no member of %s", mask.Key(name), mask.Path(at)), append(slices.Clone(at), name)...)
		}
	}
}

func (x *examination) unknownKey(message string, at ...string) {
	x.add(Finding{Code: "unknown_key", Where: x.configAt(at...), Message: message, Treats: x.line.UnknownKeys, Fix: "remove it"})
}

// cooldownKeys reports auth.cooldowns, and of members that came later or went.
func (x *examination) cooldownKeys() {
	cooldowns := x.Config.Auth().Cooldowns()
	failures := &x.rules.Failures
	if !failures.Configurable {
		if cooldowns != nil {
			x.add(Finding{Code: "retired_key", Where: x.configAt("auth", "cooldowns"), Message: "auth.cooldowns is gone: the lengths of windows are fixed",
				Treats: "the configuration is not valid until openclaw doctor --fix drops it", Fix: "doctor --fix removes it, and shows what it said", Repair: migratedIf(true)})
		}
		return
	}
	known := slices.Clone(creds.CooldownKeys)
	if failures.AuthPermanent == auth.LaneOwn {
		known = append(known, "authPermanentBackoffMinutes", "authPermanentMaxMinutes")
	}
	if rotation := x.rules.Rotation; rotation.OverloadCap || rotation.RateLimitCap {
		known = append(known, "overloadedProfileRotations", "overloadedBackoffMs", "rateLimitedProfileRotations")
	}
	x.unknownKeys(cooldowns, known, "auth", "cooldowns")
}

// roster reports agents that are listed in a form of another release.
func roster() *Check {
	return &Check{
		ID: IDConfigAgents, Severity: Warning,
		Title: "agents.list where the release has agents.entries, or the reverse; agents listed twice; no default agent, or two",
		Why:   "agents of the wrong list do not exist for OpenClaw: their models and directories do not count",
		Fix:   "write the agents in the release's form",
		home:  (*examination).tellRoster,
	}
}

func (x *examination) tellRoster() {
	agents := x.Config.Document().Object("agents")
	list, _ := agents.Get("list")
	items, _ := list.([]any)
	switch entries := agents.Has("entries"); {
	case state.RulesOf(x.rules).AgentEntries && entries && len(items) > 0:
		x.add(Finding{Code: "both_lists", Where: x.configAt("agents", "list"), Message: "agents.list beside agents.entries",
			Treats: "agents.entries counts; openclaw doctor --fix removes the list", Fix: "remove agents.list"})
	case state.RulesOf(x.rules).AgentEntries && len(items) > 0:
		x.add(Finding{Severity: Info, Code: "old_list", Where: x.configAt("agents", "list"), Message: "agents.list is agents.entries now, by agent id",
			Treats: "read; openclaw doctor --fix rewrites it", Fix: "nothing to do"})
	case !state.RulesOf(x.rules).AgentEntries && entries:
		x.add(Finding{Severity: Error, Code: "new_list", Where: x.configAt("agents", "entries"), Message: "agents.entries is of a newer release",
			Treats: x.line.UnknownKeys, Fix: "list the agents in agents.list"})
	}
	x.tellTwice(items)
	defaults := 0
	for _, agent := range x.agents {
		if agent.Entry.Bool("default") {
			if defaults++; defaults == 2 {
				x.add(Finding{Code: "two_defaults", Where: x.Config.Locate(agent.Pointer + document.Pointer("default")), Message: "a second default agent: " + agent.ID,
					Treats: "the first one counts", Fix: "mark one agent alone"})
			}
		}
	}
	switch explicit := agents.Text("ownership") == "explicit"; {
	case x.defaultAgent() < 0 && len(items) > 1 && x.line.NeedsDefault && !explicit:
		x.add(Finding{Severity: Error, Code: "no_default", Where: x.configAt("agents", "list"), Message: "several agents and no default one",
			Treats: `the configuration is refused: multi-agent rosters require agents.ownership="explicit" or one default=true marker`,
			Fix:    "mark one agent with default: true, or set agents.ownership to explicit"})
	case x.defaultAgent() < 0 && len(x.agents) > 1:
		x.add(Finding{Severity: Info, Code: "no_default", Where: x.configAt("agents"), Message: "several agents and no default one",
			Treats: "commands demand an agent", Fix: "mark one with default: true, or name one"})
	}
}

// tellTwice reports agents that the list has twice.
func (x *examination) tellTwice(items []any) {
	seen := map[string]bool{}
	for i, item := range items {
		entry, _ := item.(*document.Object)
		id := chain.NormalizeAgentID(entry.Text("id"))
		if seen[id] {
			x.add(Finding{Code: "listed_twice", Where: x.configAt("agents", "list", fmt.Sprint(i)), Message: "agent " + id + " is listed twice",
				Treats: "the first entry counts", Fix: "remove one"})
		}
		seen[id] = true
	}
}

// evidence reports signs of the release that disagree.
func evidence() *Check {
	return &Check{
		ID: IDHomeRelease, Severity: Warning,
		Title: "signs of the release that disagree",
		Why:   "the files are of another release than the configuration says: rules of the wrong one give wrong answers",
		Fix:   "name the release with --rules; run openclaw doctor of the release in use once",
		home: func(x *examination) {
			if x.Evidence.Conflict != "" {
				x.add(Finding{Code: "conflict", Where: state.Origin{File: x.Config.Path}, Message: fmt.Sprintf("%s, but %s", x.Evidence.Detail, x.Evidence.Conflict),
					Treats: "the rules of " + x.rules.Line + " are followed here"})
			}
		},
	}
}

// blocked reports agents whose profiles OpenClaw refuses to load.
func blocked() *Check {
	return &Check{
		ID: IDLegacyBlocked, Severity: Error,
		Title: "agents whose profiles can't be loaded at all until a migration has run",
		Why:   "every run of the agent fails (AUTH_PROFILE_MIGRATION_REQUIRED)",
		Fix:   "doctor --fix imports the files; where there is no database yet, openclaw doctor --fix makes it, with the gateway stopped",
		agent: func(x *examination, p *examinedAgent) {
			if p.Blocked == nil || !p.Complete() || x.judged[p.Blocked.Error()] {
				return
			}
			x.judged[p.Blocked.Error()] = true
			f := Finding{Agent: p.Agent.ID, Code: "migration_required", Where: state.Origin{File: p.Own.Profiles},
				Message: "legacy files hold credentials and the store has none", Treats: mask.Text(p.Blocked.Error()), Repair: migratedIf(true)}
			if required, ok := errors.AsType[*state.MigrationRequired](p.Blocked); ok && required.Store != p.Own.Profiles || p.Main == nil {
				f.Message += "; every agent that inherits from it fails too"
				f.Where.File = required.Store
			}
			x.add(f)
		},
	}
}
