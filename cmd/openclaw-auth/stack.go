package main

// growStack makes the stack as large as most commands need while hardly
// anything is on it. Where it grows bit by bit, each time all callers are
// looked up and moved, which is slower than most of what a command does. The
// room is only asked for: called with 0, nothing touches it.
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
