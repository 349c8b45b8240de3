package history

import (
	"bytes"
	"io"
	"testing"
)

// repeated reads a sample again and again.
type repeated struct {
	sample []byte
	rest   []byte
	times  int
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.times == 0 {
			return 0, io.EOF
		}
		r.rest, r.times = r.sample, r.times-1
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func BenchmarkReadLog(b *testing.B) {
	log := readSample(b, "2026.7.1").log()
	const times = 400
	b.SetBytes(int64(len(log) * times))
	b.ReportAllocs()
	for b.Loop() {
		if err := ReadLog(&repeated{sample: log, times: times}, &Source{}, LogOptions{}, func(*Event) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStory(b *testing.B) {
	log := bytes.Clone(readSample(b, "2026.7.1").log())
	const times = 400
	b.SetBytes(int64(len(log) * times))
	b.ReportAllocs()
	for b.Loop() {
		story := NewStory(Options{}, func(*Run) {})
		Tell(story, nil, nil, []Stream{{Read: func(yield func(*Event) bool) error {
			return ReadLog(&repeated{sample: log, times: times}, &Source{}, LogOptions{}, yield)
		}}})
	}
}
