package state

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Manifest is what a backup tells of itself.
type Manifest struct {
	Version int           `json:"version"`
	ID      string        `json:"id"`
	Why     string        `json:"why"`  // the command
	Time    string        `json:"time"` // RFC 3339
	Rules   string        `json:"rules"`
	Run     string        `json:"run,omitempty"`    // of all backups of one command that wrote several times
	Undoes  string        `json:"undoes,omitempty"` // the backup that the command took back
	Entries []BackupEntry `json:"entries"`
}

// BackupEntry is one thing that a write changed.
type BackupEntry struct {
	Path   string   `json:"path"`
	Part   string   `json:"part,omitempty"` // of the file, where it is not all of it
	Copy   string   `json:"copy,omitempty"` // name of the copy in the backup, none where there was nothing
	Mode   string   `json:"mode,omitempty"` // the file's mode before
	Before Contents `json:"before"`
	After  Contents `json:"after"`
}

// Contents identify what was there, or that nothing was.
type Contents struct {
	Exists bool   `json:"exists"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256,omitempty"`
}

func contentsOf(content []byte) Contents {
	return Contents{content != nil, len(content), hashOf(content)}
}

// match reports whether a content is the one that these identify.
func (c Contents) match(content []byte) bool {
	return c.Exists == (content != nil) && c.SHA256 == hashOf(content)
}

const (
	manifestVersion = 1
	manifestName    = "manifest.json"
	backupsName     = "backups"
	// keptBackups is how many backups there are at most; older ones go.
	keptBackups = 100
)

// BackupsDir is where backups are.
func (h *Home) BackupsDir() string { return filepath.Join(h.PrivateDir(), backupsName) }

// backUp copies what a job is going to change. The manifest comes last: a
// folder without one is no backup.
func (w *writer) backUp(j job, edits []edit) (string, error) {
	id, directory, err := w.newBackup(j.options.Clock.Now())
	if err != nil {
		return "", err
	}
	manifest := Manifest{Version: manifestVersion, ID: id, Why: j.options.Why, Run: j.options.Run, Rules: w.line, Undoes: j.undoes,
		Time: j.options.Clock.Now().UTC().Format(time.RFC3339Nano)}
	for i, e := range edits {
		before, after := e.contents()
		entry := BackupEntry{Before: contentsOf(before), After: contentsOf(after)}
		entry.Path, entry.Part = e.location()
		if before != nil {
			entry.Copy = strconv.Itoa(i+1) + "-" + filepath.Base(entry.Path)
			if e.mode() != 0 {
				entry.Mode = modeText(e.mode())
			}
			if err := w.fill(filepath.Join(directory, entry.Copy), before, privateMode); err != nil {
				return "", w.failedBackup(id, err)
			}
		}
		manifest.Entries = append(manifest.Entries, entry)
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err == nil {
		err = w.fill(filepath.Join(directory, manifestName), append(text, '\n'), privateMode)
	}
	if err == nil {
		err = w.syncDir(directory)
	}
	if err != nil {
		return "", w.failedBackup(id, err)
	}
	return id, nil
}

// newBackup makes the folder of a backup. Its name is the time; of two in one
// moment the later one gets the later name.
func (w *writer) newBackup(now time.Time) (id, directory string, err error) {
	backups := filepath.Join(w.private, backupsName)
	if err := w.makeDirs(backups); err != nil {
		return "", "", err
	}
	id = backupID(now)
	if ids := w.env.backupIDs(backups); len(ids) > 0 && ids[len(ids)-1] >= id {
		last, err := time.Parse(idLayout, ids[len(ids)-1])
		if err == nil {
			id = backupID(last.Add(time.Millisecond))
		}
	}
	directory = filepath.Join(backups, id)
	return id, directory, w.makeDirs(directory)
}

const idLayout = "20060102T150405.000Z"

// NewRun is an id for what a command writes in several goes, from its time.
func NewRun(at time.Time) string { return backupID(at) }

func backupID(at time.Time) string { return at.UTC().Format(idLayout) }

// backupIDs lists the folders in the directory of backups, oldest first.
func (e Env) backupIDs(backups string) []string {
	entries, _ := e.FS.ReadDir(backups)
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
func (w *writer) failedBackup(id string, cause error) error {
	w.dropBackup(id)
	return fmt.Errorf("no backup, so nothing is written: %w", cause)
}

// dropBackup removes a backup, its manifest first. What can't be removed stays:
// without a manifest it is no backup.
func (w *writer) dropBackup(id string) {
	directory := filepath.Join(w.private, backupsName, id)
	_ = w.disk.Remove(filepath.Join(directory, manifestName))
	entries, _ := w.env.FS.ReadDir(directory)
	for _, entry := range entries {
		_ = w.disk.Remove(filepath.Join(directory, entry.Name()))
	}
	_ = w.disk.Remove(directory)
}

// pruneBackups removes the oldest backups, and folders that became none.
func (w *writer) pruneBackups() {
	backups := filepath.Join(w.private, backupsName)
	ids := w.env.backupIDs(backups)
	for i, id := range ids {
		_, err := w.env.FS.Stat(filepath.Join(backups, id, manifestName))
		if i < len(ids)-keptBackups || isMissing(err) {
			w.dropBackup(id)
		}
	}
}

// Backups lists the backups, the newest first.
func (h *Home) Backups() ([]Manifest, error) {
	var manifests []Manifest
	for _, id := range slices.Backward(h.backupIDs(h.BackupsDir())) {
		manifest, err := h.ReadBackup(id)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		manifests = append(manifests, *manifest)
	}
	return manifests, nil
}

// ReadBackup reads the manifest of a backup.
func (h *Home) ReadBackup(id string) (*Manifest, error) {
	path := filepath.Join(h.BackupsDir(), id, manifestName)
	data, err := h.readFile(path, maxConfig)
	if err != nil {
		return nil, err
	}
	var manifest Manifest
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, &FileError{File: path, Message: "is no manifest: " + err.Error(), Err: err}
	}
	if manifest.Version != manifestVersion || manifest.ID != id {
		return nil, &FileError{File: path, Message: "is the manifest of another program or version"}
	}
	return &manifest, nil
}

func compareText(a, b string) int { return strings.Compare(a, b) }
