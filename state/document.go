package state

import (
	"errors"
	"io/fs"

	"openclaw-auth/auth"
)

// Document is a JSON or JSON5 file as it stands on disk: nothing renamed,
// nothing dropped, and the place of every value. It is read at once and
// understood as far as it is asked for. A Document is for one goroutine.
type Document struct {
	Path string

	data      []byte
	value     auth.Value
	err       error
	parsed    bool
	structure *node
}

// ReadDocument reads a file of any content; nil where there is none.
func (e Env) ReadDocument(path string) (*Document, error) {
	data, err := e.readFile(path, maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Document{Path: path, data: bytesAfterMark(data)}, nil
}

// Value returns the content; the error says where it can't be read.
func (d *Document) Value() (auth.Value, error) {
	if !d.parsed {
		d.value, d.err = ParseConfig(d.Path, d.data)
		d.parsed = true
	}
	return d.value, d.err
}

// Object returns the document, nil where there is none or it is no object.
func (d *Document) Object() *auth.Object {
	if d == nil {
		return nil
	}
	value, _ := d.Value()
	object, _ := value.(*auth.Object)
	return object
}

// Position returns the line and the column of the value of a pointer, from 1,
// or of the nearest value around it that the document has; 0 where the document
// has no structure to find.
func (d *Document) Position(pointer string) (line, column int) {
	if d.structure == nil {
		structure, err := skim(d.data)
		if err != nil {
			return 0, 0
		}
		d.structure = structure
	}
	offset, _ := d.structure.locate(splitPointer(pointer))
	return position(d.data, int64(offset))
}

// SplitPointer is the inverse of Pointer: the reference tokens of a pointer.
func SplitPointer(pointer string) []string { return splitPointer(pointer) }
