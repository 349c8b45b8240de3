package doctor

import (
	"errors"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// examination is one run of the checks.
type examination struct {
	Query
	rules *auth.Rules
	line  *lines.Rules

	check    *Check // the one that is running
	findings []Finding
	agents   []state.Agent
	sessions int

	documents   map[string]*document.Document // by file, nil for what can't be read
	problems    map[string]bool               // errors that have been told
	judged      map[string]bool               // sources that have been reported on, by file
	orders      configOrders
	live        map[string]bool       // secrets of the configuration
	undeclared  []string              // profiles of auth.profiles that no store has had so far
	refresh     map[[32]byte][]holder // who holds which refresh token
	salt        []byte
	rescues     map[string]bool // archives that hold what a store lacks
	sidecarRefs map[string]bool // encrypted logins that profiles refer to, by id
}

func (x *examination) run() {
	x.rescues = map[string]bool{}
	x.documents, x.problems, x.judged = map[string]*document.Document{}, map[string]bool{}, map[string]bool{}
	x.agents = x.Home.Agents(x.Config)
	x.each(func(c *Check) {
		if c.home != nil {
			c.home(x)
		}
	})
	kept := x.documents
	for i, agent := range x.agents {
		if x.Agent != "" && agent.ID != x.Agent {
			continue
		}
		if x.Progress != nil {
			x.Progress(i, len(x.agents))
		}
		x.documents = map[string]*document.Document{}
		for file, document := range kept { // those of the home serve every agent
			x.documents[file] = document
		}
		x.examineAgent(agent)
	}
	x.documents = kept
	x.each(func(c *Check) {
		if c.after != nil {
			c.after(x)
		}
	})
	if x.Progress != nil {
		x.Progress(len(x.agents), len(x.agents))
	}
}

// each calls something for every check that runs, and knows which it is.
func (x *examination) each(call func(c *Check)) {
	for _, check := range x.Checks {
		x.check = check
		call(check)
	}
	x.check = nil
}

func (x *examination) examineAgent(agent state.Agent) {
	p := x.examinedAgent(agent)
	x.each(func(c *Check) {
		if c.agent != nil {
			c.agent(x, p)
		}
	})
	x.examineSessions(p)
	for _, s := range p.sources {
		x.judged[s.Profiles], x.judged[s.State] = true, true
	}
	p.flush(x)
}

// add records a finding of the running check.
func (x *examination) add(f Finding) {
	f.Check = x.check.ID
	if f.Severity == "" {
		f.Severity = x.check.Severity
	}
	if f.Fix == "" {
		f.Fix = x.check.Fix
	}
	if f.Line == 0 && f.Where.Table == "" && f.Where.Pointer != "" {
		f.Line, f.Column = x.position(f.Where)
	}
	f.Where.Pointer = mask.Pointer(f.Where.Pointer)
	f.Profile = mask.ID(f.Profile)
	x.findings = append(x.findings, f)
}

// position finds where a value of a text file stands.
func (x *examination) position(where state.Origin) (line, column int) {
	if document := x.document(where.File); document != nil {
		return document.Position(where.Pointer)
	}
	return 0, 0
}

// document returns a file as it stands on disk, nil where it can't be read: what
// is wrong with it is another check's to say.
func (x *examination) document(file string) *document.Document {
	document, known := x.documents[file]
	if known || isDatabase(file) {
		return document
	}
	if info, err := x.Home.FS.Stat(file); err != nil || info.Size() > largestDocument {
		return nil
	}
	document, _ = x.Home.ReadDocument(file)
	x.documents[file] = document
	return document
}

// largestDocument bounds what is read as a whole for the place of a value; a
// file of sessions may be hundreds of megabytes.
const largestDocument = 8 << 20

func isDatabase(file string) bool { return strings.HasSuffix(file, ".sqlite") }

// time is the time of the examination.
func (x *examination) time() time.Time { return time.UnixMilli(x.Now) }

// when is a time (Unix ms) as messages tell it.
func (x *examination) when(ms float64) string { return words.Clock{Now: x.Now}.When(ms) }

// own is a command of openclaw-auth about an agent, as a finding has it; nil
// where it would show a key.
func (x *examination) own(agent string, words ...string) []string {
	return pasted(x.Commands.Own(x.agentToName(agent), words...))
}

// login is OpenClaw's command to log an agent in to a provider.
func (x *examination) login(agent, provider string) []string {
	return pasted(x.Commands.Login(x.agentToName(agent), provider))
}

// agentToName is the agent that a command must name: where there is one alone,
// the command finds it without.
func (x *examination) agentToName(agent string) string {
	if len(x.agents) < 2 && agent == x.soleAgent() {
		return ""
	}
	return agent
}

func (x *examination) soleAgent() string {
	if len(x.agents) == 1 {
		return x.agents[0].ID
	}
	return ""
}

func pasted(command string) []string {
	if command == "" {
		return nil
	}
	return []string{command}
}

// configAt is where a value of the configuration stands.
func (x *examination) configAt(tokens ...string) state.Origin {
	return x.Config.Locate(document.Pointer(tokens...))
}

// problem records something that could not be read, once.
func (x *examination) problem(agent string, err error) {
	if err == nil || x.problems[err.Error()] {
		return
	}
	x.problems[err.Error()] = true
	f := Finding{Agent: agent, Code: "unreadable", Message: mask.Text(err.Error())}
	if syntax, ok := errors.AsType[*document.SyntaxError](err); ok {
		f.Code, f.Message = "syntax", mask.Text(syntax.Message)
		f.Where, f.Line, f.Column = state.Origin{File: syntax.File}, syntax.Line, syntax.Column
	} else if file, ok := errors.AsType[*state.FileError](err); ok {
		f.Message, f.Where = mask.Text(file.Message), state.Origin{File: file.File}
	}
	x.explainProblem(&f, err)
	x.add(f)
}
