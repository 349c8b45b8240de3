// Package repair makes the repairs of doctor's findings: it closes files to
// others, removes dead locks and dangling references, and migrates a home to what
// its release needs. What it writes, package state writes as a whole or not at
// all, and can take back.
package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// mainAgent is the agent whose store the others inherit from.
const mainAgent = "main"

// Fixed is what Fix has done, or would do, for one agent; without an ID, for
// the whole home.
type Fixed struct {
	Agent   state.Agent
	Written *state.Written // nil, or without changes, where nothing was to be done
	Notes   []string       // what the user should know of what is done
	Left    []string       // what of what was found is left as it is, and why
	Err     error          // why all of it is left as it was
}

// changes reports whether anything is written.
func (f *Fixed) changes() bool { return f.Written != nil && len(f.Written.Changes) > 0 }

// step is one write of a plan, or what keeps it from being made.
type step struct {
	run func(context.Context, doctor.Query, state.WriteOptions) Fixed
	// migrates is set for what may expose new findings.
	migrates bool
	// fleeting is set for what may be gone before it is removed: a dead lock, which
	// every writer removes.
	fleeting bool
}

// steps are what is done about findings, in its order: modes and dead locks, what
// the release's migrations change in the whole home, and what refers to nothing in
// the stores of each agent. One agent's failure does not stop the others. A
// profile that any agent has, or that waits in a file of an older release, is
// never taken for missing.
func steps(query doctor.Query, findings []doctor.Finding) []step {
	var all []step
	if open := paths(findings, func(r *doctor.Repair) bool { return r.Close }); len(open) > 0 {
		all = append(all, step{run: func(ctx context.Context, query doctor.Query, options state.WriteOptions) Fixed {
			written, err := query.Home.CloseToOthers(ctx, open, options)
			return Fixed{Written: written, Err: err}
		}})
	}
	if locks := paths(findings, func(r *doctor.Repair) bool { return r.Unlock }); len(locks) > 0 {
		all = append(all, step{fleeting: true, run: func(ctx context.Context, query doctor.Query, options state.WriteOptions) Fixed {
			written, err := query.Home.RemoveDeadLocks(ctx, locks, options)
			return Fixed{Written: written, Err: err}
		}})
	}
	for _, migration := range []func(context.Context, doctor.Query, []doctor.Finding, state.WriteOptions) Fixed{moveDirectories, migrate} {
		all = append(all, step{migrates: true, run: func(ctx context.Context, query doctor.Query, options state.WriteOptions) Fixed {
			return migration(ctx, query, findings, options)
		}})
	}
	agents := query.Home.Agents(query.Config)
	for _, id := range repairedAgents(findings) {
		agent, err := state.FindAgent(agents, id)
		if err != nil {
			continue // a shared store may have findings of a main that is no agent here
		}
		all = append(all, step{run: func(ctx context.Context, query doctor.Query, options state.WriteOptions) Fixed {
			removals, left := possessionsOf(query, query.Home.Agents(query.Config)).removals(findings, id)
			fixed := repair(ctx, query, agent, removals, options)
			if left != "" {
				fixed.Left = []string{left}
			}
			return fixed
		}})
	}
	return all
}

// paths are the files of the findings whose repair is of a kind.
func paths(findings []doctor.Finding, is func(r *doctor.Repair) bool) []string {
	var paths []string
	for _, finding := range findings {
		if finding.Repair != nil && is(finding.Repair) && !slices.Contains(paths, finding.Where.File) {
			paths = append(paths, finding.Where.File)
		}
	}
	return paths
}

// repairedAgents are the agents whose stores something can be done for, as they are found.
func repairedAgents(findings []doctor.Finding) []string {
	var ids []string
	for _, finding := range findings {
		if finding.Repair != nil && finding.Repair.Remove != nil && !slices.Contains(ids, finding.Agent) {
			ids = append(ids, finding.Agent)
		}
	}
	return ids
}

// possessions are what all agents together have.
type possessions struct {
	held   map[auth.ProfileID]bool
	unsure string // whose profiles nobody knows, because something can't be read or waits for a migration; "" for nobody's
}

func possessionsOf(query doctor.Query, agents []state.Agent) possessions {
	p := possessions{held: map[auth.ProfileID]bool{}}
	_, noMain := state.FindAgent(agents, mainAgent)
	for _, agent := range agents {
		loaded, err := query.Home.LoadAgent(agent, query.Now)
		if err != nil || loaded.Blocked != nil || loaded.Main != nil && noMain != nil {
			p.unsure = agent.ID
			continue
		}
		for id := range loaded.Store.Profiles.All() {
			p.held[auth.ProfileID(id)] = true
		}
		for _, pending := range loaded.Pending {
			if pending.Problem != nil {
				p.unsure = agent.ID
			}
			for _, id := range pending.Profiles {
				p.held[auth.ProfileID(id)] = true
			}
		}
	}
	return p
}

// removals are the repairs of an agent's stores that are safe; left says why
// others are not made.
func (p possessions) removals(findings []doctor.Finding, agent string) (removals []state.Repair, left string) {
	for _, finding := range findings {
		if finding.Agent != agent || finding.Repair == nil || finding.Repair.Remove == nil {
			continue
		}
		switch remove := finding.Repair.Remove; {
		case remove.Kind != state.RepairWindow && p.unsure != "":
			left = "references to missing profiles stay: what agent " + p.unsure + " has can't be told until its files are read or migrated"
		case remove.Kind != state.RepairWindow && p.held[remove.Profile]:
			left = "references to profiles that another agent has, or that wait for an import, stay"
		default:
			removals = append(removals, *remove)
		}
	}
	return removals, left
}

// ErrLost is returned for a repair that would remove more than intended, and so is refused.
var ErrLost = errors.New("something would be lost, so nothing is written")

func repair(ctx context.Context, query doctor.Query, agent state.Agent, removals []state.Repair, options state.WriteOptions) Fixed {
	fixed := Fixed{Agent: agent}
	if len(removals) == 0 {
		return fixed
	}
	loaded, err := query.Home.LoadAgent(agent, query.Now)
	if err != nil {
		fixed.Err = err
		return fixed
	}
	fixed.Written, fixed.Err = query.Home.RepairStores(ctx, loaded, removals, func(before, after *auth.Store) error {
		if lost := holdingsOf(before).lost(holdingsOf(after), removals); len(lost) > 0 {
			return fmt.Errorf("%w: %s", ErrLost, words.List(lost, mask.Few))
		}
		return nil
	}, options)
	return fixed
}
