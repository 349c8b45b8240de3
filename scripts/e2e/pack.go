package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/scripts/e2e/turn"
	"openclaw-auth/state"
)

// recorded is a turn as the harness writes it: with the home as it was before,
// and the arguments of chain simulate that ask for it.
type recorded struct {
	turn.Turn
	Home  string                     `json:"home"`
	Args  []string                   `json:"args"`
	Usage map[string]json.RawMessage `json:"usage"`
	Entry json.RawMessage            `json:"entry"`
	Stale any                        `json:"stale"`
}

// pack writes the turns of a recording to out, each with the documents that
// OpenClaw had loaded from its home in place of the home itself.
func pack(turns io.Reader, homes string, out io.Writer) error {
	lines := bufio.NewScanner(turns)
	lines.Buffer(nil, 1<<24)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		t := r.Turn
		t.After, t.Stale, t.Entry = r.Usage, r.Stale != nil, nil
		if err := load(&t, filepath.Join(homes, r.Home), r.Args); err != nil {
			return fmt.Errorf("%s: %w", r.Home, err)
		}
		if err := encoder.Encode(t); err != nil {
			return err
		}
	}
	return lines.Err()
}

// load fills in what the home holds for the run that the arguments name.
func load(t *turn.Turn, dir string, args []string) error {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--agent":
			i++
			t.Agent = args[i]
		case "--session":
			i++
			t.Session = args[i]
		case "--fail":
			i++
			t.Fail = append(t.Fail, args[i])
		case "--now":
			i++
			t.Now, _ = strconv.ParseInt(args[i], 10, 64)
		}
	}
	env := state.SystemEnv().With(map[string]string{"OPENCLAW_STATE_DIR": dir, "OPENCLAW_CONFIG_PATH": "", "HOME": dir})
	opened, err := state.Open(env, t.Release)
	home, config := opened.Home, opened.Config
	if err != nil {
		return err
	}
	agent, err := state.FindAgent(home.Agents(config), t.Agent)
	if err != nil {
		return err
	}
	loaded, err := home.LoadAgent(agent, t.Now)
	if err != nil {
		return err
	}
	t.Config = document.EncodeCompact(config.Auth().Document())
	t.Profiles = document.EncodeCompact(credentials(loaded.Store.Profiles))
	t.Order, t.LastGood, t.Usage = encoded(loaded.Store.Order), encoded(loaded.Store.LastGood), encoded(loaded.Store.UsageStats)
	for id := range loaded.Store.Profiles.All() {
		if loaded.Inherited(auth.ProfileID(id)) {
			t.Inherited = append(t.Inherited, id)
		}
	}
	if t.Session == "" {
		return nil
	}
	session, err := state.FindSession(home.Sessions(config, agent), agent.ID, t.Session)
	if err != nil {
		return err
	}
	t.Session, t.Entry = session.Key, encoded(session.Entry)
	return nil
}

func encoded(object *document.Object) json.RawMessage {
	if object == nil {
		return nil
	}
	return document.EncodeCompact(object)
}

// credentials are the profiles without their secrets: that there is one is all
// that a turn depends on.
func credentials(profiles *document.Object) *document.Object {
	plain := document.NewObject()
	for id, value := range profiles.All() {
		credential, _ := value.(*document.Object)
		copied := document.NewObject()
		for name, member := range credential.All() {
			if secret, ok := member.(document.Secret); ok && !secret.IsZero() {
				member = "mock"
			}
			copied.Set(name, member)
		}
		plain.Set(id, copied)
	}
	return plain
}

// packFile is the command pack.
func packFile(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("pack needs the recorded turns and the folder of their homes")
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	return pack(file, strings.TrimSuffix(args[1], "/"), os.Stdout)
}
