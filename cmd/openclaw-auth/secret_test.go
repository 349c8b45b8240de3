package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// secretNames are the members whose values no output may hold.
var secretNames = map[string]bool{
	"key": true, "token": true, "access": true, "refresh": true, "idToken": true, "apiKey": true,
	"OPENROUTER_API_KEY": true, "OPENAI_BACKUP_KEY": true,
}

// wordsOf are the arguments without which a command has nothing to say.
var wordsOf = map[string][][]string{
	"rules diff":       {{"2026.5.12", "2026.9.6"}},
	"explain":          {nil, {"rate_limit"}},
	"chain classify":   {{"HTTP 429 Too many requests"}, {"HTTP 429 Too many requests", "--all-lines"}, {"--lines", "../../testdata/README.md"}},
	"chain explain":    {nil, {"--origin"}, {"--image"}},
	"chain simulate":   {{"--fail", "*=billing"}},
	"rules show":       {nil, {"--effective"}},
	"undo":             {nil, {"--list"}},
	"auth order":       {nil, {"anthropic"}, {"--plain"}},
	"auth order set":   {{"anthropic", "anthropic:default"}, {"provider-0", "provider-0:0"}},
	"auth order clear": {{"anthropic"}, {"minimax"}},
	"auth reset":       {{"--all"}, {"--provider", "minimax"}, {"anthropic:default"}},
	"auth record":      {{"anthropic:default", "--reason", "billing"}, {"provider-0:0", "--success"}},
	"auth import":      {nil, {"../../testdata/homes/2026.4.29/.openclaw/credentials/oauth.json"}},
	"auth wait":        {{"anthropic", "--timeout", "0"}},
	"chain exec":       {{"true"}},
	"chain pin set":    {{"main", "anthropic:default"}},
	"chain pin clear":  {{"main"}},
	"doctor":           {{"--severity-min", "info"}, {"--lint", "--severity-min", "info"}, {"--format", "github", "--severity-min", "info"}, {"--format", "sarif"}, {"--format", "markdown", "--severity-min", "info"}, {"--fix"}},
}

// TestNoSecretIsPrinted runs every command in every format on homes whose
// secrets are known, and finds none of them, nor any 8 bytes of one, in what
// is printed. A new command is covered as soon as it exists.
func TestNoSecretIsPrinted(t *testing.T) {
	homes := map[string]bool{seededHome(t): true}
	samples := sampleHomes(t)
	if testing.Short() {
		samples = samples[:2]
	}
	for _, name := range samples {
		homes[sampleHome(t, name)] = false
	}
	for home, inPieces := range homes {
		pieces := map[string]bool{}
		for _, secret := range secretsOf(t, home) {
			length := 8
			if !inPieces { // the samples' secrets share words with their ids
				length = len(secret)
			}
			for i := 0; i+length <= len(secret); i++ {
				pieces[secret[i:i+length]] = true
			}
		}
		if len(pieces) == 0 && inPieces {
			t.Fatalf("no secrets in %s: the test tests nothing", home)
		}
		for _, output := range outputs(t, home) {
			for piece := range pieces {
				if strings.Contains(output.text, piece) {
					t.Errorf("%s prints a secret (%q)", output.command, piece)
				}
			}
		}
	}
}

// output is what a command printed.
type output struct {
	command, text string // with both streams
	stdout        string
}

func outputs(t *testing.T, home string) []output {
	var found []output
	var walk func(path []string, commands []*cli.Command)
	walk = func(path []string, commands []*cli.Command) {
		for _, command := range commands {
			name := append(append([]string{}, path...), command.Name)
			walk(name, command.Subcommands)
			if command.Action == nil || strings.Join(name, " ") == "state watch" { // it does not end; TestWatchShowsNoSecret
				continue
			}
			lists := wordsOf[strings.Join(name, " ")]
			if lists == nil {
				lists = [][]string{nil}
			}
			dry := []string{}
			for _, flag := range command.Flags {
				if flag.Names()[0] == "dry-run" { // a command that writes: here it only tells
					dry = []string{"--dry-run"}
				}
			}
			for _, arguments := range lists {
				if name[0] != "doctor" || slices.Contains(arguments, "--fix") {
					arguments = append(slices.Clone(arguments), dry...)
				}
				for _, format := range [][]string{nil, {"--json"}, {"--color", "always"}} {
					agents := [][]string{{"--agent", "main"}, {"--agent", "work"}, {"--agent", "research"}}
					if testing.Short() {
						agents = agents[:1]
					}
					if command.Category != "" { // it looks at no agent
						agents = [][]string{nil}
					}
					for _, agent := range agents {
						args := append(append(append(append([]string{}, name...), arguments...), format...), agent...)
						stdout, stderr, _ := program(t, home, args...)
						found = append(found, output{fmt.Sprint(args), stdout + stderr, stdout})
					}
				}
			}
		}
	}
	walk(nil, newRoot(world{}, nil).Commands)
	return found
}

// secretsOf collects the values of secret members in every JSON file of a home.
func secretsOf(t *testing.T, home string) []string {
	var secrets []string
	var collect func(value any)
	collect = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, item := range v {
				if text, ok := item.(string); ok && secretNames[name] && len(text) >= 8 && !strings.HasPrefix(text, "${") {
					secrets = append(secrets, text)
				}
				collect(item)
			}
		case []any:
			for _, item := range v {
				collect(item)
			}
		}
	}
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var value any
		if json.Unmarshal(data, &value) == nil {
			collect(value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return secrets
}

// seededHome makes a home with random secrets in every place that may hold one,
// among them an entry that is refused, a flat map and a profile id that is a key.
func seededHome(t *testing.T) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	random := rand.New(rand.NewPCG(1, 2))
	secret := func() string {
		text := make([]byte, 40)
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		return string(text)
	}
	profiles := map[string]any{}
	for i := range 30 {
		id := fmt.Sprintf("provider-%d:%d", i%6, i)
		switch i % 5 {
		case 0:
			profiles[id] = map[string]any{"type": "api_key", "provider": fmt.Sprintf("provider-%d", i%6), "key": secret()}
		case 1:
			profiles[id] = map[string]any{"type": "token", "provider": fmt.Sprintf("provider-%d", i%6), "token": secret(), "expires": 5}
		case 2:
			profiles[id] = map[string]any{"type": "oauth", "provider": fmt.Sprintf("provider-%d", i%6), "access": secret(), "refresh": secret(), "idToken": secret(), "expires": 5}
		case 3:
			profiles[id] = map[string]any{"type": "nonsense", "provider": "p", "key": secret()}
		case 4:
			profiles[id] = map[string]any{"mode": "api_key", "provider": fmt.Sprintf("provider-%d", i%6), "apiKey": secret()}
		}
	}
	key := secret()
	profiles["minimax:"+key] = map[string]any{"type": "api_key", "provider": "minimax", "key": key}
	encode := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	home := t.TempDir()
	write(t, home, map[string]string{
		conf: encode(map[string]any{
			"env":    map[string]any{"OPENAI_BACKUP_KEY": secret()},
			"models": map[string]any{"providers": map[string]any{"minimax": map[string]any{"apiKey": secret()}}},
			"auth": map[string]any{
				"order":    map[string]any{"minimax": []string{"minimax:" + key, "minimax:gone"}},
				"profiles": map[string]any{"minimax:" + key: map[string]any{"provider": "minimax", "mode": "oauth"}},
			},
			"agents": map[string]any{"list": []any{map[string]any{"id": "main"}, map[string]any{"id": "work"}, map[string]any{"id": "research"}}},
		}),
		store: encode(map[string]any{"version": 1, "profiles": profiles}),
		states: encode(map[string]any{
			"version":    1,
			"order":      map[string]any{"minimax": []string{"minimax:" + key}},
			"lastGood":   map[string]any{"minimax": "minimax:" + key},
			"usageStats": map[string]any{"minimax:" + key: map[string]any{"errorCount": "x", "cooldownUntil": 1}},
		}),
		"agents/research/agent/auth.json":            encode(map[string]any{"a": map[string]any{"type": "api_key", "key": secret()}, "broken": map[string]any{"key": secret()}}),
		"agents/work/agent/auth-profiles.json":       encode(map[string]any{"flat": map[string]any{"apiKey": secret()}}),
		"credentials/oauth.json":                     encode(map[string]any{"b": map[string]any{"access": secret(), "refresh": secret()}}),
		"agents/main/sessions/sessions.json":         "{}",
		"agents/main/agent/auth-profiles.json.other": secret(),
	})
	return home
}
