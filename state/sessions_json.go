package state

import (
	"bufio"
	"errors"
	"io/fs"

	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/sessions"
)

// jsonSessions are the sessions of a sessions.json (up to 2026.7.1): one object
// by session key. The file is streamed: it may be hundreds of megabytes, most
// of them in members that nobody asks for here.
type jsonSessions struct {
	files FS
	path  string
}

func (s jsonSessions) File() string { return s.path }

func (s jsonSessions) Origin(key, member string) Origin {
	pointer := document.Pointer(key)
	if member != "" {
		pointer += document.Pointer(member)
	}
	return Origin{File: s.path, Pointer: pointer}
}

func (s jsonSessions) Each(visit func(Session) bool) error {
	return s.stream(func(string) bool { return true }, visit)
}

func (s jsonSessions) Get(keys ...string) (map[string]Session, error) {
	found := map[string]Session{}
	if len(keys) == 0 {
		return found, nil
	}
	wanted := func(key string) bool {
		for _, k := range keys {
			if k == key {
				return true
			}
		}
		return false
	}
	return found, s.stream(wanted, func(session Session) bool {
		found[session.Key] = session
		return true
	})
}

// readAhead is how much of a file is read at once: the decoder alone asks for
// little at a time. A small file gets no more room than it fills.
const readAhead = 1 << 20

// stream reads the file once. Entries of unwanted keys are passed over.
func (s jsonSessions) stream(wanted func(key string) bool, visit func(Session) bool) error {
	info, err := s.files.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return disk.Fail(s.path, err)
	case info.Size() == 0:
		return &document.SyntaxError{File: s.path, Line: 1, Column: 1, Message: "the file is empty"}
	case info.IsDir():
		return &FileError{File: s.path, Message: "is a directory, expected a file"}
	}
	file, err := s.files.Open(s.path)
	if err != nil {
		return disk.Fail(s.path, err)
	}
	defer file.Close()
	// As JSON.parse does: the last of two equal keys counts, broken UTF-8 is replaced.
	decoder := jsontext.NewDecoder(bufio.NewReaderSize(file, int(min(info.Size(), readAhead))), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := sessions.Stream(decoder, wanted, visit); err != nil {
		return sessions.SyntaxError(s.files, s.path, decoder, err)
	}
	return nil
}
