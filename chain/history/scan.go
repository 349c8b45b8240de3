package history

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"
)

const (
	firstChunk  = 64 << 10  // many files are smaller than a chunk
	chunkSize   = 256 << 10 // fits into a processor's own cache
	longestLine = 8 << 20   // a longer line is cut and counted as unreadable
)

// chunk is a run of whole lines with what was found in them.
type chunk struct {
	data   []byte
	cut    bool // the last line went on beyond longestLine
	events []Event
	lines  int64
	bad    int64
	first  int64 // time of the first and the last line that has one
	last   int64
	done   chan struct{}
}

// lineReader finds events in lines. Each worker has its own.
type lineReader interface {
	// read appends the events of a line; false: the line is unreadable.
	read(line []byte, number int64, events []Event) ([]Event, bool)
	// when returns the time of a line, whatever it holds; 0: it has none.
	when(line []byte) int64
}

// scan reads lines and yields their events in the order of the lines. Several
// workers each cut a chunk off the input and look into it while it is in their
// processor's cache; a bounded number of chunks is in memory whatever the size of
// the input. It stops where yield returns false.
func scan(r io.Reader, source *Source, readers func() lineReader, yield func(*Event) bool) error {
	workers := min(max(runtime.GOMAXPROCS(0), 1), 4)
	in := &splitter{r: r, size: chunkSize, ordered: make(chan *chunk, 4*workers)}
	free, stop := make(chan *chunk, cap(in.ordered)), make(chan struct{})
	defer close(stop)
	for range cap(free) {
		free <- &chunk{done: make(chan struct{}, 1)}
	}
	for range workers {
		reader := readers()
		go func() {
			for {
				select {
				case <-stop:
					return
				case c := <-free:
					if !in.next(c) {
						return
					}
					c.look(reader)
					c.done <- struct{}{}
				}
			}
		}()
	}
	for c := range in.ordered {
		<-c.done
		if !c.report(source, yield) {
			return nil
		}
		free <- c
	}
	return in.err
}

// scanRecords is scan for a file that is open along with many others: it looks
// into one small chunk after the other.
func scanRecords(r io.Reader, source *Source, reader lineReader, yield func(*Event) bool) error {
	in := &splitter{r: r, size: firstChunk, ordered: make(chan *chunk, 1)}
	for c := (&chunk{}); in.next(c); <-in.ordered {
		c.look(reader)
		if !c.report(source, yield) {
			return nil
		}
	}
	return in.err
}

// report adds to the source what the chunk holds, and yields its events; false:
// enough was read.
func (c *chunk) report(source *Source, yield func(*Event) bool) bool {
	source.See(c.first)
	source.See(c.last)
	for i := range c.events {
		event := &c.events[i]
		event.Line += source.Lines
		source.See(event.At)
		if event.At == 0 {
			source.Untimed++
		}
		if !yield(event) {
			return false
		}
	}
	source.Lines += c.lines
	source.Unreadable += c.bad
	return true
}

// splitter cuts the input into chunks of whole lines.
type splitter struct {
	mutex    sync.Mutex
	r        io.Reader
	size     int         // of a chunk
	ordered  chan *chunk // the chunks as they follow each other; closed behind the last
	rest     []byte      // the beginning of a line whose end was not read yet
	begun    bool
	skipping bool  // the rest of a line that was cut is passed over
	ended    bool  // ordered is closed
	err      error // of the reader, once ordered is closed
}

// next fills the chunk with the lines that follow; false: there are none.
func (in *splitter) next(c *chunk) bool {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	for !in.ended {
		size := in.size
		if !in.begun {
			size, in.begun = firstChunk, true
		}
		if cap(c.data) < size || cap(c.data) > 4*in.size && len(in.rest) < in.size/2 {
			c.data = make([]byte, 0, max(size, 2*len(in.rest)))
		}
		c.data, c.cut = append(c.data[:0], in.rest...), false
		end, err := fill(in.r, c)
		if end < 0 { // a line that is too long, or the last one without an end
			end = len(c.data)
			c.cut = err == nil
		}
		in.rest = append(in.rest[:0], c.data[end:]...)
		c.data = c.data[:end]
		wasSkipping := in.skipping
		in.skipping = c.cut
		if wasSkipping {
			newline := bytes.IndexByte(c.data, '\n')
			if newline < 0 && err == nil {
				in.skipping = true
				continue
			}
			c.data = c.data[newline+1:]
			if newline < 0 {
				c.data = c.data[:0]
			}
		}
		in.ordered <- c
		if err != nil {
			in.ended = true
			if !errors.Is(err, io.EOF) {
				in.err = err
			}
			close(in.ordered)
		}
		return true
	}
	return false
}

// fill reads until the chunk is full and holds the end of a line. It returns the
// position behind the last line, -1 where no line ends: at the end of the
// input, or where a line is too long.
func fill(r io.Reader, c *chunk) (end int, err error) {
	for err == nil {
		if len(c.data) == cap(c.data) {
			if end := bytes.LastIndexByte(c.data, '\n') + 1; end > 0 {
				return end, nil
			}
			if len(c.data) >= longestLine {
				return -1, nil
			}
			c.data = append(make([]byte, 0, min(2*cap(c.data), longestLine)), c.data...)
		}
		var n int
		n, err = r.Read(c.data[len(c.data):cap(c.data)])
		c.data = c.data[:len(c.data)+n]
	}
	return -1, err
}

// look finds the events of the chunk's lines.
func (c *chunk) look(reader lineReader) {
	c.events, c.lines, c.bad, c.first, c.last = c.events[:0], 0, 0, 0, 0
	data := c.data
	for len(data) > 0 {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		c.lines++
		if c.cut && data == nil {
			c.bad++
			break
		}
		if len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		if len(line) == 0 {
			continue
		}
		if c.lines == 1 {
			c.first = reader.when(line)
		} else if len(data) == 0 {
			c.last = reader.when(line)
		}
		var ok bool
		if c.events, ok = reader.read(line, c.lines, c.events); !ok {
			c.bad++
		}
	}
}
