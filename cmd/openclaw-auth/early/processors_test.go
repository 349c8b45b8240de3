package early

import (
	"runtime"
	"testing"
)

func TestProcessorsComeBackWithTheFirstCollection(t *testing.T) {
	collect() // the start's own
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	startOnOne()
	if got := runtime.GOMAXPROCS(0); got != 1 {
		t.Errorf("%d processors at the start, want 1", got)
	}
	collect()
	if got := runtime.GOMAXPROCS(0); got != 3 {
		t.Errorf("%d processors after a collection, want all 3", got)
	}
}

// collect returns when what is garbage now has been finalized: a second round
// ends behind all of the first.
func collect() {
	for range 2 {
		done := make(chan bool)
		runtime.SetFinalizer(&bait{}, func(*bait) { close(done) })
		runtime.GC()
		<-done
	}
}
