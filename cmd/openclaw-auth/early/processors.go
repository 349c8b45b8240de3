package early

import "runtime"

func init() { startOnOne() }

// bait is what the garbage collector finds first. The pointer gives it memory
// of its own; what shares memory may never be found.
type bait struct{ _ *byte }

// startOnOne leaves the process one processor until garbage is collected for
// the first time. Nothing here runs in parallel but the collector, and most
// commands end before it has anything to do: on several processors the runtime
// only starts threads that look for work, and fills a cache of memory for each.
func startOnOne() {
	all := runtime.GOMAXPROCS(1)
	runtime.SetFinalizer(&bait{}, func(*bait) { runtime.GOMAXPROCS(all) })
}
