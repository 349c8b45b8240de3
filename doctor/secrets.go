package doctor

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// secretsConfig reports secrets in the configuration.
func secretsConfig() *Check {
	return &Check{
		ID: IDSecretsConfig, Severity: Warning,
		Title: "secrets in openclaw.json and in what it includes",
		Why:   "the configuration is copied, shown and committed; every write of it leaves copies",
		Fix:   "write ${VARIABLE}, or a reference, in place of the value",
		home: func(x *examination) {
			for _, file := range append([]string{x.Config.Path}, x.Config.Includes()...) {
				x.secretsIn(file, "", func(f *Finding, pointer string) {
					f.Treats = "used"
					if tokens := document.SplitPointer(pointer); len(tokens) > 2 && tokens[0] == "auth" && tokens[1] == "profiles" {
						f.Severity, f.Treats, f.Fix = Error, x.profileSecretText(), "doctor --fix moves it to the default agent's store"
						f.Repair = migratedIf(true)
					}
				})
			}
		},
	}
}

// profileSecretText says what becomes of a secret in auth.profiles.
func (x *examination) profileSecretText() string {
	if state.RulesOf(x.rules).Backend != state.BackendJSON {
		return "not read here; openclaw doctor --fix imports it for the default agent"
	}
	return x.line.UnknownKeys
}

// secretsCopies reports secrets in copies that OpenClaw leaves behind.
func secretsCopies() *Check {
	return &Check{
		ID: IDSecretsCopies, Severity: Warning,
		Title: "secrets in backups and archives: openclaw.json.bak, *.sqlite-import.*.bak, *.migrated-*",
		Why:   "a key that was taken out, or replaced, is still there to be read",
		Fix:   "remove the copy once it is not needed, and have keys that leaked replaced",
		home: func(x *examination) {
			x.live = map[string]bool{}
			collectSecrets(x.Config.Document(), "", func(_, secret string) { x.live[secret] = true })
			x.secretsOfCopies(x.Home.StateDir, "", x.list(x.Home.StateDir))
			x.secretsOfCopies(x.Home.OAuthDir, "", x.list(x.Home.OAuthDir))
		},
		agent: func(x *examination, p *examinedAgent) {
			if slices.ContainsFunc(p.entries, isCopyEntry) {
				x.secretsOfCopies(p.Agent.Dir, p.Agent.ID, p.entries, p.liveSecrets())
			}
		},
	}
}

// secretsModels reports secrets in the models.json that OpenClaw makes.
func secretsModels() *Check {
	return &Check{
		ID: IDSecretsModels, Severity: Warning,
		Title: "secrets in the agents' models.json",
		Why:   "OpenClaw writes resolved references there in clear: a key that the configuration only refers to is on disk all the same",
		Fix:   "keep the file to yourself (mode 0600); OpenClaw makes it anew from the configuration",
		agent: func(x *examination, p *examinedAgent) {
			x.secretsIn(p.file("models.json"), p.Agent.ID, func(f *Finding, _ string) { f.Treats = "read by the agent's runtime" })
		},
	}
}

// secretsID reports profile ids that are keys.
func secretsID() *Check {
	return &Check{
		ID: IDSecretsProfileID, Severity: Error,
		Title: "profile ids that hold the key itself",
		Why:   "ids are not secret: they stand in logs, sessions and on the screen",
		Fix:   "give the profile another id, and have the key replaced",
		home: func(x *examination) {
			for id := range x.Config.Auth().Profiles().All() {
				x.tellID("", id, x.configAt("auth", "profiles", id))
			}
		},
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, _ *document.Object) { x.tellID(s.agent, id, s.ProfileOrigin(id)) })
		},
	}
}

func (x *examination) tellID(agent, id string, where state.Origin) {
	if mask.ID(id) != id {
		x.add(Finding{Agent: agent, Profile: id, Code: "key_in_id", Where: where, Message: "the id " + mask.ID(id) + " holds a key", Treats: "shown wherever the profile is named"})
	}
}

// secretsStore reports keys in clear in a store, once per store.
func secretsStore() *Check {
	return &Check{
		ID: IDSecretsStore, Severity: Info,
		Title: "API keys and tokens in clear in a store",
		Why:   "that is where OpenClaw keeps them; a keyRef keeps them elsewhere",
		Fix:   "write a keyRef or tokenRef (an environment variable, a file, a command), where the release knows them",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				var ids []string
				for id, value := range s.Store.Profiles.All() {
					credential, _ := value.(*document.Object)
					if credential.Text("key") != "" || credential.Text("token") != "" {
						ids = append(ids, mask.ID(id))
					}
				}
				if len(ids) > 0 && !s.Imported {
					x.add(Finding{Agent: s.agent, Code: "clear_text", Where: state.Origin{File: s.Profiles},
						Message: fmt.Sprintf("%s in clear: %s", words.Count(len(ids), "key"), words.List(ids, mask.Few)), Treats: "used"})
				}
			}
		},
	}
}

func isCopyEntry(entry fs.DirEntry) bool { return isCopy(entry.Name()) }

// secretsOfCopies reports the secrets in the copies of a directory.
func (x *examination) secretsOfCopies(directory, agent string, entries []fs.DirEntry, live ...map[string]bool) {
	for _, entry := range entries {
		if !isCopyEntry(entry) {
			continue
		}
		file := filepath.Join(directory, entry.Name())
		pointers, inUse := x.countSecrets(file, append(live, x.live)...)
		if len(pointers) == 0 {
			continue
		}
		f := Finding{Agent: agent, Code: "copy", Where: state.Origin{File: file, Pointer: pointers[0]}, Treats: "never read again",
			Message: fmt.Sprintf("%s in a copy, none of them in use any more", words.Count(len(pointers), "secret"))}
		if x.rescues[file] {
			f.Severity, f.Fix = Info, "keep it until its profiles are imported"
		}
		if inUse > 0 {
			f.Message = fmt.Sprintf("%s in a copy, %d still in use", words.Count(len(pointers), "secret"), inUse)
		}
		x.add(f)
	}
}

// liveSecrets are the secrets that the agent's profiles hold now.
func (p *examinedAgent) liveSecrets() map[string]bool {
	live := map[string]bool{}
	for _, value := range p.Store.Profiles.All() {
		credential, _ := value.(*document.Object)
		for name := range credential.All() {
			if text := credential.Text(name); isSecretName(name) && text != "" {
				live[text] = true
			}
		}
	}
	return live
}
