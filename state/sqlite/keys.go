package sqlite

import "bytes"

// rowIDs calls use with the numbers of the rows whose first key in an index is
// a text, until it returns false.
func (w *walk) rowIDs(root uint32, key string, use func(rowID int64) (bool, error)) error {
	_, err := w.rowIDsNode(root, maxDepth, []byte(key), use)
	return err
}

func (w *walk) rowIDsNode(number uint32, depth int, key []byte, use func(int64) (bool, error)) (more bool, err error) {
	if depth == 0 {
		return false, w.damaged("page %d is part of a circle", number)
	}
	n, err := w.node(number, indexInterior, indexLeaf)
	if err != nil {
		return false, err
	}
	first, _, err := w.search(n, func(c cell) (bool, error) {
		order, _, err := w.entry(n, c, key)
		return order >= 0, err
	})
	if err != nil {
		return false, err
	}
	for i := first; i <= n.cells; i++ {
		if n.interior() {
			child := n.right()
			if i < n.cells {
				c, err := w.cell(n, i)
				if err != nil {
					return false, err
				}
				child = c.child
			}
			if more, err := w.rowIDsNode(child, depth-1, key, use); err != nil || !more {
				return false, err
			}
		}
		if i == n.cells {
			break
		}
		c, err := w.cell(n, i)
		if err != nil {
			return false, err
		}
		order, rowID, err := w.entry(n, c, key)
		if err != nil || order > 0 {
			return false, err
		}
		if more, err := use(rowID); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// entry compares the first key of an index's entry with a text, and returns the
// number of the row, which is the last.
func (w *walk) entry(n node, c cell, key []byte) (order int, rowID int64, err error) {
	payload, err := w.content(n, c)
	if err != nil {
		return 0, 0, err
	}
	r, ok := parseRecord(payload)
	if !ok {
		return 0, 0, w.damaged("page %d: a key makes no sense", n.number)
	}
	for column := 0; ; column++ {
		v, more, ok := r.next()
		switch {
		case !ok:
			return 0, 0, w.damaged("page %d: a key makes no sense", n.number)
		case !more:
			return order, rowID, nil
		case column == 0:
			order = compareText(v, key)
		}
		rowID = v.whole
	}
}

// compareText orders a value against a text, byte by byte.
func compareText(v value, key []byte) int {
	switch {
	case v.kind < text:
		return -1
	case v.kind > text:
		return 1
	}
	return bytes.Compare(v.bytes, key)
}
