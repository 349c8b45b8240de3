// Package early prepares the process for what a command needs. It imports
// nothing but the runtime, so that it is initialised before nearly all other packages.
package early

func init() { growStack(0) }

// growStack makes the stack as large as most commands need while hardly
// anything is on it. Where it grows bit by bit, each time all callers are
// looked up and moved, which is slower than most of what a command does; the
// initialisation of packages needs more than the first stack, too. The room is
// only asked for: called with 0, nothing touches it.
//
//go:noinline
func growStack(at int) byte {
	if at == 0 {
		return 0
	}
	var room [48 << 10]byte
	room[at] = 1
	return room[at/2]
}
