package state

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth"
)

// ErrSessionsUnlocked says that the release writes sessions.json without a lock
// that another program could respect.
var ErrSessionsUnlocked = errors.New("sessions can't be written safely")

// UpdateSession changes the entry of one session in its sessions.json: change
// gets the entry as it stands and changes it in place. Everything else in the
// file stays as it is, byte for byte.
func (h *Home) UpdateSession(store SessionStore, key string, change func(entry *auth.Object) error, options WriteOptions) (*Written, error) {
	file := store.File()
	if !h.Rules.Store.SessionLock {
		return nil, &FileError{File: file, Message: "OpenClaw " + h.Rules.Line + " writes its sessions without a lock for others: " + ErrSessionsUnlocked.Error(), Err: ErrSessionsUnlocked}
	}
	var found *spliceEdit
	plan := func() ([]edit, error) {
		var err error
		if found == nil || !found.isCurrent() { // a file of this size is not read twice while others wait
			found, err = h.findEntry(file, key)
		}
		if err != nil {
			return nil, err
		}
		e := found
		value, err := ParseJSON(file, e.before)
		entry, ok := value.(*auth.Object)
		if err != nil || !ok {
			return nil, &FileError{File: file, Message: "the entry of the session is no JSON object that can be written back", Err: err}
		}
		if err := change(entry); err != nil {
			return nil, err
		}
		if e.after = encodeEntry(entry, e.before); bytes.Equal(e.before, e.after) {
			return nil, nil
		}
		return []edit{e}, nil
	}
	return h.run(job{options: options, locks: []lockedFile{{file, sessionLock}}, plan: plan})
}

// encodeEntry writes an entry in the form that it had: over several lines or in one.
func encodeEntry(entry *auth.Object, before []byte) []byte {
	e := encoder{indent: bytes.IndexByte(before, '\n') >= 0}
	e.value(entry, 1)
	return e.text
}

// spliceEdit replaces a stretch of a file: the entry of one session.
type spliceEdit struct {
	home          *Home
	path, key     string
	start, end    int64
	info          fs.FileInfo // of the file in which the entry was found
	before, after []byte
}

// findEntry returns where the entry of a session stands; of two with one key
// the last one counts, as in JavaScript.
func (h *Home) findEntry(path, key string) (*spliceEdit, error) {
	info, err := h.FS.Stat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	file, err := h.FS.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer file.Close()
	found := &spliceEdit{home: h, path: path, key: key, info: info}
	decoder := jsontext.NewDecoder(file, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := found.find(decoder); err != nil {
		return nil, jsonSessions{env: h.Env, path: path}.syntaxError(decoder, err)
	}
	if found.before == nil {
		return nil, &FileError{File: path, Message: ErrNoSession.Error() + ": " + key, Err: ErrNoSession}
	}
	return found, nil
}

func (s *spliceEdit) find(decoder *jsontext.Decoder) error {
	if decoder.PeekKind() != jsontext.KindBeginObject {
		return errNotSessions
	}
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	for decoder.PeekKind() != jsontext.KindEndObject {
		name, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		if name.String() != s.key {
			if err := decoder.SkipValue(); err != nil {
				return err
			}
			continue
		}
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		s.before = bytes.Clone(value)
		s.end = decoder.InputOffset()
		s.start = s.end - int64(len(value))
	}
	_, err := decoder.ReadToken()
	return err
}

func (s *spliceEdit) location() (file, part string)    { return s.path, s.key }
func (s *spliceEdit) contents() (before, after []byte) { return s.before, s.after }
func (s *spliceEdit) mode() fs.FileMode                { return s.info.Mode().Perm() }
func (s *spliceEdit) check(w *writer) error            { return w.checkWritable(s.path) }
func (s *spliceEdit) apply(w *writer) error {
	return w.splice(s.path, s.start, s.end, s.info.Size(), s.after)
}

// revert puts the entry back, wherever it stands now.
func (s *spliceEdit) revert(w *writer) error {
	now, err := s.home.findEntry(s.path, s.key)
	switch {
	case err != nil:
		return err
	case bytes.Equal(now.before, s.before):
		return nil
	case !bytes.Equal(now.before, s.after):
		return &changedError{s.path, "has changed meanwhile"}
	}
	return w.splice(s.path, now.start, now.end, now.info.Size(), s.before)
}

// isCurrent reports whether the file is the one that was read, unchanged.
func (s *spliceEdit) isCurrent() bool {
	info, err := s.home.FS.Stat(s.path)
	return err == nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime())
}

// confirm looks at the place where the entry was put, and at the size.
func (s *spliceEdit) confirm() error {
	info, err := s.home.FS.Stat(s.path)
	if err != nil {
		return fileError(s.path, err)
	}
	file, err := s.home.FS.Open(s.path)
	if err != nil {
		return fileError(s.path, err)
	}
	defer file.Close()
	now := make([]byte, len(s.after))
	if at, ok := file.(io.ReaderAt); ok {
		_, err = at.ReadAt(now, s.start)
	} else if _, err = io.CopyN(io.Discard, file, s.start); err == nil {
		_, err = io.ReadFull(file, now)
	}
	if err != nil && err != io.EOF {
		return fileError(s.path, err)
	}
	if info.Size() != s.info.Size()+int64(len(s.after)-len(s.before)) || !bytes.Equal(now, s.after) {
		return &changedError{s.path, "does not hold what was written"}
	}
	return nil
}

// splice replaces a stretch of a file by a text; the file must still have the
// size that it had when the stretch was found.
func (w *writer) splice(path string, start, end, size int64, text []byte) error {
	return w.replaceWith(path, func(to io.Writer) error {
		from, err := w.env.FS.Open(path)
		if err != nil {
			return err
		}
		defer from.Close()
		if _, err := io.CopyN(to, from, start); err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, from, end-start); err != nil {
			return err
		}
		rest, err := io.Copy(to, from)
		if err == nil && end+rest != size {
			return &changedError{path, "has changed meanwhile"}
		}
		return err
	})
}

func isSessionPart(entry BackupEntry) bool {
	return entry.Part != "" && entry.Part != modePart && filepath.Ext(entry.Path) == ".json"
}
