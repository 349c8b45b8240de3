package state

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/sqlite"
)

// Evidence is why a release line was chosen.
type Evidence struct {
	Source   string // "flag", "version", "layout" or "none"
	Detail   string // in words: what was found, and where
	Conflict string // what speaks against it, "" for nothing
}

// Open finds the home, reads its configuration and chooses the release line:
// the named release or, for "auto" or "", the line that the home tells of.
//
// A database of a newer schema than is known is refused later, when it is read,
// unless home.ForceRead is set.
func Open(env Env, release string) (*Home, *Config, Evidence, error) {
	if release != "" && release != "auto" {
		rules, err := auth.RulesFor(release)
		if err != nil {
			return nil, nil, Evidence{}, err
		}
		home := FindHome(env, rules)
		config, err := home.ReadConfig()
		return home, config, Evidence{Source: "flag", Detail: "chosen: " + release}, err
	}
	home := FindHome(env, auth.Newest())
	home.ForceRead = true // the version alone is asked for here
	if !home.exists(home.StateDir) {
		if oldest := FindHome(env, auth.Oldest()); oldest.exists(oldest.StateDir) {
			home = oldest // a directory under a name that only old releases know
		}
	}
	config, err := home.readConfigFile()
	if err != nil {
		// What can't be read tells no version, but the files beside it do.
		rules, evidence := home.detect(nil)
		return FindHome(env, rules), nil, evidence, err
	}
	rules, evidence := home.detect(config.Document())
	chosen := FindHome(env, rules)
	if chosen.ConfigPath != home.ConfigPath {
		config, err = chosen.ReadConfig()
		return chosen, config, evidence, err
	}
	return chosen, config, evidence, chosen.resolveVariables(config)
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
	if !ok && (version == "" || err != nil || auth.PlaceOf(recorded.Line) < auth.PlaceOf(lastJSONTrace)) {
		found, ok = h.filesTrace()
	}
	switch {
	case version != "" && err == nil && (!ok || auth.PlaceOf(recorded.Line) >= auth.PlaceOf(found.oldest)):
		evidence := Evidence{Source: "version", Detail: fmt.Sprintf("%s in %s is %s", key, filepath.Base(h.ConfigPath), version)}
		if auth.IsNewer(version) {
			evidence.Conflict = fmt.Sprintf("%s is newer than the newest known line, %s", version, recorded.Line)
		}
		return recorded, evidence
	case ok:
		evidence := Evidence{Source: "layout", Detail: found.what}
		if version != "" {
			evidence.Conflict = fmt.Sprintf("%s is %s, which is older", key, version)
		}
		rules, _ := auth.RulesFor(found.newest)
		return rules, evidence
	}
	return auth.Newest(), Evidence{Source: "none", Detail: "nothing tells the release, so the newest known line is taken"}
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

// lastJSONTrace is the last line that added something to the JSON files:
// no such file speaks against this line or a newer one.
const lastJSONTrace = "2026.5.12"

// databaseTrace returns what the databases tell, or the configuration that goes with them.
func (h *Home) databaseTrace(config *document.Object) (trace, bool) {
	if version, path := h.schemaOf(filepath.Join(h.StateDir, "state", "openclaw.sqlite")); path != "" {
		return schemaTrace(path, version, 15), true
	}
	for _, dir := range h.agentDirsForTraces() {
		if version, path := h.schemaOf(filepath.Join(dir, agentDatabase)); path != "" {
			return schemaTrace(path, version, 19), true
		}
	}
	if config.Object("agents").Has("entries") {
		return trace{"agents.entries in " + filepath.Base(h.ConfigPath), "2026.8.2", "2026.9.6"}, true
	}
	return trace{}, false
}

// filesTrace returns what tells most about the line among the JSON files.
func (h *Home) filesTrace() (trace, bool) {
	var best trace
	for _, dir := range h.agentDirsForTraces() {
		if t, ok := h.jsonTrace(dir); ok && (best.what == "" || auth.PlaceOf(t.oldest) > auth.PlaceOf(best.oldest)) {
			best = t
		}
	}
	if oauth := filepath.Join(h.OAuthDir, oauthName); best.what == "" && h.exists(oauth) {
		best = trace{oauth, "2026.1.30", "2026.7.1"}
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
	if state := filepath.Join(dir, stateName); h.exists(state) {
		if doc, _ := h.readDocument(profiles, nil); hasSidecarRef(doc) {
			return trace{profiles + " refers to sidecar files", "2026.5.12", "2026.5.12"}, true
		}
		return trace{state, "2026.4.9", "2026.5.28"}, true
	}
	doc, _ := h.readDocument(profiles, nil)
	switch {
	case hasSidecarRef(doc):
		return trace{profiles + " refers to sidecar files", "2026.5.12", "2026.5.12"}, true
	case doc.Has("usageStats") || doc.Has("order") || doc.Has("lastGood"):
		return trace{profiles + " holds state as well", "2026.1.30", "2026.3.31"}, true
	case doc != nil:
		return trace{profiles, "2026.1.30", "2026.5.28"}, true
	}
	if legacy := filepath.Join(dir, legacyAuthName); h.exists(legacy) {
		return trace{legacy, "2026.1.30", "2026.5.28"}, true
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

const agentDatabase = "openclaw-agent.sqlite"

// schemaTrace tells the line from a database's schema version: 1 up to
// 2026.7.1, then up to the given number on 2026.8.2.
func schemaTrace(path string, version uint32, last8 uint32) trace {
	what := fmt.Sprintf("%s has schema version %d", path, version)
	switch {
	case version <= 1:
		return trace{what, "2026.6.11", "2026.7.1"}
	case version <= last8:
		return trace{what, "2026.8.2", "2026.8.2"}
	}
	return trace{what, "2026.9.6", "2026.9.6"}
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
	if version = binary.BigEndian.Uint32(header[60:64]); version == 0 && h.exists(path+"-wal") {
		// The header itself may be only in the -wal still.
		if database, err := h.openDatabase(path, sqlite.AnyRole, ""); err == nil && database != nil {
			version = uint32(database.Schema().UserVersion)
			database.Close()
		}
	}
	return version, path
}
