package state

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/write"
)

// ErrSessionsUnlocked says that the release writes sessions.json without a lock
// that another program could respect.
var ErrSessionsUnlocked = errors.New("sessions can't be written safely")

// UpdateSession changes the entry of one session in its sessions.json: change
// gets the entry as it stands and changes it in place. Everything else in the
// file stays as it is, byte for byte.
func (h *Home) UpdateSession(store SessionStore, key string, change func(entry *document.Object) error, options WriteOptions) (*Written, error) {
	file := store.File()
	if !RulesOf(h.Rules).SessionLock {
		return nil, &FileError{File: file, Message: "OpenClaw " + h.Rules.Line + " writes its sessions without a lock for others: " + ErrSessionsUnlocked.Error(), Err: ErrSessionsUnlocked}
	}
	var found *spliceEdit
	plan := func() ([]write.Edit, error) {
		var err error
		if found == nil || !found.isCurrent() { // a file of this size is not read twice while others wait
			found, err = h.findEntries(file, []string{key})
		}
		if err != nil {
			return nil, err
		}
		if err := found.change(func(_ string, entry *document.Object) error { return change(entry) }); err != nil || !found.changes() {
			return nil, err
		}
		return []write.Edit{found}, nil
	}
	return h.run(write.Job{Options: options, Locks: []write.LockedFile{{Path: file, Kind: sessionLock}}, Plan: plan})
}

// encodeEntry writes an entry in the form that it had: over several lines or in one.
func encodeEntry(entry *document.Object, before []byte) []byte {
	return document.EncodeMember(entry, bytes.IndexByte(before, '\n') >= 0)
}

// spliceEdit replaces stretches of a file: the entries of sessions.
type spliceEdit struct {
	home    *Home
	path    string
	info    fs.FileInfo // of the file in which the entries were found
	entries []stretch   // as they follow each other in the file
}

// stretch is where the entry of a session stands, and what it is to be.
type stretch struct {
	key           string
	start, end    int64
	before, after []byte
}

// findEntries returns where the entries of sessions stand; of two with one key
// the last one counts, as in JavaScript.
func (h *Home) findEntries(path string, keys []string) (*spliceEdit, error) {
	info, err := h.FS.Stat(path)
	if err != nil {
		return nil, disk.Fail(path, err)
	}
	file, err := h.FS.Open(path)
	if err != nil {
		return nil, disk.Fail(path, err)
	}
	defer file.Close()
	found := &spliceEdit{home: h, path: path, info: info}
	wanted := map[string]bool{}
	for _, key := range keys {
		wanted[key] = true
	}
	decoder := jsontext.NewDecoder(file, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := found.find(decoder, wanted); err != nil {
		return nil, jsonSessions{files: h.FS, path: path}.syntaxError(decoder, err)
	}
	for _, key := range keys {
		if !slices.ContainsFunc(found.entries, func(s stretch) bool { return s.key == key }) {
			return nil, &FileError{File: path, Message: ErrNoSession.Error() + ": " + key, Err: ErrNoSession}
		}
	}
	return found, nil
}

func (s *spliceEdit) find(decoder *jsontext.Decoder, wanted map[string]bool) error {
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
		key := name.String()
		if !wanted[key] {
			if err := decoder.SkipValue(); err != nil {
				return err
			}
			continue
		}
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		end := decoder.InputOffset()
		s.entries = slices.DeleteFunc(s.entries, func(other stretch) bool { return other.key == key })
		s.entries = append(s.entries, stretch{key: key, before: bytes.Clone(value), start: end - int64(len(value)), end: end})
	}
	_, err := decoder.ReadToken()
	return err
}

// change computes what the entries are to be: each is parsed and changed in place.
func (s *spliceEdit) change(change func(key string, entry *document.Object) error) error {
	for i := range s.entries {
		e := &s.entries[i]
		value, err := document.ParseJSON(s.path, e.before)
		entry, ok := value.(*document.Object)
		if err != nil || !ok {
			return &FileError{File: s.path, Message: "the entry of the session is no JSON object that can be written back", Err: err}
		}
		if err := change(e.key, entry); err != nil {
			return err
		}
		e.after = encodeEntry(entry, e.before)
	}
	return nil
}

// changes reports whether any entry is to be another one, and forgets the others.
func (s *spliceEdit) changes() bool {
	s.entries = slices.DeleteFunc(s.entries, func(e stretch) bool { return bytes.Equal(e.before, e.after) })
	return len(s.entries) > 0
}

func (s *spliceEdit) Location() write.Location {
	if len(s.entries) == 1 {
		return write.Location{Kind: write.KindSession, File: s.path, Part: s.entries[0].key}
	}
	return write.Location{Kind: write.KindSessions, File: s.path, Part: "(sessions)"}
}

// Contents are the entry itself or, of several, an object of them by key.
func (s *spliceEdit) Contents() (before, after []byte) {
	if len(s.entries) == 1 {
		return s.entries[0].before, s.entries[0].after
	}
	for i, e := range s.entries {
		opening := byte(',')
		if i == 0 {
			opening = '{'
		}
		before = append(append(document.AppendQuoted(append(before, opening), e.key), ':'), e.before...)
		after = append(append(document.AppendQuoted(append(after, opening), e.key), ':'), e.after...)
	}
	return append(before, '}'), append(after, '}')
}

func (s *spliceEdit) Mode() fs.FileMode          { return s.info.Mode().Perm() }
func (s *spliceEdit) Check(w *disk.Writer) error { return w.CheckWritable(s.path) }
func (s *spliceEdit) Apply(w *disk.Writer) error { return splice(w, s.path, s.entries, s.info.Size()) }

// Revert puts the entries back, wherever they stand now.
func (s *spliceEdit) Revert(w *disk.Writer) error {
	now, err := s.home.findEntries(s.path, s.keys())
	if err != nil {
		return err
	}
	for i := range now.entries {
		e := &now.entries[i]
		then := s.entry(e.key)
		if !bytes.Equal(e.before, then.before) && !bytes.Equal(e.before, then.after) {
			return &disk.ChangedError{File: s.path, Problem: "has changed in the meantime"}
		}
		e.after = then.before
	}
	if !now.changes() {
		return nil
	}
	return now.Apply(w)
}

func (s *spliceEdit) keys() []string {
	var keys []string
	for _, e := range s.entries {
		keys = append(keys, e.key)
	}
	return keys
}

func (s *spliceEdit) entry(key string) stretch {
	return s.entries[slices.IndexFunc(s.entries, func(e stretch) bool { return e.key == key })]
}

// isCurrent reports whether the file is the one that was read, unchanged.
func (s *spliceEdit) isCurrent() bool {
	info, err := s.home.FS.Stat(s.path)
	return err == nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime())
}

// Confirm looks at the places where the entries were put, and at the size.
func (s *spliceEdit) Confirm() error {
	info, err := s.home.FS.Stat(s.path)
	if err != nil {
		return disk.Fail(s.path, err)
	}
	file, err := s.home.FS.Open(s.path)
	if err != nil {
		return disk.Fail(s.path, err)
	}
	defer file.Close()
	reader := bufio.NewReader(file)
	at, grown, equal := int64(0), int64(0), true
	for _, e := range s.entries {
		if _, err := io.CopyN(io.Discard, reader, e.start+grown-at); err != nil && err != io.EOF {
			return disk.Fail(s.path, err)
		}
		now := make([]byte, len(e.after))
		if _, err := io.ReadFull(reader, now); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return disk.Fail(s.path, err)
		}
		equal = equal && bytes.Equal(now, e.after)
		at = e.start + grown + int64(len(e.after))
		grown += int64(len(e.after) - len(e.before))
	}
	if info.Size() != s.info.Size()+grown || !equal {
		return &disk.ChangedError{File: s.path, Problem: "does not hold what was written"}
	}
	return nil
}

// splice replaces stretches of a file by texts; the file must still have the
// size that it had when they were found.
func splice(w *disk.Writer, path string, entries []stretch, size int64) error {
	return w.ReplaceWith(path, func(to io.Writer) error {
		from, err := w.FS.Open(path)
		if err != nil {
			return err
		}
		defer from.Close()
		read, err := copySpliced(to, from, entries)
		if err == nil && read != size {
			return &disk.ChangedError{File: path, Problem: "has changed in the meantime"}
		}
		return err
	})
}

// copySpliced copies a file with stretches of it replaced, and returns how much
// of it was read.
func copySpliced(to io.Writer, from io.Reader, entries []stretch) (read int64, err error) {
	for _, e := range entries {
		if _, err := io.CopyN(to, from, e.start-read); err != nil {
			return read, err
		}
		if _, err := to.Write(e.after); err != nil {
			return read, err
		}
		if _, err := io.CopyN(io.Discard, from, e.end-e.start); err != nil {
			return read, err
		}
		read = e.end
	}
	rest, err := io.Copy(to, from)
	return read + rest, err
}

// undoEntries is the edit that gives sessions the entries back that they had.
func (h *Home) undoEntries(entry BackupEntry, content []byte) (write.Edit, error) {
	entries := map[string][]byte{entry.Part: content}
	if entry.Kind == write.KindSessions {
		var err error
		if entries, err = splitEntries(entry.Path, content); err != nil {
			return nil, err
		}
	}
	found, err := h.findEntries(entry.Path, slices.Sorted(maps.Keys(entries)))
	if err != nil {
		return nil, err
	}
	for i := range found.entries {
		found.entries[i].after = entries[found.entries[i].key]
	}
	return found, nil
}

// splitEntries reads the entries of a backup of several sessions.
func splitEntries(path string, content []byte) (map[string][]byte, error) {
	all := &spliceEdit{path: path}
	decoder := jsontext.NewDecoder(bytes.NewReader(content), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	entries := map[string][]byte{}
	wanted := map[string]bool{}
	value, err := document.ParseJSON(path, content)
	if err != nil {
		return nil, err
	}
	doc, _ := value.(*document.Object)
	for key := range doc.All() {
		wanted[key] = true
	}
	if err := all.find(decoder, wanted); err != nil {
		return nil, &FileError{File: path, Message: "the backup holds no sessions", Err: err}
	}
	for _, e := range all.entries {
		entries[e.key] = e.before
	}
	return entries, nil
}
