package doctor

import (
	"fmt"
	"path/filepath"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// misplacedFiles are files under names that OpenClaw knows, at paths that no
// release reads.
var misplacedFiles = []struct{ path, instead string }{
	{"credentials/auth-profiles.json", "agents/AGENT/agent/auth-profiles.json"},
	{"auth-profiles.json", "agents/AGENT/agent/auth-profiles.json"},
	{"auth.json", "agents/AGENT/agent/auth.json"},
	{"agents/auth-profiles.json", "agents/AGENT/agent/auth-profiles.json"},
	{"gateway/config.json", "openclaw.json"},
	{"gateway/openclaw.json", "openclaw.json"},
	{"config.json", "openclaw.json"},
	{"config/openclaw.json", "openclaw.json"},
}

// misplaced finds credentials and configurations where nothing reads them.
func misplaced() *Check {
	return &Check{
		ID: IDFilesMisplaced, Severity: Warning,
		Title: "files with profiles, orders or a configuration at paths that no release reads",
		Why:   "what is in them has no effect, and nothing says so",
		Fix:   "move what is missed to where it is read; auth import FILE takes profiles over",
		home: func(x *examination) {
			for _, file := range misplacedFiles {
				x.misplacedAt(filepath.Join(x.Home.StateDir, filepath.FromSlash(file.path)), file.instead)
			}
			agents := filepath.Join(x.Home.StateDir, "agents")
			for _, agent := range x.list(agents) {
				for _, name := range []string{"auth-profiles.json", "auth-state.json", "auth.json"} {
					x.misplacedAt(filepath.Join(agents, agent.Name(), name), "agents/"+agent.Name()+"/agent/"+name)
				}
			}
		},
	}
}

func (x *examination) misplacedAt(path, instead string) {
	content := x.document(path).Object()
	if content == nil || path == x.Home.ConfigPath {
		return
	}
	var has []string
	for _, name := range []string{"profiles", "order", "auth", "models", "agents"} {
		if content.Has(name) {
			has = append(has, name)
		}
	}
	if len(has) == 0 {
		return
	}
	f := Finding{Code: "not_read", Where: state.Origin{File: path}, Treats: "no release reads it",
		Message: fmt.Sprintf("%s has no effect here; it belongs in %s", words.List(has, mask.Few), instead)}
	if content.Object("profiles").Len() > 0 {
		f.Commands = x.own("", "auth", "import", path)
	}
	x.add(f)
}

// unusedSidecars finds encrypted logins that no profile refers to.
func unusedSidecars() *Check {
	return &Check{
		ID: IDProfilesUnusedSidecar, Severity: Warning,
		Title: "encrypted logins in credentials/auth-profiles that no profile refers to",
		Why:   "the login can't be used, and OpenClaw's doctor warns of it at each run without touching it",
		Fix:   "remove the file once the login is not missed; otherwise log in again",
		home:  func(x *examination) { x.sidecarRefs = map[string]bool{} },
		agent: func(x *examination, p *examinedAgent) {
			note := func(value document.Value) {
				entry, _ := value.(*document.Object)
				if id := entry.Object("oauthRef").Text("id"); id != "" {
					x.sidecarRefs[id] = true
				}
			}
			for _, file := range []string{p.file("auth-profiles.json"), p.Agent.LegacyAuthFile()} {
				for _, value := range x.document(file).Object().Object("profiles").All() {
					note(value)
				}
			}
			for _, value := range p.Store.Profiles.All() {
				note(value)
			}
			for _, s := range p.sources {
				for _, problem := range s.Sidecars {
					x.sidecarRefs[strings.TrimSuffix(filepath.Base(problem.File), ".json")] = true
				}
			}
		},
		after: func(x *examination) {
			directory := filepath.Join(x.Home.OAuthDir, "auth-profiles")
			if x.Agent != "" || state.RulesOf(x.rules).Sidecars && len(x.sidecarRefs) == 0 && len(x.agents) == 0 {
				return
			}
			for _, entry := range x.list(directory) {
				id, isJSON := strings.CutSuffix(entry.Name(), ".json")
				login := x.document(filepath.Join(directory, entry.Name())).Object()
				if !isJSON || x.sidecarRefs[id] || login == nil || !login.Has("ciphertext") && !login.Has("profileId") && !login.Has("encrypted") {
					continue
				}
				whose := ""
				if profile := login.Text("profileId"); profile != "" {
					whose = " of " + mask.ID(profile)
				}
				x.add(Finding{Code: "unreferenced", Profile: login.Text("profileId"), Where: state.Origin{File: filepath.Join(directory, entry.Name())},
					Message: "an encrypted login" + whose + " that no profile of any agent refers to", Treats: "left in place, with a warning at each run of openclaw doctor"})
			}
		},
	}
}
