//go:build unix

package fullscreen

import (
	"os"
	"os/signal"
	"syscall"
)

// listen turns signals into keys until stop is called.
func (s *Screen) listen() (stop func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGTSTP)
	go func() {
		defer s.Guard()
		for got := range signals {
			if got == syscall.SIGTSTP {
				s.tell(Suspend)
			} else {
				s.tell(Redraw)
			}
		}
	}()
	return func() { signal.Stop(signals) }
}

// stopSelf stops the program until it is told to go on.
func stopSelf() {
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	_ = syscall.Kill(0, syscall.SIGSTOP) // the shell looks at the whole job
	<-resumed
}
