// Package watch waits until files change, without looking again and again: the
// system tells. Files may come, go and be replaced; what lies behind a symbolic
// link is watched too.
package watch

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A write comes as several events: a change is told once nothing has happened
// for quiet, or after longest.
const (
	quiet   = 20 * time.Millisecond
	longest = 200 * time.Millisecond
)

// Watcher watches files. It is for one goroutine.
type Watcher struct {
	system *fsnotify.Watcher
	files  map[string]string // what the system names, to the file that was asked for
	dirs   map[string]bool   // that are watched
	asked  []string
}

// New makes a Watcher that watches nothing yet.
func New() (*Watcher, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &Watcher{system: system, dirs: map[string]bool{}}, nil
}

// Close ends the watching.
func (w *Watcher) Close() error { return w.system.Close() }

// Watch sets the files to watch, given by absolute paths; they need not exist.
// It is told again when a directory of one has come.
func (w *Watcher) Watch(files []string) error {
	w.asked = slices.Clone(files)
	return w.refresh()
}

// refresh watches the directories of the files as they are now.
func (w *Watcher) refresh() error {
	w.files = map[string]string{}
	dirs := map[string]bool{}
	for _, file := range w.asked {
		for _, path := range []string{file, target(file)} {
			w.files[path] = file
			dir := existing(filepath.Dir(path))
			dirs[dir] = true
			// The next directory on the way to the file is one to come.
			for above := filepath.Dir(path); above != dir && above != filepath.Dir(above); above = filepath.Dir(above) {
				w.files[above] = file
			}
		}
	}
	for dir := range w.dirs {
		if !dirs[dir] {
			_ = w.system.Remove(dir) // it may be gone
		}
	}
	var failed error
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if err := w.system.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, &fs.PathError{Op: "watch", Path: dir, Err: err})
		}
	}
	w.dirs = dirs
	return failed
}

// target is the file behind symbolic links, also those of its directories.
func target(file string) string {
	if path, err := filepath.EvalSymlinks(file); err == nil {
		return path
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		return filepath.Join(dir, filepath.Base(file))
	}
	return file
}

// closedNow is a time that has come.
var closedNow = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// existing is the nearest directory above that is there.
func existing(dir string) string {
	for dir != filepath.Dir(dir) {
		if _, err := filepath.EvalSymlinks(dir); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// Wait returns the files that have changed, in the order of Watch, once they
// are quiet, the time has come or something comes from stop. The zero time
// never comes.
func (w *Watcher) Wait(until time.Time, stop <-chan struct{}) ([]string, error) {
	var alarm <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(time.Until(until))
		defer timer.Stop()
		alarm = timer.C
	}
	changed := map[string]bool{}
	var settled, enough <-chan time.Time
	for {
		select {
		case <-stop:
			return w.settled(changed)
		case <-alarm:
			return w.settled(changed)
		case <-settled:
			settled, enough = nil, nil
			if files, err := w.settled(changed); err != nil || len(files) > 0 {
				return files, err
			}
		case <-enough:
			settled = closedNow
		case err := <-w.system.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return nil, err
			}
			return slices.Clone(w.asked), nil // some events are lost: all may have changed
		case event := <-w.system.Events:
			file, ours := w.files[event.Name]
			switch {
			case event.Op == fsnotify.Chmod:
				continue
			case ours:
				changed[file] = true
			case !w.dirs[event.Name]:
				continue
			}
			settled = time.After(quiet)
			if enough == nil {
				enough = time.After(longest)
			}
		}
	}
}

// settled ends a wait: directories may have come and gone.
func (w *Watcher) settled(changed map[string]bool) ([]string, error) {
	return w.list(changed), w.refresh()
}

func (w *Watcher) list(changed map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(w.asked), func(file string) bool { return !changed[file] })
}
