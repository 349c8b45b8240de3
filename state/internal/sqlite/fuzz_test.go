package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// FuzzOpen reads damaged databases: an answer or an error of this package, and
// soon.
func FuzzOpen(f *testing.F) {
	for _, pageSize := range []string{"512", "4096"} {
		path := filepath.Join(f.TempDir(), "a.sqlite")
		connection, err := sqlite3.Open(path)
		if err != nil {
			f.Fatal(err)
		}
		execute(f, connection, "PRAGMA page_size="+pageSize+"; PRAGMA journal_mode=wal;"+twoRows+sessionTable)
		execute(f, connection, "PRAGMA wal_checkpoint; "+stormScript(7)+`;
			INSERT INTO session_nodes VALUES ('agent:work:main', 'x', '{"sessionId":"x","updatedAt":1}', 1, 1)`)
		data, first := os.ReadFile(path)
		wal, second := os.ReadFile(path + "-wal")
		if err := errors.Join(first, second); err != nil {
			f.Fatal(err)
		}
		f.Add(data, wal)
		f.Add(data, []byte{})
		execute(f, connection, "PRAGMA wal_checkpoint")
		if data, err = os.ReadFile(path); err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte{})
		connection.Close()
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, data, wal []byte) {
		path := filepath.Join(folder, "damaged.sqlite")
		write(t, path, data)
		write(t, path+"-wal", wal)
		begun := time.Now()
		if err := readAll(path); err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%v is no error of this package", err)
			}
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// Bytes all over a small database, damaged in some ways: the cheap part of what
// the fuzzer does, in every run.
func TestDamagedBytes(t *testing.T) {
	path := create(t, twoRows+sessionTable+stormScript(3))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 23 // coprime to the page size: each place of a page has its turn
	if testing.Short() {
		step = 229
	}
	data := make([]byte, len(whole))
	for at := 0; at < len(whole); at += step {
		copy(data, whole)
		data[at] ^= []byte{0x01, 0x80, 0xff}[at%3]
		write(t, path, data)
		if err := readAll(path); err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("byte %d: %v", at, err)
			}
		}
	}
}
