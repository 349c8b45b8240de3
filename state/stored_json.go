package state

import (
	"io/fs"
	"path/filepath"
	"slices"

	"openclaw-auth/auth/document"
)

// jsonStore is the store in the files of an agent's directory (≤2026.5.28).
type jsonStore struct {
	home *Home
	dir  string
}

func (j jsonStore) profilesFile() string { return filepath.Join(j.dir, profilesName) }
func (j jsonStore) stateFile() string {
	if !j.home.Rules.Store.StateFile {
		return j.profilesFile()
	}
	return filepath.Join(j.dir, stateName)
}

// snapshot is a file as it was read: nil bytes where there is none.
type snapshot struct {
	path string
	data []byte
	mode fs.FileMode
}

func (e Env) snapshot(path string) (snapshot, error) {
	data, err := e.readFile(path, maxDocument)
	if isMissing(err) {
		return snapshot{path: path}, nil
	}
	if err != nil {
		return snapshot{}, err
	}
	info, err := e.FS.Stat(path)
	if err != nil {
		return snapshot{}, fileError(path, err)
	}
	if data == nil {
		data = []byte{}
	}
	return snapshot{path, data, info.Mode().Perm()}, nil
}

// document parses the snapshot; nil where there is no file.
func (s snapshot) doc(shapes []shape) (*document.Object, error) {
	if s.data == nil {
		return nil, nil
	}
	value, err := document.ParseJSON(s.path, s.data)
	if err != nil {
		return nil, err
	}
	wrong := func(pointer, expected string, value document.Value) error {
		return document.ErrorAt(s.path, s.data, pointer, nameOf(pointer)+" is "+kindOf(value)+", expected "+expected)
	}
	doc, ok := value.(*document.Object)
	if !ok {
		return nil, wrong("", "an object", value)
	}
	return doc, checkShapes(doc, shapes, wrong)
}

// load reads the documents, and the files that they were read from.
func (j jsonStore) load() (loadedStore, error) {
	l := &loadedJSON{jsonStore: j}
	var err error
	if l.profiles, err = j.home.snapshot(j.profilesFile()); err != nil {
		return nil, err
	}
	if l.doc, err = l.profiles.doc(stateShapes); err != nil {
		return nil, err
	}
	l.Stored = &Stored{Dir: j.dir, Exists: l.doc.Has("profiles"), home: j.home, file: j.stateFile(), Profiles: l.doc.Object("profiles").Clone()}
	l.Stored.lay(l.doc)
	if j.home.Rules.Store.StateFile {
		if l.state, err = j.home.snapshot(j.stateFile()); err != nil {
			return nil, err
		}
		state, err := l.state.doc(stateShapes)
		if err != nil {
			return nil, err
		}
		l.Stored.lay(state)
		l.Stored.rest = without(state, sections...)
	}
	l.before = l.text()
	return l, nil
}

// loadedJSON is a store with the files that it was read from.
type loadedJSON struct {
	jsonStore
	*Stored
	doc             *document.Object // of the profiles
	profiles, state snapshot
	before          storeText
}

// storeText is what a store says, to see what a plan has changed.
type storeText struct{ profiles, state string }

func (s *Stored) text() storeText {
	return storeText{string(document.EncodeCompact(valueOf(s.Profiles))), string(document.EncodeCompact(valueOf(s.stateDocument())))}
}

// stored is what a plan works on.
func (l *loadedJSON) stored() *Stored { return l.Stored }

// edits are what makes the files say what the documents say. A state that is
// still in the old place, with the profiles, moves to its own file with the
// first change, as it does when OpenClaw writes. It is written before it is
// removed, so that a process that is killed in between leaves it twice.
func (l *loadedJSON) edits() []edit {
	now := l.text()
	if now == l.before {
		return nil
	}
	if !l.jsonStore.home.Rules.Store.StateFile {
		return []edit{l.file(l.profiles, l.wholeDocument())}
	}
	moves := len(without(l.doc, sections...).Keys()) < len(l.doc.Keys())
	var edits []edit
	if now.state != l.before.state || moves {
		edits = append(edits, l.file(l.state, l.stateDocument()))
	}
	if now.profiles != l.before.profiles || moves {
		edits = append(edits, l.file(l.profiles, l.profilesDocument()))
	}
	if l.stateDocument() == nil {
		slices.Reverse(edits)
	}
	return edits
}

func (l *loadedJSON) file(before snapshot, doc *document.Object) edit {
	edit := &fileEdit{home: l.jsonStore.home, before: before}
	if doc != nil {
		edit.after = document.Encode(doc)
	}
	return edit
}

// profilesDocument is the document of the profiles, without a state.
func (l *loadedJSON) profilesDocument() *document.Object {
	doc := document.NewObject()
	doc.SetNumber("version", 1)
	for name, value := range l.doc.All() {
		if !slices.Contains(sections, name) && !l.converted {
			doc.Set(name, value)
		}
	}
	doc.Set("profiles", valueOf(l.Profiles))
	return doc
}

// wholeDocument is the one document of lines that keep the state with the profiles.
func (l *loadedJSON) wholeDocument() *document.Object {
	doc := document.NewObject()
	doc.SetNumber("version", 1)
	doc.Set("profiles", valueOf(l.Profiles))
	for _, name := range sections {
		if section := *l.section(name); section.Len() > 0 {
			doc.Set(name, section)
		}
	}
	for name, value := range l.doc.All() {
		if !doc.Has(name) && !slices.Contains(sections, name) {
			doc.Set(name, value)
		}
	}
	return doc
}

// without returns a shallow copy of an object without some members; nil for nil.
func without(object *document.Object, names ...string) *document.Object {
	if object == nil {
		return nil
	}
	rest := document.NewObject()
	for name, value := range object.All() {
		if !slices.Contains(names, name) {
			rest.Set(name, value)
		}
	}
	return rest
}

// valueOf is the object as a value, null for nil.
func valueOf(object *document.Object) document.Value {
	if object == nil {
		return nil
	}
	return object
}

func sameText(a, b *document.Object) bool {
	return document.SameWritten(valueOf(a), valueOf(b))
}
