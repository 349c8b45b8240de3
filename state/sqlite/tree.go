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
func (s *snapshot) node(number uint32, interior, leaf byte) (node, error) {
	page, err := s.page(number)
	if err != nil {
		return node{}, err
	}
	n := node{number: number, data: page[:s.header.pageSize-s.header.reserved]}
	if number == 1 {
		n.start = headerSize
	}
	n.kind, n.cells = n.data[n.start], int(binary.BigEndian.Uint16(n.data[n.start+3:]))
	if n.kind != interior && n.kind != leaf {
		return node{}, s.damaged("page %d has the type %d", number, n.kind)
	}
	if n.pointers()+2*n.cells > len(n.data) {
		return node{}, s.damaged("page %d counts %d cells", number, n.cells)
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
func (s *snapshot) cell(n node, i int) (c cell, err error) {
	at := int(binary.BigEndian.Uint16(n.data[n.pointers()+2*i:]))
	if at > len(n.data) {
		return c, s.damaged("page %d, cell %d is outside", n.number, i)
	}
	data, ok := n.data[at:], true
	if n.interior() {
		if len(data) < 4 {
			return c, s.damaged("page %d, cell %d is cut off", n.number, i)
		}
		c.child, data = binary.BigEndian.Uint32(data), data[4:]
	}
	if n.kind != tableInterior {
		if c.payload, data, ok = take(data); ok && (c.payload < 0 || c.payload > s.pages*s.header.pageSize) {
			ok = false
		}
	}
	if ok && (n.kind == tableInterior || n.kind == tableLeaf) {
		c.rowID, data, ok = take(data)
	}
	if !ok {
		return c, s.damaged("page %d, cell %d makes no sense", n.number, i)
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
func (s *snapshot) content(n node, c cell) ([]byte, error) {
	local := s.localSize(n.kind, c.payload)
	switch {
	case local > int64(len(c.local)):
		return nil, s.damaged("page %d: a payload is cut off", n.number)
	case c.payload > maxPayload:
		return nil, s.damaged("page %d: a payload of %d bytes", n.number, c.payload)
	case local == c.payload:
		return c.local[:local], nil
	case local+4 > int64(len(c.local)):
		return nil, s.damaged("page %d: a payload is cut off", n.number)
	}
	payload := append(make([]byte, 0, c.payload), c.local[:local]...)
	next := binary.BigEndian.Uint32(c.local[local:])
	for left := c.payload - local; left > 0; {
		page, err := s.page(next)
		if err != nil {
			return nil, err
		}
		part := min(left, s.header.pageSize-s.header.reserved-4)
		payload = append(payload, page[4:4+part]...)
		next, left = binary.BigEndian.Uint32(page), left-part
	}
	return payload, nil
}

// localSize is how much of a payload is on the page itself.
func (s *snapshot) localSize(kind byte, payload int64) int64 {
	usable := s.header.pageSize - s.header.reserved
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
// it returns false.
func (s *snapshot) scan(root uint32, use func(payload []byte) (bool, error)) error {
	left := s.pages // a tree has each page once; a damaged one could go on for ever
	_, err := s.scanNode(root, maxDepth, &left, use)
	return err
}

func (s *snapshot) scanNode(number uint32, depth int, left *int64, use func([]byte) (bool, error)) (more bool, err error) {
	if *left--; *left < 0 || depth == 0 {
		return false, s.damaged("page %d is part of a circle", number)
	}
	n, err := s.node(number, tableInterior, tableLeaf)
	if err != nil {
		return false, err
	}
	for i := range n.cells {
		c, err := s.cell(n, i)
		if err != nil {
			return false, err
		}
		if n.interior() {
			more, err = s.scanNode(c.child, depth-1, left, use)
		} else {
			more, err = s.useContent(n, c, use)
		}
		if err != nil || !more {
			return false, err
		}
	}
	if n.interior() {
		return s.scanNode(n.right(), depth-1, left, use)
	}
	return true, nil
}

func (s *snapshot) useContent(n node, c cell, use func([]byte) (bool, error)) (bool, error) {
	payload, err := s.content(n, c)
	if err != nil {
		return false, err
	}
	return use(payload)
}

// row returns the payload of the row with a number; nil when there is none.
func (s *snapshot) row(root uint32, rowID int64) ([]byte, error) {
	number := root
	for range maxDepth {
		n, err := s.node(number, tableInterior, tableLeaf)
		if err != nil {
			return nil, err
		}
		i, c, err := s.search(n, func(c cell) (bool, error) { return c.rowID >= rowID, nil })
		switch {
		case err != nil:
			return nil, err
		case !n.interior() && (i == n.cells || c.rowID != rowID):
			return nil, nil
		case !n.interior():
			return s.content(n, c)
		case i == n.cells:
			number = n.right()
		default:
			number = c.child
		}
	}
	return nil, s.damaged("page %d is part of a circle", number)
}

// search finds the first cell of a page that is not before what is looked for.
func (s *snapshot) search(n node, reached func(cell) (bool, error)) (i int, found cell, err error) {
	i = sort.Search(n.cells, func(i int) bool {
		c, failed := s.cell(n, i)
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
		found, err = s.cell(n, i)
	}
	return i, found, err
}
