package sqlite

import (
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// DefaultBusyTimeout is how long Open waits for a lock unless told otherwise:
// as long as OpenClaw does from 2026.8 on.
const DefaultBusyTimeout = 5 * time.Second

// maxCell is the size up to which a text is read. OpenClaw's own stay far below.
const maxCell = 64 << 20

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
	path       string
	timeout    time.Duration
	fileSystem *fileSystem
	connection *sqlite3.Conn
	schema     Schema
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
	if err := checkFile(path); err != nil {
		return nil, err
	}
	d := &Database{path: path, timeout: options.timeout(), fileSystem: newFileSystem()}
	if err := d.open(options); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Database) open(options Options) error {
	uri, err := d.uri()
	if err != nil {
		return failFile(d.path, err)
	}
	d.connection, err = sqlite3.OpenFlags(uri, sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return d.fail(err)
	}
	if err := d.configure(); err != nil {
		return d.fail(err)
	}
	if err := d.readSchema(); err != nil {
		return err
	}
	return d.checkSchema(options)
}

// uri names the database and the file system to read it with.
func (d *Database) uri() (string, error) {
	path, err := filepath.Abs(d.path)
	if err != nil {
		return "", err
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // C:/…
		path = "/" + path
	}
	uri := url.URL{Scheme: "file", Path: path, RawQuery: "vfs=" + d.fileSystem.name}
	return uri.String(), nil
}

// configure makes SQLite distrust the file, and begins the transaction. A view
// in place of a table could compute for ever; a wrong cell must not be followed.
func (d *Database) configure() error {
	if err := d.connection.BusyTimeout(d.timeout); err != nil {
		return err
	}
	for _, switched := range []struct {
		option sqlite3.DBConfig
		on     bool
	}{
		{sqlite3.DBCONFIG_DEFENSIVE, true},
		{sqlite3.DBCONFIG_TRUSTED_SCHEMA, false},
		{sqlite3.DBCONFIG_ENABLE_VIEW, false},
	} {
		if _, err := d.connection.Config(switched.option, switched.on); err != nil {
			return err
		}
	}
	d.connection.Limit(sqlite3.LIMIT_LENGTH, maxCell)
	return d.connection.Exec("PRAGMA cell_size_check=1; PRAGMA temp_store=2; BEGIN")
}

// Path returns the path that the database was opened with.
func (d *Database) Path() string { return d.path }

// Close ends the moment and releases all locks. No iteration may be running.
func (d *Database) Close() error {
	if d.fileSystem == nil {
		return nil
	}
	err := d.connection.Close()
	d.fileSystem.close()
	d.connection, d.fileSystem = nil, nil
	if err != nil {
		return failSQLite(d.path, d.timeout, err)
	}
	return nil
}

// fail prefers the reason that our own file gave.
func (d *Database) fail(err error) error {
	if own := d.fileSystem.failure(); own != nil {
		err = own
	}
	return failSQLite(d.path, d.timeout, err)
}

// checkFile finds what needs no SQLite to be found.
func checkFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return failFile(path, err)
	case info.IsDir():
		return fail(path, Unreadable, "is a directory, expected a database")
	case !info.Mode().IsRegular():
		return fail(path, Unreadable, "is no regular file")
	case info.Size() == 0:
		return fail(path, Empty, "is zero bytes long, expected a database")
	}
	return checkHeader(path, info.Size())
}

// checkHeader looks at the first bytes of the database.
func checkHeader(path string, size int64) error {
	const magic = "SQLite format 3\x00"
	file, err := os.Open(path)
	if err != nil {
		return failFile(path, err)
	}
	defer file.Close()
	var header [100]byte
	n, err := file.ReadAt(header[:], 0)
	switch {
	case err != nil && err != io.EOF:
		return failFile(path, err)
	case !strings.HasPrefix(magic, string(header[:min(n, len(magic))])):
		return fail(path, NotDatabase, "is not a SQLite database")
	case n < len(header):
		return fail(path, Corrupt, "is truncated after %d bytes", size)
	}
	return nil
}
