package sqlite

import (
	"encoding/binary"
	"io"
	"os"
	"strings"
)

const (
	headerSize = 100
	magic      = "SQLite format 3\x00"
	formatWAL  = 2 // the header's word for "has a -wal"; 1 is a rollback journal
	utf8       = 1
)

// header is the start of a database's first page.
type header struct {
	pageSize    int64
	reserved    int64 // unused bytes at the end of each page
	walMode     bool
	pages       int64 // size of the database; 0 when an old writer left it out of date
	encoding    uint32
	userVersion int64
}

// parseHeader reads the first page, or as much of it as there is.
func parseHeader(path string, data []byte) (header, error) {
	switch {
	case !strings.HasPrefix(magic, string(data[:min(len(data), len(magic))])):
		return header{}, fail(path, NotDatabase, "is not a SQLite database")
	case len(data) < headerSize:
		return header{}, fail(path, Corrupt, "is truncated after %d bytes", len(data))
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(data[at:]) }
	h := header{
		pageSize:    int64(binary.BigEndian.Uint16(data[16:])),
		reserved:    int64(data[20]),
		walMode:     data[18] == formatWAL || data[19] == formatWAL,
		encoding:    word(56),
		userVersion: int64(int32(word(60))),
	}
	if h.pageSize == 1 { // 65536 doesn't fit
		h.pageSize = 65536
	}
	if word(24) == word(92) { // the size is as old as the last change
		h.pages = int64(word(28))
	}
	if !validPageSize(h.pageSize) || h.pageSize-h.reserved < 480 || data[19] > formatWAL {
		return header{}, fail(path, Corrupt, "is damaged: its header makes no sense")
	}
	return h, nil
}

// readHeader reads the header that is in the file itself; the -wal may have a
// newer one.
func readHeader(path string, file *os.File) (header, error) {
	data := make([]byte, headerSize)
	n, err := file.ReadAt(data, 0)
	if err != nil && err != io.EOF {
		return header{}, failFile(path, err)
	}
	if n == 0 {
		return header{}, fail(path, Empty, "is zero bytes long, expected a database")
	}
	return parseHeader(path, data[:n])
}
