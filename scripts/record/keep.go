package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// groups are the files of a release's recording.
var groups = []string{"profiles", "classify", "chain", "facts"}

// How many answers of a function are kept: those that differ from a neighbour's,
// and some that don't.
const (
	keptDifferent = 12
	keptSame      = 3
)

// record is one line of a recording.
type record struct {
	ID    string          `json:"id"`
	Fn    string          `json:"fn"`
	Now   json.RawMessage `json:"now,omitempty"`
	Input json.RawMessage `json:"input"`
	Want  json.RawMessage `json:"want,omitempty"`
}

// key names a question, whatever its id.
func (r record) key() string { return r.Fn + string(r.Now) + string(r.Input) }

// keep writes a small recording of each release into a folder: the answers in
// which it differs from the release before or after it, and a few others.
func keep(recordings, into string, versions []string) error {
	slices.SortFunc(versions, compareReleases)
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	answers := make([]map[string]record, len(versions))
	for i, version := range versions {
		var err error
		if answers[i], err = readAnswers(filepath.Join(recordings, version)); err != nil {
			return err
		}
	}
	for i, version := range versions {
		var neighbours []map[string]record
		if i > 0 {
			neighbours = append(neighbours, answers[i-1])
		}
		if i+1 < len(versions) {
			neighbours = append(neighbours, answers[i+1])
		}
		chosen := choose(answers[i], neighbours)
		if err := writeRecords(filepath.Join(into, version+".jsonl.gz"), chosen); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d answers kept\n", version, len(chosen))
	}
	return nil
}

// readAnswers reads the recording of a release by question. Answers in which the
// release threw are left out.
func readAnswers(folder string) (map[string]record, error) {
	answers := map[string]record{}
	for _, group := range groups {
		records, err := readRecords(filepath.Join(folder, group+".jsonl"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if !bytes.HasPrefix(r.Want, []byte(`{"error":`)) {
				answers[r.key()] = r
			}
		}
	}
	return answers, nil
}

// readRecords reads a file of JSON lines, compressed if its name ends in .gz.
func readRecords(file string) ([]record, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var reader io.Reader = opened
	if strings.HasSuffix(file, ".gz") {
		if reader, err = gzip.NewReader(opened); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	var records []record
	for decoder := json.NewDecoder(reader); ; {
		var r record
		err := decoder.Decode(&r)
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		records = append(records, r)
	}
}

// choose picks what is kept, in an order that depends on the questions alone.
func choose(answers map[string]record, neighbours []map[string]record) []record {
	order := slices.SortedFunc(maps.Keys(answers), func(a, b string) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
		return bytes.Compare(x[:], y[:])
	})
	var chosen []record
	different, same := map[string]int{}, map[string]int{}
	for _, key := range order {
		r := answers[key]
		differs := false
		for _, neighbour := range neighbours {
			other, asked := neighbour[key]
			differs = differs || asked && !bytes.Equal(other.Want, r.Want)
		}
		count, limit := same, keptSame
		if differs {
			count, limit = different, keptDifferent
		}
		if count[r.Fn] < limit {
			count[r.Fn]++
			chosen = append(chosen, r)
		}
	}
	slices.SortStableFunc(chosen, func(a, b record) int { return strings.Compare(a.Fn+a.ID, b.Fn+b.ID) })
	return chosen
}

func writeRecords(file string, records []record) error {
	var content bytes.Buffer
	compressed, _ := gzip.NewWriterLevel(&content, gzip.BestCompression)
	encoder := json.NewEncoder(compressed)
	encoder.SetEscapeHTML(false)
	for _, r := range records {
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
	if err := compressed.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, content.Bytes(), 0o644)
}
