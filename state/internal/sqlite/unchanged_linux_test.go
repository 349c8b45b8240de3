package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// watch reports whether anything but reading happens in a folder meanwhile.
func watch(t *testing.T, path string, during func()) {
	t.Helper()
	watcher, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(watcher)
	const changes = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_DELETE | unix.IN_DELETE_SELF |
		unix.IN_MOVE | unix.IN_MOVE_SELF | unix.IN_CLOSE_WRITE
	if _, err := unix.InotifyAddWatch(watcher, path, changes); err != nil {
		t.Fatal(err)
	}
	during()
	buffer := make([]byte, 4096)
	if n, err := unix.Read(watcher, buffer); n > 0 || err != unix.EAGAIN {
		t.Errorf("the kernel reports changes: %q, %v", buffer[:max(n, 0)], err)
	}
}

func TestKernelSeesNoChange(t *testing.T) {
	for name, path := range places(t) {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Dir(path)); err != nil {
				t.Skip(err)
			}
			watch(t, filepath.Dir(path), func() { _ = readAll(path) })
		})
	}
}

// A folder and files that can't be written are read all the same.
func TestReadOnlyFolder(t *testing.T) {
	for name, path := range places(t) {
		if want := readAll(path); os.IsNotExist(want) || name == "folder" {
			continue
		} else {
			t.Run(name, func(t *testing.T) {
				lock(t, path)
				asNobody(func() {
					if file, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
						file.Close()
						t.Error("the file can be written")
					}
					if got := readAll(path); (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
						t.Errorf("%v, want %v", got, want)
					}
				})
			})
		}
	}
}

// lock makes a folder readable for everyone and writable for none.
func lock(t *testing.T, path string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Dir(path)
	t.Cleanup(func() { os.Chmod(folder, 0o700) })
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	for above := filepath.Dir(folder); above != filepath.Clean(os.TempDir()); above = filepath.Dir(above) {
		if err := os.Chmod(above, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// asNobody runs use in a thread of its own without the rights that root has
// over files.
func asNobody(use func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if os.Getuid() == 0 {
			syscall.RawSyscall(unix.SYS_SETFSUID, 65534, 0, 0)
		}
		use()
	}()
	<-done
}

func TestNoPermission(t *testing.T) {
	path := sample(t, agent71)
	lock(t, path)
	if err := os.Chmod(path+"-wal", 0); err != nil {
		t.Fatal(err)
	}
	asNobody(func() { check(t, failed(path, Options{}), Unreadable, path+"-wal", "can't be read: permission denied") })
}
