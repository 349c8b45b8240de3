package state

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/state/internal/lock"
	"openclaw-auth/state/internal/write"
)

// WriteOptions say how a write goes about it. The context that each writing method
// takes ends the wait for a lock; a write that has begun is finished.
type WriteOptions = write.Options

// Moment makes what a plan invents the same whenever it is made.
type Moment = write.Moment

// ErrOtherPlan is returned when a write would not be the one that was planned.
var ErrOtherPlan = write.ErrOtherPlan

// Digest stands for the changes of a write: what WriteOptions.Want asks for.
// Nothing of what the changes hold can be read from it.
func (w *Written) Digest() string {
	changes := make([]write.Change, len(w.Changes))
	for i, c := range w.Changes {
		changes[i] = write.Change{Location: write.Location{Kind: c.kind, File: c.File, Part: c.Part, To: c.to}, Before: c.Before, After: c.After}
	}
	return write.Digest(changes)
}

// Hash is the SHA-256 of a content in hexadecimal digits; "" for none.
func Hash(content []byte) string { return write.HashOf(content) }

// Manifest is what a backup says of itself.
type Manifest = write.Manifest

// BackupEntry is one thing that a write changed.
type BackupEntry = write.Entry

// ErrNoBackup is returned when there is nothing to take back.
var ErrNoBackup = write.ErrNoBackup

// NewRun is an id for what a command writes in several goes, from its time.
func NewRun(at time.Time) string { return write.NewID(at) }

// Written is what a write has done, or would do.
type Written struct {
	Changes  []Change
	Backup   string   // id of the backup, "" where nothing was written
	Warnings []string // what the user should know, one line each
}

// Change is what a write does to one file, or to one part of one.
type Change struct {
	File, Part    string
	Before, After []byte // nil for nothing; they hold secrets
	Mode          fs.FileMode
	Config        bool // the file is the configuration

	kind write.Kind
	to   string
}

// ChangedError says that something has changed since a backup was made, so that
// taking it back would lose that.
type ChangedError struct {
	Backup Manifest
	// Since is what taking the backup back would change now: what has become of
	// the files against what they were before.
	Since []Change
	err   error
}

func (e *ChangedError) Error() string { return e.err.Error() }
func (e *ChangedError) Unwrap() error { return e.err }

func (h *Home) change(c write.Change) Change {
	return Change{
		File: c.File, Part: c.Part, Before: c.Before, After: c.After, Mode: c.Mode,
		Config: c.Kind == write.KindFile && c.File == h.ConfigPath, kind: c.Kind, to: c.To,
	}
}

// result turns what package write returns into what this package does.
func (h *Home) result(w *write.Written, err error) (*Written, error) {
	if changed, ok := errors.AsType[*write.ChangedError](err); ok {
		own := &ChangedError{Backup: changed.Backup, err: err}
		for _, change := range changed.Since {
			own.Since = append(own.Since, h.change(change))
		}
		err = own
	}
	if w == nil {
		return nil, err
	}
	written := &Written{Backup: w.Backup, Warnings: w.Warnings}
	for _, change := range w.Changes {
		written.Changes = append(written.Changes, h.change(change))
	}
	return written, err
}

// run does a job: the one way in which anything of a home is written.
func (h *Home) run(ctx context.Context, j write.Job) (*Written, error) {
	return h.result(h.writes().Run(ctx, j))
}

// writes is the home as package write sees it.
func (h *Home) writes() *write.Home {
	return &write.Home{
		Env: h.Env, Private: h.privateDir(), Line: h.Rules.Line,
		Places: sync.OnceValue(h.places), Litter: h.agentFolders, UndoPart: h.undoPart, Hold: h.holdFor,
	}
}

// privateDir is the directory of openclaw-auth's own files.
func (h *Home) privateDir() string { return filepath.Join(h.StateDir, privateName) }

// BackupsDir is where backups are.
func (h *Home) BackupsDir() string { return h.writes().BackupsDir() }

// Backups lists the backups that can be read, the newest first, and what is
// wrong with each of the others.
func (h *Home) Backups() (backups []Manifest, damaged []error) { return h.writes().Backups() }

// ReadBackup reads the manifest of a backup.
func (h *Home) ReadBackup(id string) (*Manifest, error) { return h.writes().ReadBackup(id) }

// FindBackup returns the named backup or, for "", the last one that has not been
// taken back and does not take another back.
func (h *Home) FindBackup(id string) (*Manifest, error) { return h.writes().FindBackup(id) }

// FindRun is FindBackup for all that one command wrote: the backup of that id
// or, if it is the id of a run or the backup belongs to one and none is named,
// those of the run that have not been taken back, the newest first.
func (h *Home) FindRun(id string) ([]Manifest, error) { return h.writes().FindRun(id) }

// Unfinished returns the backup of a write that was begun and not finished, ""
// for none. The next write takes it back first.
func (h *Home) Unfinished() string { return h.writes().Unfinished() }

// Recover takes back a write that a killed process has left half done; there
// are no changes where none is.
func (h *Home) Recover(ctx context.Context, options WriteOptions) (*Written, error) {
	return h.result(h.writes().Recover(ctx, options))
}

// Undo puts back what a backup holds, if nothing has changed since; otherwise
// the error is a ChangedError. The backup stays, and so does one of what the
// undo itself changes.
func (h *Home) Undo(ctx context.Context, backup *Manifest, options WriteOptions) (*Written, error) {
	return h.result(h.writes().Undo(ctx, backup, options))
}

// places are the directories that writes may change: the state directory, and
// what the environment or the configuration puts elsewhere.
func (h *Home) places() []write.Place {
	places := []write.Place{{Dir: h.StateDir}}
	add := func(place write.Place) {
		if !slices.ContainsFunc(places, func(p write.Place) bool { return p.Name == place.Name }) {
			places = append(places, place)
		}
	}
	config, _ := h.readConfigFile() // what can't be read names no directories
	if config == nil {
		config = &Config{Path: h.ConfigPath}
	}
	add(write.Place{Name: "config", Dir: filepath.Dir(h.ConfigPath), Holds: func(path string) bool {
		return path == h.ConfigPath || strings.HasPrefix(path, h.ConfigPath+".") || slices.Contains(config.Includes(), path)
	}})
	add(write.Place{Name: "oauth", Dir: h.OAuthDir})
	add(write.Place{Name: "main", Dir: h.mainDir()})
	for _, agent := range h.Agents(config) {
		add(write.Place{Name: "agent " + agent.ID, Dir: agent.Dir})
		sessions := h.Sessions(config, agent).File()
		waiting := strings.TrimSuffix(sessions, filepath.Ext(sessions)) + ".json"
		add(write.Place{Name: "sessions " + agent.ID, Dir: filepath.Dir(sessions), Holds: func(path string) bool {
			return path == sessions || path == waiting || strings.HasPrefix(path, waiting+".")
		}})
	}
	return places
}

// agentFolders are the directories in which a killed process may have left
// temporary files and locks.
func (h *Home) agentFolders() []string {
	folders := []string{h.StateDir, filepath.Dir(h.ConfigPath), h.OAuthDir}
	config, _ := h.readConfigFile()
	if config == nil {
		config = &Config{Path: h.ConfigPath}
	}
	for _, agent := range h.Agents(config) {
		folders = append(folders, agent.Dir, filepath.Dir(h.Sessions(config, agent).File()))
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// storeLock is the lock of a store on a line.
func storeLock(rules *Rules) lock.Kind {
	return lock.Kind{Name: "store", Directory: rules.LockDirectory, Newline: rules.LockNewline, AgesMute: rules.LockUnreadable}
}

var sessionLock = lock.Kind{Name: "sessions", AgesMute: true, MuteAtOnce: true}

// holdFor adds to a job what OpenClaw, the release of a backup, locks while it
// writes what the backup holds.
func (h *Home) holdFor(backup *Manifest, j *write.Job) {
	rules, err := auth.RulesFor(backup.Rules)
	if err != nil {
		rules = auth.Newest()
	}
	for _, entry := range backup.Entries {
		switch base := filepath.Base(entry.Path); {
		case entry.Kind == write.KindCell:
			h.databaseOf(entry).join(j)
		case base == profilesName || base == stateName:
			j.Locks = append(j.Locks, write.LockedFile{Path: filepath.Join(filepath.Dir(entry.Path), profilesName), Kind: storeLock(RulesOf(rules))})
		case entry.Kind == write.KindSession || entry.Kind == write.KindSessions:
			j.Locks = append(j.Locks, write.LockedFile{Path: entry.Path, Kind: sessionLock})
		}
	}
}

// undoPart is the edit that puts a cell of a database, or the entries of
// sessions, back.
func (h *Home) undoPart(entry BackupEntry, content []byte, j *write.Job) (write.Edit, error) {
	if entry.Kind != write.KindCell {
		return h.undoEntries(entry, content)
	}
	cell, err := cellNamed(entry)
	if err != nil {
		return nil, err
	}
	database := h.databaseOf(entry)
	for _, joined := range j.Databases {
		if d, ok := joined.(databaseStore); ok && d.path == entry.Path {
			database = d
		}
	}
	now, err := database.readCell(cell)
	return &cellEdit{store: database, cell: cell, before: now.JSON, after: content}, err
}

// modeOf is a file's mode, 0 where there is no file.
func (h *Home) modeOf(path string) fs.FileMode {
	info, err := h.FS.Stat(path)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}
