package runner

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// Everything comes back as it was written, whether it fits into memory or not,
// and the file for the rest has no name.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, size := range []int{0, 1, inMemory - 1, inMemory, inMemory + 1, 3*inMemory + 17} {
		want := pattern(size)
		var s Spool
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 70_001)
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		var got bytes.Buffer
		if err := s.CopyTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) || s.Size() != int64(size) {
			t.Errorf("%d bytes: got %d, size %d, %v", size, got.Len(), s.Size(), err)
		}
		if (s.file != nil) != (size > inMemory) {
			t.Errorf("%d bytes: a file is used: %v", size, s.file != nil)
		}
		if names, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(names) > 0 {
			t.Errorf("%d bytes: %v lie about", size, names)
		}
		s.Close()
	}
}

func pattern(size int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i*7 + i>>8)
	}
	return data
}

// counted counts how often it is read.
type counted struct {
	io.Reader
	reads int
}

func (c *counted) Read(p []byte) (int, error) {
	c.reads++
	return c.Reader.Read(p)
}

// Each reader gets all of the input, and the source is read no further than
// somebody asks.
func TestInput(t *testing.T) {
	want := pattern(2*inMemory + 5)
	source := &counted{Reader: iotest.HalfReader(bytes.NewReader(want))}
	input := NewInput(source)
	defer input.Close()
	if _, err := io.ReadFull(input.Reader(), make([]byte, 10)); err != nil || source.reads > 4 {
		t.Fatalf("read %d times for ten bytes, %v", source.reads, err)
	}
	for i := range 3 {
		got, err := io.ReadAll(input.Reader())
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("reader %d: %d bytes, %v", i+1, len(got), err)
		}
	}
}

// An error of the source reaches every reader after what came before it.
func TestInputError(t *testing.T) {
	input := NewInput(io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	for range 2 {
		if got, err := io.ReadAll(input.Reader()); string(got) != "begin" || err != io.ErrUnexpectedEOF {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// A secret is masked wherever a write cuts it, and everything else stays.
func TestMask(t *testing.T) {
	text := "a sk-secret-1 b sk-sk-secret-1sk-secret-1 sk-secret- end sk-se"
	want := "a **** b sk-******** sk-secret- end sk-se"
	for size := 1; size <= len(text); size++ {
		var got bytes.Buffer
		m := NewMask(&got, "sk-secret-1", "", "b")
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if written, err := m.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatal(written, err)
			}
			rest = rest[n:]
		}
		if err := m.Flush(); err != nil || got.String() != want {
			t.Errorf("in pieces of %d: %q", size, got.String())
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("one two", "two", 3)
	f.Add("aaaaaaaaaa", "aaaaaa", 1)
	f.Fuzz(func(t *testing.T, text, secret string, size int) {
		if len(secret) < shortest || size < 1 {
			return
		}
		var whole, pieces bytes.Buffer
		m := NewMask(&whole, secret)
		_, _ = m.Write([]byte(text))
		_ = m.Flush()
		m = NewMask(&pieces, secret)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			_, _ = m.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		_ = m.Flush()
		if strings.Contains(pieces.String(), secret) && !strings.Contains("****", secret) && !strings.Contains(strings.ReplaceAll(text, secret, "****"), secret) {
			t.Errorf("%q in pieces of %d shows %q", text, size, secret)
		}
		if whole.String() != strings.ReplaceAll(text, secret, "****") {
			t.Errorf("%q: %q", text, whole.String())
		}
	})
}

func TestTail(t *testing.T) {
	tail := &Tail{Limit: 5}
	for _, text := range []string{"", "abc", "d", "efghijkl", "mn"} {
		if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if tail.String() != "jklmn" {
		t.Errorf("%q", tail.String())
	}
}
