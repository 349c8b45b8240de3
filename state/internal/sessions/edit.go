package sessions

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/write"
)

var (
	// ErrNoSession is returned where no session matches.
	ErrNoSession = errors.New("no such session")
	// ErrNoObject says that a file holds something else than sessions by key.
	ErrNoObject = errors.New("the document is no object of sessions")
)

// Edit replaces stretches of a file: the entries of sessions. It is a
// [write.Edit].
type Edit struct {
	files   disk.FS
	path    string
	info    fs.FileInfo    // of the file in which the entries were found
	entries []stretch      // as they follow each other in the file
	places  map[string]int // of the entries, by key
}

// stretch is where the entry of a session stands, and what it is to be.
type stretch struct {
	key           string
	start, end    int64
	before, after []byte
}

// Entries returns the entries of sessions in a file, unchanged as yet; of two with
// one key the last one counts, as in JavaScript. The error is ErrNoSession for a
// key that the file lacks.
func Entries(files disk.FS, path string, keys []string) (*Edit, error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, disk.Fail(path, err)
	}
	file, err := files.Open(path)
	if err != nil {
		return nil, disk.Fail(path, err)
	}
	defer file.Close()
	found := &Edit{files: files, path: path, info: info}
	wanted := make(map[string]bool, len(keys))
	for _, key := range keys {
		wanted[key] = true
	}
	decoder := jsontext.NewDecoder(file, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := found.find(decoder, wanted); err != nil {
		return nil, SyntaxError(files, path, decoder, err)
	}
	for _, key := range keys {
		if _, ok := found.places[key]; !ok {
			return nil, &disk.FileError{File: path, Message: ErrNoSession.Error() + ": " + key, Err: ErrNoSession}
		}
	}
	return found, nil
}

func (s *Edit) find(decoder *jsontext.Decoder, wanted map[string]bool) error {
	if decoder.PeekKind() != jsontext.KindBeginObject {
		return ErrNoObject
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
		s.entries = append(s.entries, stretch{key: key, before: bytes.Clone(value), start: end - int64(len(value)), end: end})
	}
	_, err := decoder.ReadToken()
	s.keepLast()
	return err
}

// keepLast drops an entry that comes again, and notes the places of the others.
func (s *Edit) keepLast() {
	last := make(map[string]int, len(s.entries))
	for i, e := range s.entries {
		last[e.key] = i
	}
	i := -1
	s.entries = slices.DeleteFunc(s.entries, func(e stretch) bool { i++; return last[e.key] != i })
	s.index()
}

func (s *Edit) index() {
	s.places = make(map[string]int, len(s.entries))
	for i, e := range s.entries {
		s.places[e.key] = i
	}
}

// Change computes what the entries are to be: each is parsed and changed in place.
func (s *Edit) Change(change func(key string, entry *document.Object) error) error {
	for i := range s.entries {
		e := &s.entries[i]
		value, err := document.ParseJSON(s.path, e.before)
		entry, ok := value.(*document.Object)
		if err != nil || !ok {
			return &disk.FileError{File: s.path, Message: "the entry of the session is no JSON object that can be written back", Err: err}
		}
		if err := change(e.key, entry); err != nil {
			return err
		}
		e.after = encode(entry, e.before)
	}
	return nil
}

// Set says what the entries are to be, by key.
func (s *Edit) Set(entries map[string][]byte) {
	for i := range s.entries {
		s.entries[i].after = entries[s.entries[i].key]
	}
}

// Changes reports whether any entry is to be another one, and forgets the others.
func (s *Edit) Changes() bool {
	s.entries = slices.DeleteFunc(s.entries, func(e stretch) bool { return bytes.Equal(e.before, e.after) })
	s.index()
	return len(s.entries) > 0
}

func (s *Edit) Location() write.Location {
	if len(s.entries) == 1 {
		return write.Location{Kind: write.KindSession, File: s.path, Part: s.entries[0].key}
	}
	return write.Location{Kind: write.KindSessions, File: s.path, Part: "(sessions)"}
}

// Contents are the entry itself or, of several, an object of them by key.
func (s *Edit) Contents() (before, after []byte) {
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

func (s *Edit) Mode() fs.FileMode          { return s.info.Mode().Perm() }
func (s *Edit) Check(w *disk.Writer) error { return w.CheckWritable(s.path) }

// Apply writes the file anew with the entries replaced; it must still have the
// size that it had when they were found.
func (s *Edit) Apply(w *disk.Writer) error {
	return w.ReplaceWith(s.path, func(to io.Writer) error {
		from, err := w.FS.Open(s.path)
		if err != nil {
			return err
		}
		defer from.Close()
		read, err := s.Copy(to, from)
		if err == nil && read != s.info.Size() {
			return &disk.ChangedError{File: s.path, Problem: "has changed in the meantime"}
		}
		return err
	})
}

// Revert puts the entries back, wherever they stand now.
func (s *Edit) Revert(w *disk.Writer) error {
	now, err := Entries(s.files, s.path, s.keys())
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
	if !now.Changes() {
		return nil
	}
	return now.Apply(w)
}

func (s *Edit) keys() []string {
	var keys []string
	for _, e := range s.entries {
		keys = append(keys, e.key)
	}
	return keys
}

func (s *Edit) entry(key string) stretch {
	return s.entries[s.places[key]]
}

// IsCurrent reports whether the file is the one that was read, unchanged.
func (s *Edit) IsCurrent() bool {
	info, err := s.files.Stat(s.path)
	return err == nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime())
}

// Confirm looks at the places where the entries were put, and at the size.
func (s *Edit) Confirm() error {
	info, err := s.files.Stat(s.path)
	if err != nil {
		return disk.Fail(s.path, err)
	}
	file, err := s.files.Open(s.path)
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

// Copy copies the file with the entries replaced, and returns how much of it was
// read.
func (s *Edit) Copy(to io.Writer, from io.Reader) (read int64, err error) {
	for _, e := range s.entries {
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

// encode writes an entry in the form that it had: over several lines or in one.
func encode(entry *document.Object, before []byte) []byte {
	return document.EncodeMember(entry, bytes.IndexByte(before, '\n') >= 0)
}

// Kept reads the entries of several sessions out of a backup, which has them as
// [Edit.Contents] writes them.
func Kept(path string, content []byte) (map[string][]byte, error) {
	all := &Edit{path: path}
	wanted := map[string]bool{}
	value, err := document.ParseJSON(path, content)
	if err != nil {
		return nil, err
	}
	doc, _ := value.(*document.Object)
	for key := range doc.All() {
		wanted[key] = true
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(content), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := all.find(decoder, wanted); err != nil {
		return nil, &disk.FileError{File: path, Message: "the backup holds no sessions", Err: err}
	}
	entries := make(map[string][]byte, len(all.entries))
	for _, e := range all.entries {
		entries[e.key] = e.before
	}
	return entries, nil
}
