package repair

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// migration brings a home to what its release needs: files of older releases
// are imported, what was renamed is renamed wherever it stands. It leaves what
// OpenClaw's own doctor leaves on that line (the trees of testdata/doctor were
// made by it), but for what that loses; the comments name each difference. The
// choice of a model is never changed.
//
// A migration is a plan over the documents of a whole home, which package state
// writes as a whole or not at all. Nothing here touches a file.
type migration struct {
	doctor.Query
	rules  *auth.Rules
	line   *lines.Rules
	agents []state.Agent   // one per directory
	parts  map[string]bool // the checks whose findings are repaired

	overrides []agentOverride
	excluded  map[string]bool // directories of agents that can't be written

	m        *state.Migration
	config   *document.Object // the configuration's own document; nil where there is none
	stores   []*heldStore
	files    map[string]*heldStore // the same, by the file of the profiles
	main     []*heldStore          // those of main
	records  []state.Record
	names    map[string]string       // new ids of renamed profiles
	apart    map[string][]string     // ids that agents' own logins got instead of main's
	archived map[string]bool         // files that have been moved aside
	onLoad   map[string][]loadImport // what the next load of an agent imports, by its directory
	before   possession
	told     possession // what goes, and was reported
	// succeeded are logins that others stand for afterwards: newer ones of the same
	// account, tokens in place of a reference to an encrypted file.
	succeeded map[loginHash]loginHash

	notes remarks // what the user should know of what is done
	left  remarks // what is not done, and why
}

// heldStore is one of the stores of a home.
type heldStore struct {
	*state.Stored
	agent string // whose it is
	file  string // that the profiles are in
	files bool   // JSON files that lie beside a database
	// shared is set for the store that all agents overlay.
	shared bool
}

// migrate makes the migrations that findings ask for.
func migrate(ctx context.Context, query doctor.Query, findings []doctor.Finding, options state.WriteOptions) Fixed {
	g := &migration{Query: query, rules: query.Home.Rules, line: lines.Of(query.Home.Rules), parts: map[string]bool{}, excluded: map[string]bool{}}
	for _, finding := range findings {
		switch repair := finding.Repair; {
		case repair != nil && repair.Migrate:
			g.parts[finding.Check] = true
		case repair != nil && repair.Override != nil:
			g.overrides = append(g.overrides, agentOverride{finding.Agent, *repair.Override})
		}
	}
	if len(g.parts) == 0 && len(g.overrides) == 0 {
		return Fixed{}
	}
	// What an import brings may have an old id: one run is enough.
	if g.parts[doctor.IDLegacyImport] && (query.Checks == nil || slices.ContainsFunc(query.Checks, func(c *doctor.Check) bool { return c.ID == doctor.IDRenameOpenAICodex })) {
		g.parts[doctor.IDRenameOpenAICodex] = true
	}
	if pid := query.Home.Gateway(); pid > 0 {
		return Fixed{Left: []string{gatewayText(pid)}}
	}
	for _, agent := range query.Home.Agents(query.Config) {
		if !slices.ContainsFunc(g.agents, func(other state.Agent) bool { return other.Dir == agent.Dir }) {
			g.agents = append(g.agents, agent)
		}
	}
	var failed error
	for {
		written, err := query.Home.Migrate(ctx, query.Config, g.plan, options)
		// What can't be written of one agent does not keep the others from theirs.
		if agent, ok := g.agentOf(err); ok {
			g.excluded[agent.Dir] = true
			failed = errors.Join(failed, fmt.Errorf("agent %s: %w", agent.ID, err))
			continue
		}
		return Fixed{Written: written, Err: errors.Join(failed, err), Notes: g.notes.texts(), Left: g.left.texts()}
	}
}

// agentOf is the agent in whose directory something could not be written; not
// for those that have been left out already.
func (g *migration) agentOf(err error) (state.Agent, bool) {
	failed, ok := errors.AsType[*state.FileError](err)
	if !ok {
		return state.Agent{}, false
	}
	for _, agent := range g.agents {
		inside := failed.File == agent.Dir || strings.HasPrefix(failed.File, agent.Dir+string(filepath.Separator))
		if inside && !g.excluded[agent.Dir] {
			return agent, true
		}
	}
	return state.Agent{}, false
}

// plan changes the documents of a home. It may run several times.
func (g *migration) plan(m *state.Migration) error {
	g.m, g.stores, g.main, g.files, g.records, g.names, g.archived = m, nil, nil, map[string]*heldStore{}, nil, map[string]string{}, map[string]bool{}
	g.apart, g.succeeded, g.onLoad = map[string][]string{}, map[loginHash]loginHash{}, map[string][]loadImport{}
	g.before, g.told = possession{}, possession{}
	g.notes, g.left = nil, nil
	var err error
	if g.config, err = m.Config(); err != nil {
		return err
	}
	complete := g.readStores()
	routes := g.routes()
	if g.parts[doctor.IDLegacyImport] || g.parts[doctor.IDLegacyBlocked] {
		g.importAll()
	}
	if g.parts[doctor.IDProfilesFieldNames] {
		g.keyAliases()
	}
	if g.parts[doctor.IDProfilesAWSSDK] {
		g.moveMarkers()
	}
	if g.parts[doctor.IDSecretsConfig] || g.parts[doctor.IDConfigKeys] {
		g.moveSecrets()
	}
	if g.parts[doctor.IDConfigKeys] {
		g.moveKeys()
	}
	if g.parts[doctor.IDRenameOpenAICodex] || g.parts[doctor.IDRenameProvider] {
		g.renameCodex(complete)
	}
	if g.parts[doctor.IDRenameDefaultLogin] {
		g.renameLogins(complete)
	}
	if g.parts[doctor.IDOrderUnknownID] && complete {
		g.repairOrders()
	}
	g.clearOverrides()
	if err := g.keepRoutes(routes); err != nil {
		return err
	}
	if lost := g.lost(); len(lost) > 0 {
		return fmt.Errorf("%w: %s", ErrLost, words.List(lost, mask.Few))
	}
	for i := range g.records {
		for j, id := range g.records[i].Profiles {
			g.records[i].Profiles[j] = g.renamed(id)
		}
	}
	return m.Remember(g.records)
}

// renamed is the id that a profile has now.
func (g *migration) renamed(id string) string {
	if name, ok := g.names[id]; ok {
		return name
	}
	return id
}

func (g *migration) note(agent, format string, args ...any) {
	g.notes.add(agent, fmt.Sprintf(format, args...))
}

func (g *migration) leave(agent, format string, args ...any) {
	g.left.add(agent, fmt.Sprintf(format, args...))
}

// readStores reads every store of the home and reports whether all can be read
// and written. One that can't be keeps the others from nothing but renames.
func (g *migration) readStores() (complete bool) {
	complete = true
	shared, err := g.m.Shared()
	add := func(agent, file string, files bool, stored *state.Stored, err error) {
		switch {
		case state.IsMissingStore(err) || stored == nil && err == nil:
		case err != nil:
			complete = false
			g.leave(agent, "left as it is: %s", mask.Text(err.Error()))
		default:
			g.addStore(&heldStore{stored, agent, file, files, stored == shared})
			g.before.addStore(stored)
		}
	}
	file := ""
	if shared != nil {
		file = shared.File()
	}
	add(mainAgent, file, false, shared, err)
	for _, agent := range g.agents {
		if g.excluded[agent.Dir] {
			complete = false
			continue
		}
		own, err := g.m.Own(agent)
		file := agent.ProfilesFile()
		if own != nil && g.hasDatabases() {
			file = own.File()
		}
		add(agent.ID, file, false, own, err)
		if g.hasDatabases() {
			files, err := g.m.Files(agent)
			add(agent.ID, agent.ProfilesFile(), true, files, err)
		}
	}
	return complete
}

// isStore reports whether there is a store: a file in the place of one may be a
// map of providers, or something else that is not to be touched.
func (s *heldStore) isStore() bool { return s.Exists || isDatabase(s.file) }

func isDatabase(file string) bool { return strings.HasSuffix(file, ".sqlite") }

func (g *migration) addStore(s *heldStore) {
	g.stores, g.files[s.file] = append(g.stores, s), s
	if s.agent == mainAgent {
		g.main = append(g.main, s)
	}
}

// hasDatabases reports whether the line keeps its stores in databases.
func (g *migration) hasDatabases() bool { return state.RulesOf(g.rules).Backend != state.BackendJSON }

// archive moves a file of an older release aside, named as the line names it:
// NAME.sqlite-import.MS.bak (2026.6.11, 7.1), NAME.migrated-TIME-UUID (2026.8.2+).
// OpenClaw leaves it with the mode that it had; here it is closed to others.
func (g *migration) archive(path string) string {
	name := path + ".sqlite-import." + g.m.Stamp(path) + ".bak"
	if state.RulesOf(g.rules).Backend == state.BackendShared {
		name = path + ".migrated-" + g.m.Stamp(path)
	}
	g.m.Move(path, name)
	g.archived[path] = true
	return name
}

// keep copies a file that a migration rewrites, named as the line names it:
// NAME.WHY.MS.bak (up to 2026.7.1).
func (g *migration) keep(path, why string) {
	if state.RulesOf(g.rules).Backend == state.BackendShared || g.archived[path] {
		return
	}
	if err := g.m.Keep(path, baseOf(path)+"."+why+"."+g.m.Stamp(path)+".bak"); err != nil {
		g.leave("", "no copy of %s: %v", path, err)
	}
}

// errIncludes says that the configuration is spread over several files.
var errIncludes = errors.New("the configuration includes other files, which are not rewritten")

// configurable returns the configuration's document where it may be changed.
func (g *migration) configurable() (*document.Object, error) {
	if g.m.Includes() {
		return nil, errIncludes
	}
	return g.config, nil
}
