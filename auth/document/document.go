package document

// Document is a JSON or JSON5 file as it stands on disk: nothing renamed,
// nothing dropped, and the place of every value. It is read at once and
// understood as far as it is asked for. A Document is for one goroutine.
type Document struct {
	Path string

	data      []byte
	value     Value
	err       error
	parsed    bool
	structure *node
}

// New returns the document of a file's content, which the caller must no longer change.
func New(path string, data []byte) *Document {
	return &Document{Path: path, data: WithoutMark(data)}
}

// Value returns the content; the error says where it can't be read.
func (d *Document) Value() (Value, error) {
	if !d.parsed {
		d.value, d.err = Parse(d.Path, d.data)
		d.parsed = true
	}
	return d.value, d.err
}

// Object returns the document, nil where there is none or it is no object.
func (d *Document) Object() *Object {
	if d == nil {
		return nil
	}
	value, _ := d.Value()
	object, _ := value.(*Object)
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
	offset, _ := d.structure.locate(SplitPointer(pointer))
	return position(d.data, int64(offset))
}
