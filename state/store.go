package state

import (
	"path/filepath"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/state/internal/diff"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/write"
)

// The files of an agent's directory, and what older releases left there.
const (
	profilesName   = "auth-profiles.json"
	stateName      = "auth-state.json"
	legacyAuthName = "auth.json"
	oauthName      = "oauth.json"
)

// sections are the members of a state.
var sections = diff.Sections

// storePlace is where a store is kept: in files, or in cells of a database. It
// is the one way in which a store is read, for answers and for writes.
type storePlace interface {
	// read reads the documents as they are now.
	read() (*contents, error)
	// join adds to a job what must be held while the store is written. What it
	// returns reads through that, once it is held.
	join(j *write.Job) storePlace
	// edit makes a part of the store hold a document; nil removes it.
	edit(before part, after *document.Object) write.Edit
}

// contents is what one store holds.
type contents struct {
	dir string
	// The document of the profiles, and that of the state where it has one of its
	// own. Either may hold a section of the state.
	profiles, state part
	single          bool // the line keeps both in one document
	database        bool // the parts are cells of a database
	shared          bool // it is the store that all agents overlay
	canBegin        bool // the first write makes a store that is not there
}

// part is one document of a store.
type part struct {
	path  string // the file
	table string // the row in it, where it is a database
	name  string // for messages: the file, and the row
	text  []byte // nil where there is no such document
	doc   *document.Object
	odd   []Odd

	snapshot disk.Snapshot // of a file
}

// where is what a section is laid over another by: the file or the row.
func (p *part) where() string {
	if p.table != "" {
		return p.table
	}
	return p.path
}

// parse reads the document. What is no object counts as nothing, as OpenClaw
// takes it; members of a wrong type are noted.
func (p *part) parse() error {
	if p.text == nil {
		return nil
	}
	value, err := document.ParseJSON(p.name, p.text)
	if err != nil {
		return err
	}
	object, ok := value.(*document.Object)
	if !ok {
		p.odd = []Odd{{Origin: p.origin(""), Is: kindOf(value), Expected: "an object"}}
		return nil
	}
	p.doc = object
	for pointer, odd := range oddMembers(object, stateShapes) {
		odd.Origin = p.origin(pointer)
		p.odd = append(p.odd, odd)
	}
	return nil
}

func (p *part) origin(pointer string) Origin {
	origin := Origin{File: p.path, Table: p.table, Pointer: pointer}
	if p.table == "" {
		origin.Line, _ = document.LineOf(p.text, pointer)
	}
	return origin
}

// isReplaceable refuses to write over a document that is none.
func (p *part) isReplaceable() error {
	if p.text == nil || p.doc != nil {
		return nil
	}
	return &FileError{File: p.name, Message: p.odd[0].String() + ": not written over"}
}

// Odd is a member of a store that is of a wrong type. OpenClaw reads the store
// without it.
type Odd struct {
	Origin   Origin
	Is       string // "a string"
	Expected string // "a list"
}

// String says what is wrong: "order.openai is a string, expected a list".
func (o Odd) String() string {
	return nameOf(o.Origin.Pointer) + " is " + o.Is + ", expected " + o.Expected
}

// jsonStore is the store in the files of an agent's directory (≤2026.5.28).
type jsonStore struct {
	home *Home
	dir  string
}

func (j jsonStore) profilesFile() string { return filepath.Join(j.dir, profilesName) }

func (j jsonStore) read() (*contents, error) {
	c := &contents{dir: j.dir, single: !RulesOf(j.home.Rules).StateFile}
	var err error
	if c.profiles, err = j.part(j.profilesFile()); err != nil || c.single {
		return c, err
	}
	c.state, err = j.part(filepath.Join(j.dir, stateName))
	return c, err
}

func (j jsonStore) part(path string) (part, error) {
	snapshot, err := j.home.snapshot(path)
	if err != nil {
		return part{path: path}, err
	}
	p := part{path: path, name: path, text: snapshot.Data, snapshot: snapshot}
	return p, p.parse()
}

func (j jsonStore) join(to *write.Job) storePlace {
	to.Locks = append(to.Locks, write.LockedFile{Path: j.profilesFile(), Kind: storeLock(RulesOf(j.home.Rules))})
	return j
}

func (j jsonStore) edit(before part, after *document.Object) write.Edit {
	edit := &write.FileEdit{FS: j.home.FS, Before: before.snapshot}
	if after != nil {
		edit.After = document.Encode(after)
	}
	return edit
}

// ownPlace is the agent's own store.
func (h *Home) ownPlace(agent Agent) storePlace { return h.placeIn(agent.Dir, agent.DatabaseOwner()) }

// placeIn is the store of an agent directory. owner is the agent that a database
// there must belong to, "" for any.
func (h *Home) placeIn(dir, owner string) storePlace {
	if RulesOf(h.Rules).Backend == BackendJSON {
		return jsonStore{h, dir}
	}
	return h.agentDatabase(dir, owner)
}

// mainPlace is the store that an agent inherits from; nil for the agent that owns it.
func (h *Home) mainPlace(loaded *Loaded) storePlace {
	switch main := loaded.Main; {
	case main == nil || main.Store == nil:
		return nil
	case main.Shared:
		return h.sharedDatabase()
	default:
		return h.placeIn(main.Dir, chain.MainAgent)
	}
}
