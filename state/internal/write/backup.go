package write

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"openclaw-auth/state/internal/disk"
)

const (
	backupsName = "backups"
	// keptBackups is how many backups there are at most; older ones go.
	keptBackups = 100
)

// BackupsDir is where backups are.
func (h *Home) BackupsDir() string { return filepath.Join(h.Private, backupsName) }

// session is a write at work: it holds the lock of openclaw-auth's own processes.
type session struct {
	home  *Home
	files *disk.Writer // of the home
	own   *disk.Writer // of the private directory
	tree  disk.Tree
}

// backUp copies what a job is going to change. The manifest comes last: a
// folder without one is no backup.
func (s *session) backUp(id string, j *Job, edits []Edit) error {
	directory := filepath.Join(s.home.BackupsDir(), id)
	if err := s.own.MakeDirs(directory); err != nil {
		return s.failedBackup(id, err)
	}
	manifest := &Manifest{Version: manifestVersion, ID: id, Why: j.Options.Why, Run: j.Options.Run, Rules: s.home.Line, Undoes: j.undoes,
		Time: j.Options.Clock.Now().UTC().Format(time.RFC3339Nano)}
	for i, e := range edits {
		before, after := e.Contents()
		at := e.Location()
		entry := Entry{Kind: at.Kind, Path: at.File, Part: at.Part, To: at.To, Before: contentsOf(before), After: contentsOf(after)}
		if before != nil {
			entry.Copy = strconv.Itoa(i+1) + "-" + filepath.Base(entry.Path)
			if e.Mode() != 0 {
				entry.Mode = ModeText(e.Mode())
			}
			if err := s.own.Fill(filepath.Join(directory, entry.Copy), before, disk.PrivateMode); err != nil {
				return s.failedBackup(id, err)
			}
		}
		manifest.Entries = append(manifest.Entries, entry)
	}
	text, err := s.home.encode(manifest)
	if err == nil {
		err = s.own.Replace(filepath.Join(directory, manifestName), text) // all of it or none: it says that the copies are there
	}
	if err != nil {
		return s.failedBackup(id, err)
	}
	return nil
}

// newID is the name of the next backup: the time; of two in one moment, or when
// the clock has gone back, the later one gets the later name.
func (s *session) newID(now time.Time) string {
	id := NewID(now)
	if ids := s.home.backupIDs(s.tree); len(ids) > 0 && ids[len(ids)-1] >= id {
		if last, err := time.Parse(idLayout, ids[len(ids)-1]); err == nil {
			id = NewID(last.Add(time.Millisecond))
		}
	}
	return id
}

const idLayout = "20060102T150405.000Z"

// NewID is the id of a backup, or of a run, of a time.
func NewID(at time.Time) string { return at.UTC().Format(idLayout) }

// backupIDs lists the folders in the directory of backups, oldest first.
func (h *Home) backupIDs(tree disk.FS) []string {
	entries, _ := tree.ReadDir(h.BackupsDir())
	var ids []string
	for _, entry := range entries {
		if _, err := time.Parse(idLayout, entry.Name()); err == nil && entry.IsDir() {
			ids = append(ids, entry.Name())
		}
	}
	slices.Sort(ids)
	return ids
}

// failedBackup removes what there is of a backup that failed.
func (s *session) failedBackup(id string, cause error) error {
	s.dropBackup(id)
	return fmt.Errorf("this change is not written, because it could not be backed up: %w", cause)
}

// dropBackup removes a backup, its manifest first. What can't be removed stays:
// without a manifest it is no backup.
func (s *session) dropBackup(id string) {
	directory := filepath.Join(s.home.BackupsDir(), id)
	_ = s.tree.Remove(filepath.Join(directory, manifestName))
	entries, _ := s.tree.ReadDir(directory)
	for _, entry := range entries {
		_ = s.tree.Remove(filepath.Join(directory, entry.Name()))
	}
	_ = s.tree.Remove(directory)
}

// pruneBackups removes the oldest backups, and folders that never became one.
func (s *session) pruneBackups() {
	ids := s.home.backupIDs(s.tree)
	for i, id := range ids {
		_, err := s.tree.Lstat(filepath.Join(s.home.BackupsDir(), id, manifestName))
		if i < len(ids)-keptBackups || disk.IsMissing(err) {
			s.dropBackup(id)
		}
	}
}

// Backups lists the backups that can be read, the newest first, and what is
// wrong with each of the others.
func (h *Home) Backups() (backups []Manifest, damaged []error) {
	tree, err := h.private()
	if disk.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{err}
	}
	defer tree.Close()
	for _, id := range slices.Backward(h.backupIDs(tree)) {
		manifest, err := h.readBackup(tree, id)
		switch {
		case disk.IsMissing(err):
		case err != nil:
			damaged = append(damaged, err)
		default:
			backups = append(backups, *manifest)
		}
	}
	return backups, damaged
}

// ReadBackup reads the manifest of a backup.
func (h *Home) ReadBackup(id string) (*Manifest, error) {
	tree, err := h.private()
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	return h.readBackup(tree, id)
}

func (h *Home) readBackup(tree disk.Tree, id string) (*Manifest, error) {
	if filepath.Base(id) != id {
		return nil, fmt.Errorf("%w: %q is not an id", ErrNoBackup, id)
	}
	path := filepath.Join(h.BackupsDir(), id, manifestName)
	text, err := h.read(tree, path, disk.MaxConfig)
	if err != nil {
		return nil, err
	}
	return h.decode(path, id, text)
}

// readCopy reads what a backup holds of an entry; nil for nothing.
func (h *Home) readCopy(backup *Manifest, entry Entry) ([]byte, error) {
	if !entry.Before.Exists {
		return nil, nil
	}
	tree, err := h.private()
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	path := filepath.Join(h.BackupsDir(), backup.ID, filepath.Base(entry.Copy))
	content, err := h.read(tree, path, disk.MaxDocument)
	if err != nil {
		return nil, err
	}
	if content == nil {
		content = []byte{}
	}
	if HashOf(content) != entry.Before.SHA256 {
		return nil, &disk.FileError{File: path, Message: "is not what was backed up"}
	}
	return content, nil
}

// ErrNoBackup is returned when there is nothing to take back.
var ErrNoBackup = errors.New("no such backup")
