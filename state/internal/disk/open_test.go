//go:build unix

package disk

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	file, fifo, socket := filepath.Join(dir, "file"), filepath.Join(dir, "fifo"), filepath.Join(dir, "socket")
	link, loop := filepath.Join(dir, "link"), filepath.Join(dir, "loop")
	if err := errors.Join(os.WriteFile(file, []byte("x"), 0o600), syscall.Mkfifo(fifo, 0o600), os.Symlink(fifo, link), os.Symlink(loop, loop)); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for path, want := range map[string]error{
		file: nil, fifo: ErrNotRegular, link: ErrNotRegular, dir: ErrNotRegular, "/dev/zero": ErrNotRegular, "/dev/null": ErrNotRegular,
		loop: syscall.ELOOP, filepath.Join(dir, "none"): os.ErrNotExist, socket: ErrNotRegular,
	} {
		begun := time.Now()
		opened, err := OpenRegular(path)
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s: took %v", path, took)
		}
		if opened != nil {
			opened.Close()
		}
	}
}
