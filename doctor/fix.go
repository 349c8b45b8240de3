package doctor

import (
	"errors"
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/state"
)

// Repair is what Fix does about a finding. Fix repairs only what leaves no
// choice: what others may read, what refers to nothing, what OpenClaw would never
// have written, and logins that OpenClaw itself would import.
type Repair struct {
	Close  bool          // what others may do with the file is taken from them
	Import bool          // the agent's legacy files are imported
	Remove *state.Repair // something is taken out of a stored state
}

func removal(repair state.Repair) *Repair { return &Repair{Remove: &repair} }

// Fixed is what Fix has done, or would do, for one agent; without an ID, for
// modes of the whole home.
type Fixed struct {
	Agent    state.Agent
	Written  []*state.Written // one or two: the import, the stored state; each has its backup
	Imported []state.Imported
	Lost     []string // what was there before and is neither there now nor named: never to be seen
	Err      error    // why the agent, or the rest of it, is left as it was
}

// Fix makes the repairs of findings: all modes, then agent by agent its import and
// everything in its stores in one write that happens as a whole or not at all.
// What an agent can't get does not keep the others from theirs. A profile that
// any agent has is never taken for missing. With DryRun nothing is written.
// While the configuration can't be read, nobody knows which agents there are, and
// nothing is repaired.
func Fix(query Query, findings []Finding, options state.WriteOptions) []Fixed {
	if query.Problem != nil {
		return nil
	}
	agents := query.Home.Agents(query.Config)
	var fixed []Fixed
	if f, any := fixModes(query, findings, options); any {
		fixed = append(fixed, f)
	}
	held, unread := heldByAny(query, agents)
	for _, id := range repairedAgents(findings) {
		agent, err := state.FindAgent(agents, id)
		if err != nil {
			fixed = append(fixed, Fixed{Agent: state.Agent{ID: id}, Err: err})
			continue
		}
		f := Fixed{Agent: agent}
		var removals []state.Repair
		imports := false
		for _, finding := range findings {
			if finding.Agent != id || finding.Repair == nil {
				continue
			}
			imports = imports || finding.Repair.Import
			// Of a store that can't be read nobody knows what it has.
			if remove := finding.Repair.Remove; remove != nil && (remove.Kind == state.RepairWindow || !unread && !held[remove.Profile]) {
				removals = append(removals, *remove)
			}
		}
		f.repair(query, imports, removals, options)
		fixed = append(fixed, f)
	}
	return fixed
}

func fixModes(query Query, findings []Finding, options state.WriteOptions) (f Fixed, any bool) {
	var paths []string
	for _, finding := range findings {
		if finding.Repair != nil && finding.Repair.Close && !slices.Contains(paths, finding.Where.File) {
			paths = append(paths, finding.Where.File)
		}
	}
	if len(paths) == 0 {
		return f, false
	}
	var written *state.Written
	written, f.Err = query.Home.CloseToOthers(paths, options)
	f.add(written)
	return f, true
}

// repairedAgents are the agents that something can be done for, as they are found.
func repairedAgents(findings []Finding) []string {
	var ids []string
	for _, finding := range findings {
		if finding.Repair != nil && !finding.Repair.Close && !slices.Contains(ids, finding.Agent) {
			ids = append(ids, finding.Agent)
		}
	}
	return ids
}

// heldByAny are the profiles that some agent has, and whether some store could not be read.
func heldByAny(query Query, agents []state.Agent) (held map[auth.ProfileID]bool, unread bool) {
	held = map[auth.ProfileID]bool{}
	for _, agent := range agents {
		loaded, err := query.Home.LoadAgent(agent, query.Now)
		if err != nil {
			unread = true
			continue
		}
		for id := range loaded.Store.Profiles.All() {
			held[auth.ProfileID(id)] = true
		}
	}
	return held, unread
}

var errLost = errors.New("something is gone that should have stayed")

func (f *Fixed) repair(query Query, imports bool, removals []state.Repair, options state.WriteOptions) {
	loaded, err := query.Home.LoadAgent(f.Agent, query.Now)
	if err != nil {
		f.Err = err
		return
	}
	before := holdingsOf(loaded)
	if imports {
		files, err := query.Home.LegacyFiles(f.Agent)
		if err == nil {
			var written *state.Written
			written, f.Imported, err = query.Home.ImportFiles(loaded, files, options)
			f.add(written)
		}
		if f.Err = err; err != nil {
			return
		}
	}
	if len(removals) > 0 {
		written, err := query.Home.RepairStores(loaded, removals, options)
		f.add(written)
		if f.Err = err; err != nil {
			return
		}
	}
	if options.DryRun || len(f.Written) == 0 {
		return
	}
	after, err := query.Home.LoadAgent(f.Agent, query.Now)
	if err != nil {
		f.Err = err
		return
	}
	if f.Lost = before.lost(holdingsOf(after), removals); len(f.Lost) > 0 {
		f.Err = fmt.Errorf("%w: %s", errLost, listed(f.Lost))
	}
}

func (f *Fixed) add(written *state.Written) {
	if written != nil && len(written.Changes) > 0 {
		f.Written = append(f.Written, written)
	}
}
