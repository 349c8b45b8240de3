package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// asking is the part of the recorder that runs in Node, inside the release.
//
//go:embed ask/*.mjs
var asking embed.FS

// fnGroups tells which group a function's questions are asked in.
var fnGroups = map[string]string{
	"order": "profiles", "cooldown": "profiles", "failure": "profiles", "pin": "profiles", "classify": "classify",
	"parse": "chain", "candidates": "chain", "selection": "chain", "walk": "chain", "facts": "facts",
}

// ask asks releases that setup placed in dir the questions of some files, and
// writes dir/recordings/VERSION/GROUP.jsonl.
func ask(dir string, versions, questions []string) error {
	byGroup, err := readQuestions(questions)
	if err != nil {
		return err
	}
	scripts, err := os.MkdirTemp("", "record-ask")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scripts)
	parts, err := fs.Sub(asking, "ask")
	if err != nil {
		return err
	}
	if err := os.CopyFS(scripts, parts); err != nil {
		return err
	}
	for _, version := range versions {
		into := filepath.Join(dir, "recordings", version)
		if err := os.MkdirAll(into, 0o755); err != nil {
			return err
		}
		for _, group := range groups {
			if len(byGroup[group]) == 0 {
				continue
			}
			began := time.Now()
			answers, err := askGroup(dir, version, scripts, byGroup[group])
			if err != nil {
				return fmt.Errorf("%s %s: %w", version, group, err)
			}
			if err := os.WriteFile(filepath.Join(into, group+".jsonl"), answers, 0o644); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s %s: %d of %d answered in %s\n", version, group,
				bytes.Count(answers, []byte("\n")), len(byGroup[group]), time.Since(began).Round(time.Second))
		}
	}
	return nil
}

// askGroup runs the release once, with questions of one group.
func askGroup(dir, version, scripts string, questions [][]byte) ([]byte, error) {
	cmd := exec.Command(nodeOf(dir), filepath.Join(scripts, "ask.mjs"), "--root", rootOf(dir, version))
	cmd.Stdin = bytes.NewReader(bytes.Join(questions, []byte("\n")))
	cmd.Stderr = os.Stderr
	return cmd.Output()
}

// readQuestions reads recorded answers or bare questions, without what was
// answered to them, each once.
func readQuestions(files []string) (map[string][][]byte, error) {
	byGroup := map[string][][]byte{}
	seen := map[string]bool{}
	for _, file := range files {
		records, err := readRecords(file)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			group, known := fnGroups[r.Fn]
			if !known || seen[r.key()] {
				continue
			}
			seen[r.key()] = true
			r.Want = nil
			line, err := json.Marshal(r)
			if err != nil {
				return nil, err
			}
			byGroup[group] = append(byGroup[group], line)
		}
	}
	return byGroup, nil
}

// difference prints in which functions two releases answer the same questions
// otherwise, and the first such answers.
func difference(recordings, older, newer string) error {
	a, err := readAnswers(filepath.Join(recordings, older))
	if err != nil {
		return err
	}
	b, err := readAnswers(filepath.Join(recordings, newer))
	if err != nil {
		return err
	}
	asked, differ := map[string]int{}, map[string][]record{}
	for key, r := range b {
		before, ok := a[key]
		if !ok {
			continue
		}
		asked[r.Fn]++
		if !bytes.Equal(before.Want, r.Want) {
			differ[r.Fn] = append(differ[r.Fn], r)
		}
	}
	fns := make([]string, 0, len(asked))
	for fn := range asked {
		fns = append(fns, fn)
	}
	slices.Sort(fns)
	for _, fn := range fns {
		fmt.Printf("%s: %d of %d answers differ\n", fn, len(differ[fn]), asked[fn])
		slices.SortFunc(differ[fn], func(x, y record) int { return strings.Compare(x.ID, y.ID) })
		for _, r := range differ[fn][:min(len(differ[fn]), shownUnexplained)] {
			fmt.Printf("  %s\n    %s %s\n    %s %s\n", r.Input, older, a[r.key()].Want, newer, r.Want)
		}
	}
	return nil
}
