package state

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/release"
	"openclaw-auth/state/internal/sqlite"
)

// Evidence is why a release line was chosen.
type Evidence struct {
	Source   string // "flag", "version", "layout" or "none"
	Detail   string // in words: what was found, and where
	Conflict string // what speaks against it, "" for nothing
}

// Opened is a home that was found and whose release was chosen.
type Opened struct {
	Home     *Home
	Config   *Config
	Evidence Evidence // why that release
}

// Open finds the home, reads its configuration and chooses the release line:
// the named release or, for "auto" or "", the line that the files of the home point to.
//
// The error says what is wrong with the configuration; the home and the evidence
// are there all the same, unless the release is not known. A database of a newer schema than is known is refused later, when it is read,
// unless home.ForceRead is set.
func Open(env Env, release string) (Opened, error) {
	if release != "" && release != "auto" {
		rules, err := auth.RulesFor(release)
		if err != nil {
			return Opened{}, err
		}
		home := findHome(env, rules)
		config, err := home.ReadConfig()
		return Opened{home, config, Evidence{Source: "flag", Detail: "chosen: " + release}}, err
	}
	home := findHome(env, auth.Newest())
	home.ForceRead = true // the version alone is asked for here
	if !home.Exists(home.StateDir) {
		if oldest := findHome(env, auth.Oldest()); oldest.Exists(oldest.StateDir) {
			home = oldest // a directory under a name that only old releases know
		}
	}
	config, err := home.readConfigFile()
	if err != nil {
		// What can't be read tells no version, but the files beside it do.
		rules, evidence := home.detect(nil)
		return Opened{Home: findHome(env, rules), Evidence: evidence}, err
	}
	rules, evidence := home.detect(config.Document())
	chosen := findHome(env, rules)
	if chosen.ConfigPath != home.ConfigPath {
		config, err = chosen.ReadConfig()
		return Opened{chosen, config, evidence}, err
	}
	return Opened{chosen, config, evidence}, chosen.resolveVariables(config)
}

// trace is something on disk that only certain lines leave.
type trace struct {
	what   string
	oldest string // the first line that leaves it
	newest string // the last line that leaves it and nothing newer
}

// detect chooses the line: the one that wrote the configuration last, unless
// the files on disk are of a newer kind.
func (h *Home) detect(config *document.Object) (*auth.Rules, Evidence) {
	version, key := recordedVersion(config)
	recorded, err := auth.RulesFor(version)
	found, ok := h.databaseTrace(config)
	if !ok && (version == "" || err != nil || release.Place(recorded.Line) < release.Place(lastJSONTrace())) {
		found, ok = h.filesTrace()
	}
	switch {
	case version != "" && err == nil && (!ok || release.Place(recorded.Line) >= release.Place(found.oldest)):
		evidence := Evidence{Source: "version", Detail: fmt.Sprintf("%s in %s is %s", key, filepath.Base(h.ConfigPath), version)}
		if release.Newer(version) {
			evidence.Conflict = fmt.Sprintf("%s is newer than the newest known line, %s", version, recorded.Line)
		}
		return recorded, evidence
	case ok:
		evidence := Evidence{Source: "layout", Detail: found.what}
		chosen := found.newest
		if version != "" && err == nil {
			// What is on disk is of a newer kind: the nearest release that leaves it.
			chosen = found.oldest
		}
		if version != "" {
			evidence.Conflict = fmt.Sprintf("%s is %s, which is older", key, version)
		}
		rules, _ := auth.RulesFor(chosen)
		return rules, evidence
	}
	missing := "nothing shows the release"
	if !h.Exists(h.StateDir) {
		missing = "there is no state directory"
	}
	return auth.Newest(), Evidence{Source: "none", Detail: missing + ", so the newest known one is assumed"}
}

// recordedVersion returns the release that wrote the configuration last, and the key that says so.
func recordedVersion(config *document.Object) (version, key string) {
	for _, at := range [][2]string{{"meta", "lastTouchedVersion"}, {"wizard", "lastRunVersion"}} {
		if version := config.Object(at[0]).Text(at[1]); version != "" {
			return version, at[0] + "." + at[1]
		}
	}
	return "", ""
}

// lastJSONTrace returns the last line that added something to the JSON files:
// no such file speaks against this line or a newer one.
func lastJSONTrace() string {
	return sidecarTrace("").newest
}

// traceOf is what exactly the lines with some storage rules leave.
func traceOf(what string, leaves func(*Rules) bool) trace {
	oldest, newest := rulesTable.Span(leaves)
	return trace{what, oldest, newest}
}

// sidecarTrace is what the lines leave that accept logins in sidecar files.
func sidecarTrace(what string) trace {
	oldest, newest := auth.Span(func(r *auth.Rules) bool { return r.Eligibility.OAuthRef == auth.RefSidecar })
	return trace{what, oldest, newest}
}

// What lines leave in an agent directory.
func withJSON(r *Rules) bool      { return r.Backend == BackendJSON }
func withOneFile(r *Rules) bool   { return withJSON(r) && !r.StateFile }
func withStateFile(r *Rules) bool { return withJSON(r) && r.StateFile }

// databaseTrace returns what the databases tell, or the configuration that goes with them.
func (h *Home) databaseTrace(config *document.Object) (trace, bool) {
	if version, path := h.schemaOf(filepath.Join(h.StateDir, "state", "openclaw.sqlite")); path != "" {
		return schemaTrace(path, int64(version), func(l release.Line) int64 { return l.StateSchema }), true
	}
	for _, dir := range h.agentDirsForTraces() {
		if version, path := h.schemaOf(filepath.Join(dir, agentDatabase)); path != "" {
			return schemaTrace(path, int64(version), func(l release.Line) int64 { return l.AgentSchema }), true
		}
	}
	if config.Object("agents").Has("entries") {
		return traceOf("agents.entries in "+filepath.Base(h.ConfigPath), func(r *Rules) bool { return r.AgentEntries }), true
	}
	return trace{}, false
}

// filesTrace returns what tells most about the line among the JSON files.
func (h *Home) filesTrace() (trace, bool) {
	var best trace
	for _, dir := range h.agentDirsForTraces() {
		if t, ok := h.jsonTrace(dir); ok && (best.what == "" || release.Place(t.oldest) > release.Place(best.oldest)) {
			best = t
		}
	}
	if oauth := filepath.Join(h.OAuthDir, oauthName); best.what == "" && h.Exists(oauth) {
		best = traceOf(oauth, func(r *Rules) bool { return r.OAuthOnLoad })
	}
	return best, best.what != ""
}

// agentDirsForTraces lists agent directories, main's first. A few tell as much as all.
func (h *Home) agentDirsForTraces() []string {
	dirs := []string{h.mainDir()}
	entries, _ := h.FS.ReadDir(filepath.Join(h.StateDir, "agents"))
	for _, entry := range entries[:min(len(entries), 16)] {
		if dir := h.agentDir(entry.Name(), nil); dir != dirs[0] {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// jsonTrace tells the lines that leave such files in an agent directory.
func (h *Home) jsonTrace(dir string) (trace, bool) {
	profiles := filepath.Join(dir, profilesName)
	if state := filepath.Join(dir, stateName); h.Exists(state) {
		if doc, _ := h.ReadObject(profiles); hasSidecarRef(doc) {
			return sidecarTrace(profiles + " refers to sidecar files"), true
		}
		return traceOf(state, withStateFile), true
	}
	doc, _ := h.ReadObject(profiles)
	switch {
	case hasSidecarRef(doc):
		return sidecarTrace(profiles + " refers to sidecar files"), true
	case doc.Has("usageStats") || doc.Has("order") || doc.Has("lastGood"):
		return traceOf(profiles+" holds state as well", withOneFile), true
	case doc != nil:
		return traceOf(profiles, withJSON), true
	}
	if legacy := filepath.Join(dir, legacyAuthName); h.Exists(legacy) {
		return traceOf(legacy, withJSON), true
	}
	return trace{}, false
}

func hasSidecarRef(doc *document.Object) bool {
	for _, value := range doc.Object("profiles").All() {
		if credential, _ := value.(*document.Object); credential.Object("oauthRef") != nil {
			return true
		}
	}
	return false
}

// schemaTrace tells the lines from the schema version of a database: those of
// the lowest schema that is not below it, or of the highest one.
func schemaTrace(path string, version int64, schemaOf func(release.Line) int64) trace {
	t, fitting := trace{what: fmt.Sprintf("%s has schema version %d", path, version)}, int64(0)
	for _, line := range release.Lines() {
		schema := schemaOf(line)
		if schema != fitting && fitting < version {
			fitting, t.oldest = schema, line.Name
		}
		if schema == fitting {
			t.newest = line.Name
		}
	}
	return t
}

// schemaOf reads the schema version out of a database's header; path is "" if
// the file is no database.
func (h *Home) schemaOf(path string) (version uint32, found string) {
	file, err := h.FS.Open(path)
	if err != nil {
		return 0, ""
	}
	defer file.Close()
	header := make([]byte, 100)
	if _, err := io.ReadFull(file, header); err != nil || string(header[:16]) != "SQLite format 3\x00" {
		return 0, ""
	}
	if version = binary.BigEndian.Uint32(header[60:64]); version == 0 && h.Exists(path+"-wal") {
		// The header itself may be only in the -wal still.
		if database, err := h.OpenDatabase(path, sqlite.AnyRole, ""); err == nil && database != nil {
			version = uint32(database.Schema().UserVersion)
			database.Close()
		}
	}
	return version, path
}
