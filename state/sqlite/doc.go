// Package sqlite reads OpenClaw's databases (2026.6.11 and later) without
// changing anything: the agent database openclaw-agent.sqlite and the state
// database openclaw.sqlite. It returns texts and times as they are stored; what
// the JSON in them means is for its callers.
//
// A Database is one moment's view. Open begins a read transaction, Close ends
// it, and every row asked for in between belongs to the same commit, whatever a
// running gateway writes meanwhile. The view holds locks that keep a gateway
// from checkpointing, never from committing: keep it open for as long as the
// rows take, not longer.
//
// # How nothing is changed
//
// SQLite itself can't read a database in WAL mode without touching its folder:
// mode=ro still creates and writes the -shm file (and an empty -wal), and
// immutable=1 doesn't see what is only in the -wal. So SQLite gets its pages
// here from a file of our own, which opens everything read-only:
//
//   - the database is locked SHARED, as every reader locks it;
//   - the -shm file, where there is one, is locked (shared) on the bytes of its
//     five read marks. No process can then write pages back into the database
//     or start the -wal over; appending to the -wal goes on. Its content is
//     never needed, so it makes no difference whether it is live or left over;
//   - the -wal is read once from its start, checksums verified, as SQLite does
//     after a crash. Pages with a committed frame come from there, all others
//     from the database;
//   - without a -shm file nobody has the database open in WAL mode. That this
//     stays so is checked after each page that is read.
//
// No file is created, so a folder that can't be written is no different, and
// a process that is killed leaves nothing behind.
package sqlite
