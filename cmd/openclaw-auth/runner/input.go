package runner

import (
	"io"
	"sync"
)

// Input is a stream that every command gets anew from its beginning. It is
// read no further than a command asks, and what was read is spooled.
type Input struct {
	mu     sync.Mutex
	source io.Reader
	spool  Spool
	end    error // how the source has ended
}

// NewInput makes an Input of a stream.
func NewInput(source io.Reader) *Input { return &Input{source: source} }

// Reader reads the input from its beginning.
func (in *Input) Reader() io.Reader { return &replay{in: in} }

// Close drops what was spooled. No reader may be in use any more but such as
// waits for the source.
func (in *Input) Close() {
	if in.mu.TryLock() { // a reader that waits for the source ends with the process
		in.spool.Close()
		in.end = io.ErrClosedPipe
		in.mu.Unlock()
	}
}

// replay is one reading of an Input.
type replay struct {
	in *Input
	at int64
}

// Read reads what is spooled and, at its end, on from the source.
func (r *replay) Read(p []byte) (int, error) {
	in := r.in
	in.mu.Lock()
	defer in.mu.Unlock()
	if r.at < in.spool.Size() {
		n, err := in.spool.ReadAt(p[:min(int64(len(p)), in.spool.Size()-r.at)], r.at)
		r.at += int64(n)
		if err == io.EOF {
			err = nil
		}
		return n, err
	}
	if in.end != nil {
		return 0, in.end
	}
	n, err := in.source.Read(p)
	if n > 0 {
		if _, spoolErr := in.spool.Write(p[:n]); spoolErr != nil {
			in.end = spoolErr
			return 0, spoolErr
		}
		r.at += int64(n)
	}
	in.end = err
	return n, nil
}
