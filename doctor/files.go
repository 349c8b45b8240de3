package doctor

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"openclaw-auth/doctor/command"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// permissions reports files with secrets that others may read.
func permissions() *Check {
	return &Check{
		ID: IDFilesPermissions, Severity: Warning,
		Title: "modes of the state directory, the configuration, stores, logins and their copies",
		Why:   "whoever can read such a file has the keys in it",
		Fix:   "doctor --fix, or chmod go= FILE, closes it; OpenClaw's own doctor leaves credentials, backups and archives as they are",
		home: func(x *examination) {
			h := x.Home
			if !x.exists(h.StateDir) {
				return // a configuration alone, as a repository has it
			}
			x.mode(h.StateDir, "")
			x.mode(h.ConfigPath, "")
			for _, file := range x.Config.Includes() {
				x.mode(file, "")
			}
			x.mode(h.OAuthDir, "")
			x.copies(h.StateDir, "")
			for _, entry := range x.list(h.OAuthDir) {
				x.mode(filepath.Join(h.OAuthDir, entry.Name()), "")
			}
		},
		agent: func(x *examination, p *examinedAgent) {
			for _, entry := range p.entries {
				if isSensitive(entry.Name()) {
					x.mode(p.file(entry.Name()), p.Agent.ID)
				}
			}
		},
	}
}

// isSensitive reports whether a file of an agent's directory may hold secrets.
func isSensitive(name string) bool {
	return strings.HasPrefix(name, "auth") && strings.Contains(name, ".json") && !strings.HasSuffix(name, ".lock") && !strings.Contains(name, ".lock.") ||
		strings.HasPrefix(name, "openclaw-agent.sqlite") || strings.HasPrefix(name, "models.json") || isCopy(name)
}

func (x *examination) list(directory string) []fs.DirEntry {
	entries, _ := x.Home.FS.ReadDir(directory)
	return entries
}

// copies looks at the copies that lie in a directory.
func (x *examination) copies(directory, agent string) {
	for _, entry := range x.list(directory) {
		if isCopy(entry.Name()) {
			x.mode(filepath.Join(directory, entry.Name()), agent)
		}
	}
}

// mode reports a file, or a directory, that others may use. Only a real file
// of a system with modes has one that counts.
func (x *examination) mode(path, agent string) {
	info, err := x.Home.FS.Stat(path)
	if err != nil || info.Sys() == nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	f := Finding{Agent: agent, Code: "mode", Where: state.Origin{File: path}, Treats: "left as it is", Fix: "take the others' access away", Commands: pasted("chmod go= " + command.Quote(path)),
		Message: fmt.Sprintf("mode %04o: others may %s it", info.Mode().Perm(), access(info.Mode()))}
	if path == x.Home.StateDir || path == x.Home.ConfigPath {
		f.Treats = "openclaw doctor --fix closes it"
	}
	if x.isOurs(path) {
		f.Repair = &Repair{Close: true}
	}
	if info.Mode().Perm()&0o022 != 0 {
		f.Severity = Error
	}
	x.add(f)
}

// isOurs reports whether a file is OpenClaw's own and stays: a file that the
// configuration includes from elsewhere may be meant for others, and those that
// SQLite keeps beside a database come and go.
func (x *examination) isOurs(path string) bool {
	inside := path == x.Home.ConfigPath || path == x.Home.StateDir || strings.HasPrefix(path, x.Home.StateDir+string(filepath.Separator))
	return inside && !strings.HasSuffix(path, "-wal") && !strings.HasSuffix(path, "-shm") && !strings.HasSuffix(path, "-journal")
}

func access(mode fs.FileMode) string {
	var verbs []string
	if mode&0o044 != 0 {
		verbs = append(verbs, "read")
	}
	if mode&0o022 != 0 {
		verbs = append(verbs, "write")
	}
	if len(verbs) == 0 {
		return "enter"
	}
	return strings.Join(verbs, " and ")
}

// links reports stores and configurations that are links.
func links() *Check {
	return &Check{
		ID: IDFilesLinks, Severity: Info,
		Title: "stores and configurations that are symbolic or hard links",
		Why:   "a write replaces the file: a hard link's other name keeps the old content, and two names of one store are locked apart",
		Fix:   "keep one name; a symbolic link is followed by every write",
		home:  func(x *examination) { x.link(x.Home.ConfigPath, "") },
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				x.link(s.Profiles, s.agent)
				if s.State != s.Profiles {
					x.link(s.State, s.agent)
				}
			}
		},
	}
}

func (x *examination) link(path, agent string) {
	info, err := x.Home.FS.Lstat(path)
	if err != nil {
		return
	}
	f := Finding{Agent: agent, Code: "symbolic", Where: state.Origin{File: path}}
	switch links := linksOf(info); {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := x.Home.FS.EvalSymlinks(path)
		if err != nil {
			return
		}
		f.Message, f.Treats = "a symbolic link to "+target, "followed; the lock is beside the link"
	case links > 1 && !info.IsDir():
		f.Severity, f.Code = Warning, "hard"
		f.Message = fmt.Sprintf("a hard link: the file has %d names", links)
		f.Treats = "the next write gives this name a new file; the other names keep the old content"
		if isDatabase(path) {
			f.Treats = "two names of one database have logs of their own: writes through both damage it"
		}
	default:
		return
	}
	x.add(f)
}

// unfinished reports a write of openclaw-auth that was interrupted, and the
// temporary files that it left behind.
func unfinished() *Check {
	return &Check{
		ID: IDFilesUnfinished, Severity: Error,
		Title: "a write of openclaw-auth that was not finished: its process was killed, or the machine stopped",
		Why:   "some of what belongs together is as it was, some as it was to be",
		Fix:   "doctor --fix takes back what is half done, and so does any other write first",
		home: func(x *examination) {
			if id := x.Home.Unfinished(); id != "" {
				x.add(Finding{Code: "unfinished", Where: state.Origin{File: filepath.Join(x.Home.BackupsDir(), id)}, Message: "a write was not finished; what was there before is in this backup",
					Treats: "OpenClaw reads the files as they are"})
			}
			for _, file := range x.Home.LeftBehind() {
				x.add(Finding{Severity: Warning, Code: "left-behind", Where: state.Origin{File: file}, Message: "a temporary file of an openclaw-auth that was killed; it may hold a whole store, with its keys",
					Treats: "OpenClaw never reads it", Fix: "nothing to do: the next write of openclaw-auth removes it"})
			}
		},
	}
}

// locks reports locks that nobody holds, and of those that somebody does.
func locks() *Check {
	return &Check{
		ID: IDFilesLocks, Severity: Warning,
		Title: "locks of stores and sessions: who holds them, and whether that process still runs",
		Why:   "a lock whose process is gone costs every writer a wait; some releases never remove it",
		Fix:   "doctor --fix removes the lock of a process that is gone. One that can't be read is removed by hand while no OpenClaw runs",
		home: func(x *examination) {
			found, err := x.Home.Locks(x.Config, x.time())
			if err != nil {
				x.add(Finding{Code: "unreadable", Message: "the locks can't be looked at: " + mask.Text(err.Error()), Where: state.Origin{File: x.Home.StateDir}})
			}
			for _, lock := range found {
				x.lock(lock)
			}
		},
		agent: (*examination).transcriptLocks,
	}
}

func (x *examination) lock(lock state.Lock) {
	f := Finding{Code: "held", Severity: Info, Where: state.Origin{File: lock.File}, Message: "held by " + lock.Describe(x.time()),
		Treats: "other writers wait", Fix: "nothing to do"}
	switch {
	case lock.Stale:
		f.Severity, f.Code = Warning, "stale"
		f.Message = fmt.Sprintf("a lock that nobody holds: %s (%s old)", lock.Why, words.Duration(max(lock.Age(x.time()).Milliseconds(), 0)))
		if lock.PID > 0 {
			f.Message = fmt.Sprintf("a lock that nobody holds: process %d is gone (%s old)", lock.PID, words.Duration(max(lock.Age(x.time()).Milliseconds(), 0)))
		}
		f.Treats, f.Fix = "the next writer removes it", "nothing to do; doctor --fix removes it if its process is gone"
		if lock.PID > 0 && !lock.Directory {
			f.Repair = &Repair{Unlock: true}
		}
	case !lock.Alive && lock.PID == 0 && lock.Kind != "openclaw-auth":
		f.Severity, f.Code, f.Treats = Warning, "unreadable", "never removed: every write waits and fails"
		if state.RulesOf(x.rules).LockUnreadable {
			f.Treats = "the next writer removes it once it is 30 s old"
		}
		f.Message, f.Fix = "a lock that does not tell who holds it: "+lock.Why, "remove it while no OpenClaw is running"
	}
	x.add(f)
}

// transcriptLocks reports stale locks of sessions' transcripts.
func (x *examination) transcriptLocks(p *examinedAgent) {
	directory := filepath.Join(x.Home.StateDir, "agents", p.Agent.ID, "sessions")
	for _, entry := range x.list(directory) {
		if !strings.HasSuffix(entry.Name(), ".jsonl.lock") {
			continue
		}
		path := filepath.Join(directory, entry.Name())
		pid, _ := x.document(path).Object().Number("pid")
		if pid > 0 && state.IsAlive(int(pid)) {
			continue
		}
		f := Finding{Agent: p.Agent.ID, Code: "stale", Where: state.Origin{File: path}, Treats: "stays; nothing of this release removes it", Fix: "remove it while no OpenClaw is running",
			Message: "a transcript's lock that names no process"}
		if x.line.SessionLocks {
			f.Treats, f.Fix = "openclaw doctor --fix removes it", "remove it"
		}
		if pid > 0 {
			f.Message = fmt.Sprintf("a transcript's lock that nobody holds: process %d is gone", int(pid))
			f.Fix, f.Repair = "doctor --fix removes it", &Repair{Unlock: true}
		}
		x.add(f)
	}
}
