package doctor

import (
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// rejectedProfiles reports entries that OpenClaw refuses to load.
func rejectedProfiles() *Check {
	return &Check{
		ID: IDProfilesRejected, Severity: Error,
		Title: "entries of a store that OpenClaw refuses",
		Why:   "such a profile does not exist for OpenClaw, and is gone from the file at its next write",
		Fix:   "correct the entry by hand: type (api_key, oauth or token), provider, and key, token or access",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for _, r := range s.Rejected {
					if creds.IsAWSMarker(x.entry(r.Origin)) {
						continue // has a check of its own
					}
					x.add(Finding{Agent: s.agent, Profile: r.ID, Code: string(r.Reason), Where: r.Origin,
						Message: fmt.Sprintf("%s is refused: %s", mask.ID(r.ID), creds.RejectText(r.Reason)),
						Treats:  "not loaded, and dropped at the next write", Fix: x.rejectedFix(r)})
				}
			}
		},
	}
}

func (x *examination) rejectedFix(r state.Rejected) string {
	switch entry := x.entry(r.Origin); {
	case r.Reason == auth.RejectNonObject:
		return "replace it by an object with type, provider and the secret"
	case r.Reason == auth.RejectMissingProvider:
		return `set "provider" to the provider's id`
	case entry.Text("type") == "apiKey":
		return `write "api_key" for "apiKey"`
	case entry.Text("mode") != "" && entry.Text("type") == "":
		return `write "type" for "mode"`
	}
	return `set "type" to api_key, oauth or token`
}

// entry returns the object that stands at an origin as it is written, nil where
// there is none to be had.
func (x *examination) entry(where state.Origin) *document.Object {
	if where.Table != "" {
		return nil
	}
	object, _ := valueAt(x.document(where.File), where.Pointer).(*document.Object)
	return object
}

func valueAt(file *document.Document, pointer string) document.Value {
	if file == nil {
		return nil
	}
	value, _ := file.Value()
	for _, token := range document.SplitPointer(pointer) {
		object, _ := value.(*document.Object)
		value, _ = object.Get(token)
	}
	return value
}

// fieldNames reports members under other names than OpenClaw's.
func fieldNames() *Check {
	return &Check{
		ID: IDProfilesFieldNames, Severity: Error,
		Title: "members of a profile under other names: mode, apiKey, access_token",
		Why:   "most of them are never read, so that the profile has no credential, and nobody says why",
		Fix:   "doctor --fix renames api_key (2026.5.28+); rename others by hand",
		agent: func(x *examination, p *examinedAgent) {
			if state.RulesOf(x.rules).Backend != state.BackendJSON {
				return // OpenClaw itself wrote what is in a database
			}
			for _, s := range p.sources {
				if s.Imported || !x.mayHaveAliases(s) {
					continue
				}
				for id, value := range x.document(s.Profiles).Object().Object("profiles").All() {
					if entry, _ := value.(*document.Object); entry != nil {
						x.aliasesIn(s, id, entry)
					}
				}
			}
		},
	}
}

// mayHaveAliases reports whether the file as it is written is worth a second
// look: up to 2026.5.12 what is loaded keeps the members that nobody knows.
func (x *examination) mayHaveAliases(s source) bool {
	if x.rules.Store.Whitelist || len(s.Rejected) > 0 {
		return true
	}
	for _, value := range s.Store.Profiles.All() {
		credential, _ := value.(*document.Object)
		if slices.ContainsFunc(creds.MemberAliases, func(a creds.Alias) bool { return credential.Has(a.Written) }) {
			return true
		}
	}
	return false
}

func (x *examination) aliasesIn(s source, id string, entry *document.Object) {
	for _, a := range creds.MemberAliases {
		if !entry.Has(a.Written) || entry.Has(a.Member) {
			continue
		}
		f := Finding{Agent: s.agent, Profile: id, Code: a.Written, Where: state.Origin{File: s.Profiles, Pointer: document.Pointer("profiles", id, a.Written)},
			Message: fmt.Sprintf("%s has %q where OpenClaw has %q", mask.ID(id), a.Written, a.Member),
			Treats:  "never read", Fix: fmt.Sprintf("rename %q to %q", a.Written, a.Member)}
		switch {
		case x.rules.Store.MemberAliases && (a.Written == "mode" || a.Written == "apiKey"):
			f.Severity, f.Treats = Info, "read as "+a.Member
		case a.Written == "api_key" && x.line.KeyAlias:
			f.Repair = migratedIf(true)
			f.Treats = "not read; openclaw doctor --fix renames it"
		}
		x.add(f)
	}
}

// modeMismatch reports profiles that the configuration declares otherwise.
func modeMismatch() *Check {
	return &Check{
		ID: IDProfilesModeMismatch, Severity: Error,
		Title: "profiles that auth.profiles declares with another type or provider than the store",
		Why:   "OpenClaw never uses such a profile and falls back to what is left, without a word",
		Fix:   "make auth.profiles say what is stored",
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, credential *document.Object) {
				declared := x.Config.Auth().Profiles().Object(id)
				where := x.configAt("auth", "profiles", id)
				kind := credential.Text("type")
				switch code := x.codeOf(s, id, credential); code {
				case auth.ModeMismatch:
					where.Pointer += document.Pointer("mode")
					x.add(Finding{Agent: s.agent, Profile: id, Code: string(code), Where: where,
						Message: fmt.Sprintf("auth.profiles says mode %q for %s, but its stored type is %q", declared.Text("mode"), mask.ID(id), kind),
						Treats:  "never used (mode_mismatch)", Fix: fmt.Sprintf("set mode to %q", kind)})
				case auth.ProviderMismatch:
					where.Pointer += document.Pointer("provider")
					x.add(Finding{Agent: s.agent, Profile: id, Code: string(code), Where: where,
						Message: fmt.Sprintf("auth.profiles says provider %q for %s, but the stored one is %q", declared.Text("provider"), mask.ID(id), credential.Text("provider")),
						Treats:  "never used (provider_mismatch)", Fix: fmt.Sprintf("set provider to %q", credential.Text("provider"))})
				}
			})
		},
	}
}

// codeOf tells whether a profile may serve its own provider.
func (x *examination) codeOf(s source, id string, credential *document.Object) auth.Code {
	engine := &auth.Profiles{Rules: x.rules, Config: x.Config.Auth(), Store: s.Store}
	return engine.Eligibility(credential.Text("provider"), auth.ProfileID(id), x.Now)
}

// credentials reports profiles without anything to authenticate with.
func credentials() *Check {
	return &Check{
		ID: IDProfilesCredential, Severity: Error,
		Title: "profiles that hold nothing to authenticate with, or something that can't be it",
		Why:   "OpenClaw passes over them",
		Fix:   "log in again, or write the key or a keyRef",
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, credential *document.Object) {
				code := x.codeOf(s, id, credential)
				text := codeText(code)
				if text != "" && !x.isSidecarProblem(s, id) {
					x.add(Finding{Agent: s.agent, Profile: id, Code: string(code), Where: s.ProfileOrigin(id),
						Message: mask.ID(id) + " " + text, Treats: "never used (" + string(code) + ")", Fix: loginFix(credential), Commands: x.loginCommand(s.agent, credential)})
				}
			})
		},
	}
}

// codeText says what is wrong with a credential, "" where it is another check's to say.
func codeText(code auth.Code) string {
	switch code {
	case auth.MissingCredential:
		return "holds no key, token or reference"
	case auth.MalformedAPIKey:
		return "has a pasted command line for its key"
	case auth.UnresolvedRef:
		return "refers to tokens that are not in the store"
	case auth.InvalidExpires:
		return "has an expires that is not a time"
	}
	return ""
}

func loginFix(credential *document.Object) string {
	provider := mask.ID(credential.Text("provider"))
	if credential.Text("type") == auth.TypeAPIKey {
		return "enter the key of " + provider + " again"
	}
	return "log in to " + provider + " again"
}

// loginCommand is OpenClaw's command that stores a credential anew.
func (x *examination) loginCommand(agent string, credential *document.Object) []string {
	provider := credential.Text("provider")
	switch {
	case credential.Text("type") != auth.TypeAPIKey:
		return x.login(agent, provider)
	case x.line.PasteKey && x.agentToName(agent) == "":
		return pasted(x.Commands.OpenClaw("models", "auth", "paste-api-key", "--provider", provider))
	case x.line.PasteKey:
		return pasted(x.Commands.OpenClaw("models", "auth", "--agent", agent, "paste-api-key", "--provider", provider))
	}
	return pasted(x.Commands.OpenClaw("configure"))
}

// sidecars reports logins whose tokens should be in another file.
func sidecars() *Check {
	return &Check{
		ID: IDProfilesSidecar, Severity: Error,
		Title: "logins whose tokens are in an encrypted file that is missing or can't be opened",
		Why:   "the profile is there but has no tokens",
		Fix:   "bring the key or the file back, or log in again; no one else can open it",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for _, problem := range s.Sidecars {
					f := Finding{Agent: s.agent, Profile: problem.Profile, Code: string(problem.Code), Where: state.Origin{File: problem.File},
						Message: fmt.Sprintf("the tokens of %s are not to be had: %s", mask.ID(problem.Profile), mask.Text(problem.Detail)),
						Treats:  "loaded without tokens", Fix: "log in again", Commands: x.loginCommand(s.agent, s.Store.Profiles.Object(problem.Profile))}
					if problem.Code == state.SidecarLocked {
						f.Severity, f.Fix, f.Commands = Warning, "run doctor again where OPENCLAW_AUTH_PROFILE_SECRET_KEY or the key file is available", nil
					}
					x.add(f)
				}
			}
		},
	}
}

func (x *examination) isSidecarProblem(s source, id string) bool {
	return slices.ContainsFunc(s.Sidecars, func(problem state.SidecarProblem) bool { return problem.Profile == id })
}
