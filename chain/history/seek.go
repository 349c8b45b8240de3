package history

import (
	"bytes"
	"io"
)

// searchStep is how near the search comes to the place: reading on is as fast.
const searchStep = 1 << 20

// Find returns the offset in a log from which lines of a time on are to be
// read. It halves the file; a part of it without times counts as older. Lines may be out
// of order by a minute, so that the place is a minute before.
func Find(log io.ReaderAt, size, since int64, options LogOptions) int64 {
	reader := newLogReader(options)
	low, high := int64(0), size // lines before low are older
	for high-low > searchStep {
		middle := low + (high-low)/2
		at := firstTime(log, middle, high, reader)
		if at != 0 && at >= since-disorder {
			high = middle
		} else {
			low = middle
		}
	}
	return lineBegin(log, low)
}

// lineBegin is the offset of the first line that begins at or behind an offset.
func lineBegin(log io.ReaderAt, offset int64) int64 {
	if offset == 0 {
		return 0
	}
	buffer := make([]byte, 64<<10)
	for at := offset - 1; at < offset+longestLine; {
		n, err := log.ReadAt(buffer, at)
		if newline := bytes.IndexByte(buffer[:n], '\n'); newline >= 0 {
			return at + int64(newline) + 1
		}
		if at += int64(n); err != nil {
			return at
		}
	}
	return offset
}

// firstTime is the time of the first line behind an offset that has one.
func firstTime(log io.ReaderAt, offset, end int64, reader *logReader) int64 {
	section := io.NewSectionReader(log, offset, min(end-offset+longestLine, 2*longestLine))
	buffer := make([]byte, 0, 64<<10)
	begun := offset == 0
	for {
		n, err := section.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		for {
			newline := bytes.IndexByte(buffer, '\n')
			if newline < 0 {
				break
			}
			if line := bytes.TrimRight(buffer[:newline], "\r"); begun {
				if at := reader.when(line); at != 0 {
					return at
				}
			}
			begun = true
			buffer = buffer[:copy(buffer, buffer[newline+1:])]
		}
		if err != nil {
			return 0
		}
		if len(buffer) == cap(buffer) {
			buffer = append(make([]byte, 0, 2*cap(buffer)), buffer...)
		}
	}
}
