// Package sqlite reads OpenClaw's databases (2026.6.11 and later) without
// changing anything: the agent database openclaw-agent.sqlite and the state
// database openclaw.sqlite. It returns texts and times as they are stored; what
// the JSON in them means is for its callers.
//
// A Database is one moment's view. Open begins a read transaction, Close ends
// it, and every row asked for in between belongs to the same commit, whatever a
// running gateway writes in the meantime. The view holds locks that keep a gateway
// from checkpointing, never from committing: keep it open for as long as the
// rows take, not longer.
//
// # Why not SQLite
//
// SQLite can't read a database in WAL mode without touching its folder: mode=ro
// still creates and writes the -shm file (and an empty -wal), and immutable=1
// doesn't see what is only in the -wal. It also parses all of a 9.6 schema, 65
// KB of SQL, before it answers: 7 ms where this takes a half. So the few shapes
// of page that these tables need are read here, as SQLite documents its file
// format, which is fixed for good. Nothing is written by this package. The tests
// compare it with SQLite itself, on OpenClaw's databases and on made-up ones.
//
// # How nothing is changed
//
// All files are opened read-only, none is created:
//
//   - the database is locked SHARED, as every reader locks it;
//   - the -shm file, where there is one, is locked (shared) on the bytes of its
//     five read marks. No process can then write pages back into the database
//     or start the -wal over; appending to the -wal goes on. Its content is
//     never trusted, so it makes no difference whether it is live or left over;
//   - the -wal is read once from its start, checksums verified, as SQLite does
//     after a crash. Pages with a committed frame come from there, all others
//     from the database;
//   - without a -shm file nobody has the database open in WAL mode. That this
//     stays so is checked after each page that is read;
//   - with a rollback journal the SHARED lock alone keeps writers away.
//
// So a folder that can't be written is no different, nothing needs to be copied
// aside, and a process that is killed leaves nothing behind.
package sqlite
