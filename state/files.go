package state

import (
	"context"
	"io/fs"
	"time"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
	"openclaw-auth/state/internal/write"
)

// Env is everything outside that decides where OpenClaw's state is.
type Env = disk.Env

// FS is how files are read. Paths are absolute, in the system's form.
type FS = disk.FS

// FileError is a file that can't be read or written as what it should be.
type FileError = disk.FileError

// ErrReadOnly is in the error for a home that can't be written, such as the demo home.
var ErrReadOnly = disk.ErrReadOnly

// SystemEnv is the Env of the running process.
func SystemEnv() Env { return disk.SystemEnv() }

// Mount serves an fs.FS, such as an embedded home, under a directory that need
// not exist. It has no symbolic links.
func Mount(files fs.FS, directory string) FS { return disk.Mount(files, directory) }

// Lock is a lock as it stands on disk.
type Lock = lock.Lock

// BusyError is a lock that was still held when the time for it was over.
type BusyError = lock.BusyError

// Clock is the time and the passing of it.
type Clock = lock.Clock

// SystemClock is the clock of the machine.
type SystemClock = lock.SystemClock

// IsAlive reports whether there is a process of that id. One that belongs to
// somebody else is alive too.
func IsAlive(pid int) bool { return disk.IsAlive(pid) }

func (h *Home) Exists(path string) bool { return disk.Exists(h.FS, path) }
func (h *Home) isDir(path string) bool  { return disk.IsDir(h.FS, path) }

func (h *Home) ReadFile(path string, limit int64) ([]byte, error) {
	return disk.ReadFile(h.FS, path, limit)
}

func (h *Home) snapshot(path string) (disk.Snapshot, error) { return disk.Snap(h.FS, path) }

// ReadDocument reads a file of any content; nil where there is none.
func (h *Home) ReadDocument(path string) (*document.Document, error) {
	data, err := h.ReadFile(path, disk.MaxDocument)
	if disk.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return document.New(path, data), nil
}

// readDocument reads a JSON object. A missing file gives nil.
func (h *Home) ReadObject(path string) (*document.Object, error) {
	snapshot, err := h.snapshot(path)
	if err != nil || snapshot.Data == nil {
		return nil, err
	}
	return objectIn(path, snapshot.Data)
}

// objectIn parses a JSON object.
func objectIn(path string, data []byte) (*document.Object, error) {
	value, err := document.ParseJSON(path, data)
	if err != nil {
		return nil, err
	}
	object, ok := value.(*document.Object)
	if !ok {
		return nil, document.ErrorAt(path, data, "", "the document is "+kindOf(value)+", expected an object")
	}
	return object, nil
}

// privateName is the directory below the state directory that belongs to
// openclaw-auth: its lock and its backups.
const privateName = "openclaw-auth"

// CloseToOthers takes what anyone but its owner may do from files and
// directories: from all of them or, if one can't be changed, from none. Those of
// another user are left alone.
func (h *Home) CloseToOthers(ctx context.Context, paths []string, options WriteOptions) (*Written, error) {
	return h.run(ctx, write.Job{Options: options, Plan: func() ([]write.Edit, error) {
		var edits []write.Edit
		for _, path := range paths {
			before, own := write.FullMode(h.FS, path)
			if own && before&disk.OthersMode != 0 {
				edits = append(edits, &write.ModeEdit{FS: h.FS, Path: path, Before: before, After: before &^ disk.OthersMode})
			}
		}
		return edits, nil
	}})
}

// RemoveDeadLocks removes locks whose process is gone: all of them or, if one
// can't be removed, none. One that a living process has taken in the meantime stays.
func (h *Home) RemoveDeadLocks(ctx context.Context, paths []string, options WriteOptions) (*Written, error) {
	return h.run(ctx, write.Job{Options: options, Plan: func() ([]write.Edit, error) {
		var edits []write.Edit
		for _, path := range paths {
			now, err := lock.Read(h.FS, path, lock.Kind{}, options.Clock.Now())
			if err != nil {
				return nil, err
			}
			if now == nil || now.PID == 0 || now.Alive {
				continue
			}
			before, err := h.snapshot(path)
			if err != nil {
				return nil, err
			}
			edits = append(edits, &write.FileEdit{FS: h.FS, Before: before})
		}
		return edits, nil
	}})
}

// LeftBehind lists the temporary files of processes of openclaw-auth that were
// killed. They may hold what a store held; the next write removes them.
func (h *Home) LeftBehind() []string { return h.writes().LeftBehind(time.Now()) }
