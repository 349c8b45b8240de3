package sqlite

import (
	"encoding/binary"
	"sort"
)

// The kinds of pages of a tree.
const (
	indexInterior = 2
	tableInterior = 5
	indexLeaf     = 10
	tableLeaf     = 13
)

// maxDepth is SQLite's own limit for a tree.
const maxDepth = 20

// walk is one way through trees. It reads no more pages than it can need: in a
// damaged database the way could go in a circle, or the same long row could be
// in a thousand places.
type walk struct {
	*snapshot
	left int64
}

// walk begins a way that may read each page so many times.
func (s *snapshot) walk(times int64) *walk {
	return &walk{s, s.pages*times + maxDepth}
}

func (w *walk) page(number uint32) ([]byte, error) {
	if w.left--; w.left < 0 {
		return nil, w.damaged("page %d is part of a circle", number)
	}
	return w.snapshot.page(number)
}

// node is a page of a tree.
type node struct {
	number uint32
	data   []byte // the page without its reserved end
	kind   byte
	start  int // where the page's own header is: after the file's on page 1
	cells  int
}

func (n node) interior() bool { return n.kind == tableInterior || n.kind == indexInterior }

// right is the last child of an interior page.
func (n node) right() uint32 { return binary.BigEndian.Uint32(n.data[n.start+8:]) }

// node reads a page of a tree of the given kinds.
func (w *walk) node(number uint32, interior, leaf byte) (node, error) {
	page, err := w.page(number)
	if err != nil {
		return node{}, err
	}
	n := node{number: number, data: page[:w.header.pageSize-w.header.reserved]}
	if number == 1 {
		n.start = headerSize
	}
	n.kind, n.cells = n.data[n.start], int(binary.BigEndian.Uint16(n.data[n.start+3:]))
	if n.kind != interior && n.kind != leaf {
		return node{}, w.damaged("page %d has the type %d", number, n.kind)
	}
	if n.pointers()+2*n.cells > len(n.data) {
		return node{}, w.damaged("page %d counts %d cells", number, n.cells)
	}
	return n, nil
}

// pointers is where the list of cells begins.
func (n node) pointers() int {
	if n.interior() {
		return n.start + 12
	}
	return n.start + 8
}

// cell is an entry of a page: a child, a number or a payload, as the kind of
// the page has it.
type cell struct {
	child   uint32
	rowID   int64
	payload int64  // length
	local   []byte // the rest of the page from the payload on
}

// cell reads the entry with an index.
func (w *walk) cell(n node, i int) (c cell, err error) {
	at := int(binary.BigEndian.Uint16(n.data[n.pointers()+2*i:]))
	if at > len(n.data) {
		return c, w.damaged("page %d, cell %d is outside", n.number, i)
	}
	data, ok := n.data[at:], true
	if n.interior() {
		if len(data) < 4 {
			return c, w.damaged("page %d, cell %d is cut off", n.number, i)
		}
		c.child, data = binary.BigEndian.Uint32(data), data[4:]
	}
	if n.kind != tableInterior {
		if c.payload, data, ok = take(data); ok && (c.payload < 0 || c.payload > w.pages*w.header.pageSize) {
			ok = false
		}
	}
	if ok && (n.kind == tableInterior || n.kind == tableLeaf) {
		c.rowID, data, ok = take(data)
	}
	if !ok {
		return c, w.damaged("page %d, cell %d makes no sense", n.number, i)
	}
	c.local = data
	return c, nil
}

func take(data []byte) (int64, []byte, bool) {
	whole, n := varint(data)
	return int64(whole), data[n:], n > 0
}

// content returns the payload of a cell, which goes on in a chain of other
// pages when it is long.
func (w *walk) content(n node, c cell) ([]byte, error) {
	local := w.localSize(n.kind, c.payload)
	switch {
	case local > int64(len(c.local)):
		return nil, w.damaged("page %d: a payload is cut off", n.number)
	case c.payload > maxPayload:
		return nil, w.damaged("page %d: a payload of %d bytes", n.number, c.payload)
	case local == c.payload:
		return c.local[:local], nil
	case local+4 > int64(len(c.local)):
		return nil, w.damaged("page %d: a payload is cut off", n.number)
	}
	payload := append(make([]byte, 0, c.payload), c.local[:local]...)
	next := binary.BigEndian.Uint32(c.local[local:])
	for left := c.payload - local; left > 0; {
		page, err := w.page(next)
		if err != nil {
			return nil, err
		}
		part := min(left, w.header.pageSize-w.header.reserved-4)
		payload = append(payload, page[4:4+part]...)
		next, left = binary.BigEndian.Uint32(page), left-part
	}
	return payload, nil
}

// localSize is how much of a payload is on the page itself.
func (w *walk) localSize(kind byte, payload int64) int64 {
	usable := w.header.pageSize - w.header.reserved
	most := usable - 35
	if kind != tableLeaf {
		most = (usable-12)*64/255 - 23
	}
	if payload <= most {
		return payload
	}
	least := (usable-12)*32/255 - 23
	if local := least + (payload-least)%(usable-4); local <= most {
		return local
	}
	return least
}

// scan calls use for each row of a table, in the order of their numbers, until
// it returns false. The payload is only there during the call.
func (w *walk) scan(root uint32, use func(rowID int64, payload []byte) (bool, error)) error {
	_, err := w.scanNode(root, maxDepth, use)
	return err
}

func (w *walk) scanNode(number uint32, depth int, use func(int64, []byte) (bool, error)) (more bool, err error) {
	if depth == 0 {
		return false, w.damaged("page %d is part of a circle", number)
	}
	n, err := w.node(number, tableInterior, tableLeaf)
	if err != nil {
		return false, err
	}
	defer w.release(n)
	for i := range n.cells {
		c, err := w.cell(n, i)
		if err != nil {
			return false, err
		}
		if n.interior() {
			more, err = w.scanNode(c.child, depth-1, use)
		} else {
			more, err = w.useContent(n, c, use)
		}
		if err != nil || !more {
			return false, err
		}
	}
	if n.interior() {
		return w.scanNode(n.right(), depth-1, use)
	}
	return true, nil
}

func (w *walk) useContent(n node, c cell, use func(int64, []byte) (bool, error)) (bool, error) {
	payload, err := w.content(n, c)
	if err != nil {
		return false, err
	}
	return use(c.rowID, payload)
}

// row calls use with the payload of the row with a number, nil when there is
// none. The payload is only there during the call.
func (w *walk) row(root uint32, rowID int64, use func(payload []byte) error) error {
	number := root
	for range maxDepth {
		n, err := w.node(number, tableInterior, tableLeaf)
		if err != nil {
			return err
		}
		i, c, err := w.search(n, func(c cell) (bool, error) { return c.rowID >= rowID, nil })
		switch {
		case err != nil:
			return err
		case !n.interior():
			return w.useRow(n, i, c, rowID, use)
		case i == n.cells:
			number = n.right()
		default:
			number = c.child
		}
		w.release(n)
	}
	return w.damaged("page %d is part of a circle", number)
}

// useRow ends the way down at a leaf.
func (w *walk) useRow(n node, i int, c cell, rowID int64, use func([]byte) error) error {
	defer w.release(n)
	if i == n.cells || c.rowID != rowID {
		return use(nil)
	}
	payload, err := w.content(n, c)
	if err != nil {
		return err
	}
	return use(payload)
}

// search finds the first cell of a page that is not before what is looked for.
func (w *walk) search(n node, reached func(cell) (bool, error)) (i int, found cell, err error) {
	i = sort.Search(n.cells, func(i int) bool {
		c, failed := w.cell(n, i)
		if failed == nil && err == nil {
			var yes bool
			if yes, failed = reached(c); failed == nil {
				return yes
			}
		}
		if err == nil {
			err = failed
		}
		return true
	})
	if err == nil && i < n.cells {
		found, err = w.cell(n, i)
	}
	return i, found, err
}
