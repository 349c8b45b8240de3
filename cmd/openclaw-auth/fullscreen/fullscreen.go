// Package fullscreen shows frames on the whole of a terminal and leaves it as
// it was, however the program ends. A library for that would bring its own loop,
// widgets and a dozen modules, all of which cost every command at its start;
// here one frame is drawn over the last one, which takes five escapes.
package fullscreen

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J" // the alternate screen, without a cursor
	leave = "\x1b[?25h\x1b[?1049l"
	home  = "\x1b[H"
	line  = "\x1b[K\r\n" // the rest of a line is blank
	below = "\x1b[J"     // and all that follows
)

// Key is what happened at the terminal.
type Key int

// What may happen.
const (
	Redraw    Key = iota // the size has changed, or the program goes on
	Quit                 // the user wants to leave
	Interrupt            // the user has typed Ctrl-C
	Suspend              // the user wants the shell back for a while
)

// Screen is a terminal that is taken over.
type Screen struct {
	in, out *os.File
	mu      sync.Mutex
	cooked  *term.State // what the terminal was set to; nil while it is not taken
	keys    chan Key
	stop    func()
}

// Open takes the terminal over. Close gives it back.
func Open(in, out *os.File) (*Screen, error) {
	s := &Screen{in: in, out: out, keys: make(chan Key, 16)}
	if err := s.take(); err != nil {
		return nil, err
	}
	s.stop = s.listen()
	go s.read()
	return s, nil
}

func (s *Screen) take() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	cooked, err := term.MakeRaw(int(s.in.Fd()))
	if err != nil {
		return err
	}
	s.cooked = cooked
	_, err = io.WriteString(s.out, enter)
	return err
}

// give gives the terminal back. What fails there can't be helped.
func (s *Screen) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cooked == nil {
		return
	}
	_, _ = io.WriteString(s.out, leave)
	_ = term.Restore(int(s.in.Fd()), s.cooked)
	s.cooked = nil
}

// Close gives the terminal back. It may be called more than once.
func (s *Screen) Close() {
	s.stop()
	s.give()
}

// Guard gives the terminal back if the goroutine that defers it panics: such a
// panic ends the program and runs no deferred call of another goroutine. The
// panic goes on. Without a screen, nil, nothing else happens.
func (s *Screen) Guard() {
	cause := recover()
	if cause == nil {
		return
	}
	if s != nil {
		s.give()
	}
	panic(cause)
}

// Keys tells what happens at the terminal.
func (s *Screen) Keys() <-chan Key { return s.keys }

// Size is how many columns and lines there are.
func (s *Screen) Size() (columns, lines int) {
	columns, lines, err := term.GetSize(int(s.out.Fd()))
	if err != nil || columns < 1 || lines < 1 {
		return 80, 24
	}
	return columns, lines
}

// Suspend gives the terminal back and stops the program until the shell lets
// it go on; then the terminal is taken again.
func (s *Screen) Suspend() error {
	s.give()
	stopSelf()
	return s.take()
}

// Draw shows a frame: as many of its lines as there is room for.
func (s *Screen) Draw(frame string) error {
	_, room := s.Size()
	texts := strings.Split(strings.TrimRight(frame, "\n"), "\n")
	if len(texts) > room {
		texts = append(texts[:room-1], "…")
	}
	var out bytes.Buffer
	out.WriteString(home)
	for i, text := range texts {
		out.WriteString(text)
		if i < len(texts)-1 {
			out.WriteString(line)
		}
	}
	out.WriteString("\x1b[K" + below)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cooked == nil {
		return nil
	}
	_, err := s.out.Write(out.Bytes())
	return err
}

// read turns what is typed into keys. It ends with the terminal.
func (s *Screen) read() {
	defer s.Guard()
	buffer := make([]byte, 64)
	for {
		n, err := s.in.Read(buffer)
		if err != nil {
			s.tell(Quit)
			return
		}
		for _, c := range buffer[:n] {
			switch c {
			case 'q', 'Q':
				s.tell(Quit)
			case 3: // Ctrl-C
				s.tell(Interrupt)
			case 26: // Ctrl-Z
				s.tell(Suspend)
			case 12: // Ctrl-L
				s.tell(Redraw)
			}
		}
	}
}

// tell passes a key on; of too many at a time the last ones are dropped.
func (s *Screen) tell(key Key) {
	select {
	case s.keys <- key:
	default:
	}
}
