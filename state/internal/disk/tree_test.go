//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A tree reads and writes its own files and nothing that a link leads to.
func TestTree(t *testing.T) {
	home := t.TempDir()
	victim := filepath.Join(home, "victim")
	private := filepath.Join(home, "private")
	if err := errors.Join(os.WriteFile(victim, []byte("precious"), 0o600), os.Mkdir(private, 0o700)); err != nil {
		t.Fatal(err)
	}
	tree, err := System{}.Within(private)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	w := &Writer{FS: tree, Disk: tree}
	links := map[string]string{"up": "../victim", "absolute": victim, "beside": "file", "directory": "..", "dangling": "none"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(private, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Fill(filepath.Join(private, "file"), []byte("own"), PrivateMode), syscall.Mkfifo(filepath.Join(private, "fifo"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"up", "absolute", "beside", "directory", "dangling", "fifo", "directory/victim", "../victim", "directory/private/file"} {
		path := private + "/" + name
		if text, err := ReadFile(tree, path, MaxConfig); err == nil && name != "directory/private/file" {
			t.Errorf("%s: read %q", name, text)
		}
		if file, err := tree.Overwrite(path); err == nil && name != "directory/private/file" {
			file.Close()
			t.Errorf("%s: opened for writing", name)
		}
		if file, err := tree.Create(path, 0o600); err == nil {
			file.Close()
			t.Errorf("%s: made", name)
		}
	}
	for _, name := range []string{"up", "absolute"} { // a link is replaced, never what it leads to
		if err := w.Replace(filepath.Join(private, name), []byte("new")); err != nil {
			t.Error(err)
		}
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("the file outside is %q", text)
	}
	if err := errors.Join(os.RemoveAll(private), os.Symlink(home, private)); err != nil {
		t.Fatal(err)
	}
	if _, err := (System{}).Within(private); !errors.Is(err, ErrNotDirectory) {
		t.Errorf("a link in place of the directory: %v", err)
	}
}

// What is made can be used whatever the umask.
func TestUmask(t *testing.T) {
	dir := t.TempDir()
	before := syscall.Umask(0o777)
	defer syscall.Umask(before)
	w := &Writer{FS: System{}, Disk: System{}}
	path := filepath.Join(dir, "a", "b", "file")
	if err := w.Put(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"a": PrivateDir, "a/b": PrivateDir, "a/b/file": PrivateMode} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
