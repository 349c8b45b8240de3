package sqlite

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// The sizes and marks of the -wal file, as SQLite documents them.
const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	walMagic        = 0x377f0682 // the last bit set: checksums over big-endian words
	walVersion      = 3007000
)

// walView is what a -wal file holds committed at one moment.
type walView struct {
	file     io.ReaderAt
	header   [walHeaderSize]byte
	pageSize int64
	pages    int64            // size of the database after the last commit, in pages
	frames   map[uint32]frame // the newest committed frame, by page number
}

// frame is where a page is, and the checksum that its header had. Checksums
// chain through the file: a frame that was overwritten has another one.
type frame struct {
	offset   int64
	checksum [8]byte
}

// readWAL reads the committed frames, from the first to the last commit whose
// checksums are right; what follows is unfinished or older. A nil view means
// that there is none: an empty file, or one without a valid header.
// changed reports that the file was started over while it was read.
func readWAL(file io.ReaderAt) (view *walView, changed bool, err error) {
	view = &walView{file: file}
	if n, err := file.ReadAt(view.header[:], 0); n < walHeaderSize {
		return nil, false, endOfFile(err)
	}
	chain, ok := view.begin()
	if !ok {
		return nil, false, nil
	}
	if err := view.scan(chain); err != nil {
		return nil, false, err
	}
	same, err := view.unchanged()
	if err != nil || !same {
		return nil, true, err
	}
	if len(view.frames) == 0 {
		return nil, false, nil
	}
	return view, false, nil
}

// begin checks the header and returns the checksum that the first frame
// continues.
func (v *walView) begin() (checksum, bool) {
	word := func(at int) uint32 { return binary.BigEndian.Uint32(v.header[at:]) }
	v.pageSize = int64(word(8))
	if word(0)&^1 != walMagic || word(4) != walVersion || !validPageSize(v.pageSize) {
		return checksum{}, false
	}
	sum := checksum{order: binary.LittleEndian}
	if word(0)&1 == 1 {
		sum.order = binary.BigEndian
	}
	sum.add(v.header[:24])
	return sum, sum.a == word(24) && sum.b == word(28)
}

func validPageSize(size int64) bool {
	return size >= 512 && size <= 65536 && size&(size-1) == 0
}

// scan collects frames up to the first that doesn't continue the chain.
func (v *walView) scan(sum checksum) error {
	type numbered struct {
		page  uint32
		frame frame
	}
	var open []numbered // frames of the transaction that no commit has ended yet
	v.frames = map[uint32]frame{}
	size := frameHeaderSize + v.pageSize
	buffer := make([]byte, size)
	reader := bufio.NewReaderSize(io.NewSectionReader(v.file, walHeaderSize, 1<<62), 1<<16)
	for offset := int64(walHeaderSize); ; offset += size {
		if _, err := io.ReadFull(reader, buffer); err != nil {
			return endOfFile(err)
		}
		page, ok := v.next(&sum, buffer)
		if !ok {
			return nil
		}
		open = append(open, numbered{page, frame{offset, [8]byte(buffer[16:24])}})
		if pages := binary.BigEndian.Uint32(buffer[4:]); pages != 0 {
			for _, f := range open {
				v.frames[f.page] = f.frame
			}
			open, v.pages = open[:0], int64(pages)
		}
	}
}

// next returns the page number of a frame if it belongs to this -wal.
func (v *walView) next(sum *checksum, buffer []byte) (uint32, bool) {
	page := binary.BigEndian.Uint32(buffer)
	if page == 0 || !bytes.Equal(buffer[8:16], v.header[16:24]) {
		return 0, false
	}
	sum.add(buffer[:8])
	sum.add(buffer[frameHeaderSize:])
	right := sum.a == binary.BigEndian.Uint32(buffer[16:]) && sum.b == binary.BigEndian.Uint32(buffer[20:])
	return page, right
}

// unchanged reports whether the header is still the one that the view began
// with. A -wal is started over by writing its header first.
func (v *walView) unchanged() (bool, error) {
	var now [walHeaderSize]byte
	if n, err := v.file.ReadAt(now[:], 0); n < len(now) {
		return false, endOfFile(err)
	}
	return now == v.header, nil
}

// read fills data with the page of a frame. ok is false when the frame was
// overwritten: its header is written before its page, so it is compared after
// reading.
func (v *walView) read(data []byte, f frame) (ok bool, err error) {
	if n, err := v.file.ReadAt(data, f.offset+frameHeaderSize); n < len(data) {
		return false, endOfFile(err)
	}
	var header [frameHeaderSize]byte
	if n, err := v.file.ReadAt(header[:], f.offset); n < len(header) {
		return false, endOfFile(err)
	}
	return [8]byte(header[16:24]) == f.checksum, nil
}

// endOfFile takes the end of a file for what it is here: no failure.
func endOfFile(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}
