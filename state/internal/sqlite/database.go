package sqlite

import (
	"errors"
	"time"
)

// DefaultBusyTimeout is how long Open waits for a lock unless told otherwise:
// as long as OpenClaw does from 2026.8 on.
const DefaultBusyTimeout = 5 * time.Second

// maxPayload is the size up to which a row is read. OpenClaw's own stay far
// below.
const maxPayload = 64 << 20

// Options say which database is expected.
type Options struct {
	Role  Role   // refuse a database of another role
	Agent string // refuse a database of another agent; normalised, as in directory names
	Force bool   // read a schema newer than Newest, too

	// BusyTimeout is the longest wait for a lock: DefaultBusyTimeout for 0, no
	// wait for a negative one.
	BusyTimeout time.Duration
}

func (o Options) timeout() time.Duration {
	if o.BusyTimeout == 0 {
		return DefaultBusyTimeout
	}
	return max(o.BusyTimeout, 0)
}

// Database is one moment's view of a database, see the package. It is not for
// use by several goroutines at once.
type Database struct {
	path     string
	snapshot *snapshot // nil once closed
	catalog  []entry
	tables   map[string]*table // those asked for, by name
	schema   Schema
}

// Open opens an existing database for reading and fixes the moment that is
// read. Errors are of type *Error.
//
// A lost -wal is found out (MissingWAL) where a trace of it is left: a -shm
// file that counts pages which were only there, or a database in WAL mode
// without any table, as a copy of a young database is. A database copied alone
// after its first checkpoint is complete in itself, only older; nothing in it
// says that there was more.
func Open(path string, options Options) (*Database, error) {
	for begun := time.Now(); ; {
		d, err := openOnce(path, options)
		if err == nil || !errors.Is(err, errLost) || time.Since(begun) > options.timeout() {
			return d, err
		}
	}
}

func openOnce(path string, options Options) (*Database, error) {
	snapshot, err := takeSnapshot(path, options.timeout())
	if err != nil {
		return nil, err
	}
	d := &Database{path: path, snapshot: snapshot, tables: map[string]*table{}}
	if err := d.open(options); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Database) open(options Options) error {
	catalog, empty, err := d.snapshot.readCatalog()
	if err != nil {
		return err
	}
	d.catalog = catalog
	header := d.snapshot.header
	switch {
	case empty && header.walMode && d.snapshot.walFile == nil:
		return fail(d.path, MissingWAL, "holds no tables and has no -wal file beside it; copy both together")
	case header.encoding > utf8:
		return fail(d.path, Unreadable, "has its texts in UTF-16, which OpenClaw never uses")
	}
	if err := d.readSchema(); err != nil {
		return err
	}
	return d.checkSchema(options)
}

// Path returns the path that the database was opened with.
func (d *Database) Path() string { return d.path }

// Close ends the moment and releases all locks. It may be called again.
func (d *Database) Close() error {
	if d.snapshot == nil {
		return nil
	}
	err := d.snapshot.close()
	d.snapshot = nil
	if err != nil {
		return failFile(d.path, err)
	}
	return nil
}
