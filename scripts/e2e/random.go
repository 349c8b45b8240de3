package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"openclaw-auth/scripts/e2e/turn"
)

// program is an installed release.
type program struct {
	Node    string `json:"node"`
	Package string `json:"package"`
	CLI     string `json:"cli"`
}

// find looks for a release where scripts/record setup and npm put it.
func find(dir, release string) (program, error) {
	folder := filepath.Join(dir, "v"+release, "node_modules", "openclaw")
	found := program{Node: filepath.Join(dir, "node", "bin", "node"), Package: folder, CLI: filepath.Join(folder, "openclaw.mjs")}
	for _, file := range []string{found.Node, found.CLI} {
		if _, err := os.Stat(file); err != nil {
			return program{}, fmt.Errorf("skipped: OpenClaw %s is not installed: no %s (npm install --prefix %s openclaw@%s, and a Node 24 at %s)",
				release, file, filepath.Join(dir, "v"+release), release, found.Node)
		}
	}
	return found, nil
}

// random is the command run: random turns on the real program, compared.
func random(args []string) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	turns := flags.Int("turns", 50, "how many turns")
	seed := flags.Uint64("seed", 1, "seed of the plan")
	via := flags.String("via", "command", "command: the agent command in one process; http: in a gateway; reply: a channel's message")
	dir := flags.String("dir", os.Getenv("OPENCLAW_E2E_DIR"), "where vRELEASE/node_modules/openclaw and node/bin/node are (OPENCLAW_E2E_DIR)")
	save := flags.String("save", "", "a file for the turns, to be checked again with e2e check")
	if len(args) == 0 {
		return errors.New("run needs a release, such as: run 2026.5.12 --turns 50 --seed 1 --dir /opt/openclaw")
	}
	release := strings.TrimPrefix(args[0], "v")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	installed, err := find(*dir, release)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	homes, err := plans(release, *turns, *seed)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "openclaw-e2e-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	input, err := json.Marshal(map[string]any{"program": installed, "work": work, "release": release, "via": *via, "homes": homes})
	if err != nil {
		return err
	}
	out := io.Discard
	if *save != "" {
		file, err := os.Create(*save)
		if err != nil {
			return err
		}
		defer file.Close()
		out = file
	}
	script := exec.Command(installed.Node, filepath.Join("scripts", "e2e", "real", "turns.mjs"))
	script.Stdin, script.Stderr = bytes.NewReader(input), os.Stderr
	lines, err := script.StdoutPipe()
	if err != nil {
		return err
	}
	if err := script.Start(); err != nil {
		return err
	}
	agreement, err := agree(io.TeeReader(lines, out), *turns)
	if waitErr := script.Wait(); err == nil {
		err = waitErr
	}
	fmt.Println(agreement)
	if err == nil && !agreement.whole() {
		err = errors.New("turns differ")
	}
	return err
}

// agreement counts how many turns agree.
type agreement struct {
	turns, sequences, states int
	memories                 turn.Memories
}

func (a *agreement) String() string {
	return fmt.Sprintf("e2e %d/%d sequences, %d/%d states", a.sequences, a.turns, a.states, a.turns)
}

func (a *agreement) whole() bool { return a.sequences == a.turns && a.states == a.turns }

// add compares a turn and prints where it differs.
func (a *agreement) add(t *turn.Turn) error {
	d, err := t.Compare(a.memories.Of(t))
	if err != nil {
		return err
	}
	for _, text := range append(d.Sequence, d.State...) {
		fmt.Printf("%s (%s): %s\n", t.Name(), t.Title, text)
	}
	if t.Stale {
		return nil
	}
	a.turns++
	if len(d.Sequence) == 0 {
		a.sequences++
	}
	if len(d.State) == 0 {
		a.states++
	}
	return nil
}

// agree compares turns as they come.
func agree(lines io.Reader, turns int) (*agreement, error) {
	a := &agreement{memories: turn.Memories{}}
	started := time.Now()
	decoder := json.NewDecoder(bufio.NewReader(lines))
	for {
		var t turn.Turn
		err := decoder.Decode(&t)
		if err == io.EOF {
			return a, nil
		}
		if err != nil {
			return a, err
		}
		if err := a.add(&t); err != nil {
			return a, err
		}
		if a.turns%10 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d turns, %s\n", a.turns, turns, time.Since(started).Round(time.Second))
		}
	}
}
