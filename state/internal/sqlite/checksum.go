package sqlite

import "encoding/binary"

// checksum is SQLite's running sum over pairs of 32-bit words. The -wal
// chains it through all frames; the -shm header has one of its own.
type checksum struct {
	a, b  uint32
	order binary.ByteOrder
}

// add continues the sum over data, whose length is a multiple of 8. The two
// loops differ in byte order alone: calls through the interface would cost ten
// times as much, and a -wal has megabytes.
func (c *checksum) add(data []byte) {
	a, b := c.a, c.b
	if c.order == binary.BigEndian {
		for ; len(data) >= 8; data = data[8:] {
			a += binary.BigEndian.Uint32(data) + b
			b += binary.BigEndian.Uint32(data[4:]) + a
		}
	} else {
		for ; len(data) >= 8; data = data[8:] {
			a += binary.LittleEndian.Uint32(data) + b
			b += binary.LittleEndian.Uint32(data[4:]) + a
		}
	}
	c.a, c.b = a, b
}
