package doctor

import (
	"io/fs"
	"path/filepath"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/state"
)

// examinedAgent is an agent that is being examined.
type examinedAgent struct {
	*state.Examined
	engine  *auth.Profiles
	sources []source // the stores that were not reported on for an agent before it
	entries []fs.DirEntry

	sessions state.SessionStore
	tallies  []*tally
	hints    []orderHint // computed once for all checks of orders
	models   *chain.Models
}

// source is a store with the agent that its findings are reported for.
type source struct {
	*state.Source
	agent string
	own   bool
	known *document.Object // the profiles that its references may name
}

func (x *examination) examinedAgent(agent state.Agent) *examinedAgent {
	p := &examinedAgent{Examined: x.Home.Examine(agent, x.Now)}
	p.engine = p.Loaded.Profiles(x.Home, x.Config)
	if p.Own.Store != nil && !x.judged[p.Own.Profiles] {
		p.sources = append(p.sources, source{p.Own, agent.ID, true, p.Store.Profiles})
	}
	if p.Main != nil && p.Main.Store != nil && !x.judged[p.Main.Profiles] && p.Main.Profiles != p.Own.Profiles {
		p.sources = append(p.sources, source{p.Main, mainAgent, false, p.Main.Store.Profiles})
	}
	p.entries, _ = x.Home.FS.ReadDir(agent.Dir)
	return p
}

// mainAgent is the agent whose store the others inherit from.
const mainAgent = "main"

// profiles calls visit for the profiles of the sources that are reported on for
// this agent, each with its credential.
func (p *examinedAgent) profiles(visit func(s source, id string, credential *document.Object)) {
	for _, s := range p.sources {
		for id, value := range s.Store.Profiles.All() {
			if credential, _ := value.(*document.Object); credential != nil {
				visit(s, id, credential)
			}
		}
	}
}

// judges reports whether a profile that the agent lacks really is missing:
// everything could be read, and there is a store at all. Without one (a
// configuration alone, on a build machine) nothing can be said.
func (p *examinedAgent) judges() bool {
	return p.Complete() && (p.Own.Store != nil || p.Main != nil && p.Main.Store != nil)
}

// has reports whether the agent has a profile, of its own or inherited, or
// might have: one of another tool's login, or one that can't be read.
func (p *examinedAgent) has(x *examination, id string) bool {
	return !p.judges() || p.Store.Profiles.Has(id) || x.isDeclared(id)
}

// isDeclared reports whether a profile needs no stored credential: another
// tool's login that OpenClaw adds, or one that the configuration declares for
// the AWS SDK.
func (x *examination) isDeclared(id string) bool {
	for _, login := range state.RulesOf(x.rules).ExternalLogins {
		if login.Profile == id {
			return true
		}
	}
	return x.Config.Auth().Profiles().Object(id).Text("mode") == "aws-sdk"
}

// tally counts findings that are alike, of the sessions of an agent.
type tally struct {
	check   *Check
	key     string
	count   int
	finding Finding
	message func(count int) string
}

// tally counts one more finding of the running check that is like those of the
// same key; the first one's place is told.
func (p *examinedAgent) tally(x *examination, key string, finding Finding, message func(count int) string) {
	for _, t := range p.tallies {
		if t.check == x.check && t.key == key {
			t.count++
			return
		}
	}
	p.tallies = append(p.tallies, &tally{x.check, key, 1, finding, message})
}

// flush records what has been counted.
func (p *examinedAgent) flush(x *examination) {
	for _, t := range p.tallies {
		x.check = t.check
		t.finding.Message = t.message(t.count)
		x.add(t.finding)
	}
	x.check = nil
}

// file is a file of the agent's directory.
func (p *examinedAgent) file(name string) string { return filepath.Join(p.Agent.Dir, name) }
