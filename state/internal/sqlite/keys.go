package sqlite

import "bytes"

// rowIDs calls use with the numbers of the rows whose first key in an index is
// a text, until it returns false.
func (w *walk) rowIDs(root uint32, key string, use func(rowID int64) (bool, error)) error {
	_, err := w.rowIDsNode(root, maxDepth, []byte(key), use)
	return err
}

// rowIDsNode visits the entries from the first that is not before the key, and
// before each the pages below it, which may have more of the same key.
func (w *walk) rowIDsNode(number uint32, depth int, key []byte, use func(int64) (bool, error)) (more bool, err error) {
	if depth == 0 {
		return false, w.damaged("page %d is part of a circle", number)
	}
	n, err := w.node(number, indexInterior, indexLeaf)
	if err != nil {
		return false, err
	}
	defer w.release(n)
	i, _, err := w.search(n, func(c cell) (bool, error) {
		order, _, err := w.entry(n, c, key)
		return order >= 0, err
	})
	for ; err == nil && i < n.cells; i++ {
		c, err := w.cell(n, i)
		if err != nil {
			return false, err
		}
		if n.interior() {
			more, err = w.rowIDsNode(c.child, depth-1, key, use)
		} else {
			more = true
		}
		if more && err == nil {
			more, err = w.useEntry(n, c, key, use)
		}
		if err != nil || !more {
			return false, err
		}
	}
	if err != nil || !n.interior() {
		return err == nil, err
	}
	return w.rowIDsNode(n.right(), depth-1, key, use)
}

// useEntry ends the visit at the first entry of another key.
func (w *walk) useEntry(n node, c cell, key []byte, use func(int64) (bool, error)) (more bool, err error) {
	order, rowID, err := w.entry(n, c, key)
	if err != nil || order != 0 {
		return false, err
	}
	return use(rowID)
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
