//go:build unix

package sqlite

import (
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

// What is no regular file, in place of a database or beside it, is an error at
// once: opening a FIFO would wait for ever.
func TestSpecialFiles(t *testing.T) {
	kinds := map[string]func(t *testing.T, path string) error{
		"fifo":      func(_ *testing.T, path string) error { return syscall.Mkfifo(path, 0o600) },
		"directory": func(_ *testing.T, path string) error { return os.Mkdir(path, 0o700) },
		"device":    func(_ *testing.T, path string) error { return os.Symlink("/dev/zero", path) },
		"link":      func(_ *testing.T, path string) error { return os.Symlink("missing", path) },
		"socket": func(t *testing.T, path string) error {
			listener, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { listener.Close() })
			}
			return err
		},
	}
	for kind, make := range kinds {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			t.Run(kind+suffix, func(t *testing.T) {
				t.Chdir(t.TempDir()) // the name of a socket is short
				const path = "a.sqlite"
				data, err := os.ReadFile(create(t, twoRows))
				if err != nil {
					t.Fatal(err)
				}
				write(t, path, data)
				os.Remove(path + suffix)
				if err := make(t, path+suffix); err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				want, text := Unreadable, "is "
				if kind+suffix == "link" { // a database that is not there
					want, text = Missing, "no such file"
				}
				check(t, failed(path, Options{BusyTimeout: -1}), want, path+suffix, text)
				_, err = BeginWrite(path, Options{BusyTimeout: -1})
				check(t, err, want, path+suffix, text)
				if took := time.Since(begun); took > 5*time.Second {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}
