package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"openclaw-auth/doctor/words"
)

// Work that takes over a second says so on a terminal, on stderr, in one line
// that goes when it is done.
const (
	shownAfter  = time.Second
	redrawEvery = 100 * time.Millisecond
)

// progress is that line. What else is written to stderr meanwhile wipes it first.
type progress struct {
	mu          sync.Mutex
	w           io.Writer
	what        string // "looking at agents"
	done, total int    // total 0: not known
	since       time.Time
	shown       bool
	stop        chan struct{}
	stopped     sync.WaitGroup
}

// working shows that something is being done, from its second second on. The
// caller reports how far it is, if it knows, and calls end before it writes the
// answer. Without a terminal both do nothing.
func (s *session) working(what string) (report func(done, total int), end func()) {
	file, isFile := s.stderr.(*os.File)
	if !isFile || !isTerminal(file) {
		return func(int, int) {}, func() {}
	}
	p := &progress{w: file, what: what, since: time.Now(), stop: make(chan struct{})}
	s.stderr = p
	p.stopped.Add(1)
	go p.run(shownAfter, redrawEvery)
	var once sync.Once
	return p.report, func() {
		once.Do(func() {
			close(p.stop)
			p.stopped.Wait()
			p.wipe()
			s.stderr = file
		})
	}
}

func (p *progress) run(after, every time.Duration) {
	defer p.stopped.Done()
	timer := time.NewTimer(after)
	defer timer.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-timer.C:
			p.draw(time.Now())
			timer.Reset(every)
		}
	}
}

func (p *progress) report(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

// draw writes the line over the one before it.
func (p *progress) draw(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.what
	switch {
	case p.total > 0:
		text += fmt.Sprintf(": %d of %d", p.done, p.total)
	case p.done > 0:
		text += fmt.Sprintf(": %d", p.done)
	}
	words.Printf(p.w, "\r%s (%s)%s", text, now.Sub(p.since).Round(time.Second).String(), words.Raw("\x1b[K"))
	p.shown = true
}

func (p *progress) wipe() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Write writes a text in place of the line, which comes back below it.
func (p *progress) Write(text []byte) (int, error) {
	p.wipe()
	return p.w.Write(text)
}
