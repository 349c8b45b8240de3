package doctor

import (
	_ "embed"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

//go:embed retired_models.txt
var retiredModelsText string

// retiredModels are model references that OpenClaw's doctor upgrades, in lower
// case, each with its successor.
var retiredModels = sync.OnceValue(func() map[string]string {
	models := map[string]string{}
	for line := range strings.Lines(retiredModelsText) {
		if words := strings.Fields(line); len(words) == 2 {
			models[words[0]] = words[1]
		}
	}
	return models
})

// retiredModel finds references to models that OpenClaw's doctor upgrades.
func retiredModel() *Check {
	return &Check{
		ID: IDChainRetiredModel, Severity: Warning,
		Title: "references to models that the provider has retired",
		Why:   "OpenClaw's own doctor upgrades them (2026.5.28 on), so the next openclaw doctor --fix changes which model runs",
		Fix:   "name the successor, or let openclaw doctor --fix do so; which model runs is never changed here",
		home: func(x *examination) {
			if !x.line.RetiredModels {
				return
			}
			x.modelReferences(func(ref string, where state.Origin) {
				base, profile, pinned := strings.Cut(ref, "@")
				successor := retiredModels()[strings.ToLower(strings.TrimSpace(base))]
				if successor == "" {
					return
				}
				if pinned {
					successor += "@" + profile
				}
				x.add(Finding{Code: "retired_model", Where: where, Message: "the model " + ref + " is retired; its successor is " + successor,
					Treats: "used as it is until openclaw doctor --fix writes " + successor, Fix: "write " + successor})
			})
		},
	}
}

// redacted is what OpenClaw shows in place of a secret. Some migrations and
// editors have stored it in place of one.
const redacted = "__OPENCLAW_REDACTED__"

// secretMembers are the members that a credential authenticates with.
var secretMembers = []string{"key", "token", "access", "refresh"}

// placeholder finds redaction marks where secrets belong.
func placeholder() *Check {
	return &Check{
		ID: IDProfilesPlaceholder, Severity: Error,
		Title: "profiles that hold OpenClaw's redaction mark in place of a secret",
		Why:   "OpenClaw takes the mark for a key: the profile looks usable, and every request with it fails with 401",
		Fix:   "enter the key, or log in, again",
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, credential *document.Object) {
				for _, member := range secretMembers {
					if strings.TrimSpace(credential.Text(member)) == redacted {
						x.add(Finding{Agent: s.agent, Profile: id, Code: "redacted", Where: s.ProfileOrigin(id),
							Message: mask.ID(id) + " holds the redaction mark " + redacted + ", not a secret", Treats: "used as if it were the key; every request fails with 401",
							Fix: loginFix(credential), Commands: x.loginCommand(s.agent, credential)})
						return
					}
				}
			})
		},
	}
}

// unsetVariable finds profiles whose key is a variable that is not set here.
func unsetVariable() *Check {
	return &Check{
		ID: IDProfilesVariable, Severity: Info,
		Title: "profiles whose key is an environment variable that is not set here",
		Why:   "the gateway's environment may differ from this shell's; where it has no such variable either, the profile has no key",
		Fix:   "set the variable where the gateway runs: in its environment or in .env of the state directory",
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, credential *document.Object) {
				for _, member := range []string{"keyRef", "tokenRef"} {
					ref := credential.Object(member)
					name := ref.Text("id")
					if ref.Text("source") != "env" || name == "" || x.isSet(name) {
						continue
					}
					x.add(Finding{Agent: s.agent, Profile: id, Code: "variable_unset", Where: s.ProfileOrigin(id),
						Message: mask.ID(id) + " takes its key from " + name + ", which is not set here", Treats: "in the order; a request with it fails unless the gateway has the variable"})
				}
			})
		},
	}
}

// isSet reports whether the environment, or the configuration's env, has a variable.
func (x *examination) isSet(name string) bool {
	env := x.Config.Document().Object("env")
	return x.Home.Getenv(name) != "" || env.Text(name) != "" || env.Object("vars").Text(name) != ""
}

// profileAsKey finds provider entries whose apiKey is the id of a profile.
func profileAsKey() *Check {
	return &Check{
		ID: IDConfigProfileAsKey, Severity: Warning,
		Title: "models.providers entries whose apiKey is the id of a stored profile",
		Why:   "no release looks the profile up there: the id itself is sent as the key",
		Fix:   "write a ${VARIABLE} or the provider's key, or name the profile in auth.order",
		agent: func(x *examination, p *examinedAgent) {
			providers := x.Config.Auth().Providers()
			for name := range providers.All() {
				key := providers.Object(name).Text("apiKey")
				if at := "key of " + name; key != "" && p.Store.Profiles.Has(key) && !x.judged[at] {
					x.judged[at] = true
					x.add(Finding{Code: "profile_id", Profile: key, Where: x.configAt("models", "providers", name, "apiKey"),
						Message: "models.providers." + mask.Key(name) + ".apiKey names the profile " + mask.ID(key) + ", which this release does not resolve", Treats: "sent as the key, literally"})
				}
			}
		},
	}
}
