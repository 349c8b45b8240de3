package lock

import (
	"context"
	"time"
)

// Clock is the time and the passing of it.
type Clock interface {
	Now() time.Time
	// Sleep waits, or until the context ends; the error is the context's.
	Sleep(ctx context.Context, d time.Duration) error
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now returns the time.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits.
func (SystemClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
