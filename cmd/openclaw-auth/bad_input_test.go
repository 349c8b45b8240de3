package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	store  = "agents/main/agent/auth-profiles.json"
	states = "agents/main/agent/auth-state.json"
	conf   = "openclaw.json"
	empty  = `{"version":1,"profiles":{}}`
)

// TestBadInput gives the program files that can't be read: one line on stderr
// that names the file and, where there is one, the place; exit code 2; nothing
// on stdout.
func TestBadInput(t *testing.T) {
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	for name, test := range map[string]struct {
		files map[string]string
		want  string // after the state directory
	}{
		"truncated store":        {map[string]string{store: "{\"version\": 1,\n \"profiles\": {\"a"}, store + ":2:17: "},
		"truncated state":        {map[string]string{store: empty, states: `{"order":`}, states + ":1:10: the file ends"},
		"truncated config":       {map[string]string{conf: "{\n  auth: {"}, conf + ":2:"},
		"config is a list":       {map[string]string{conf: "[]"}, conf + ":1:1: the document is a list"},
		"auth is a number":       {map[string]string{conf: "{\n auth: 5 }"}, conf + ":2:2: auth is a number, expected an object"},
		"auth.order is a list":   {map[string]string{conf: `{"auth": {"order": []}}`}, conf + ":1:11: auth.order is a list"},
		"config order is a text": {map[string]string{conf: `{"auth": {"order": {"p": "a"}}}`}, conf + ":1:21: auth.order.p is a string, expected a list"},
		"agents.list an object":  {map[string]string{conf: `{"agents": {"list": {}}}`}, conf + ":1:13: agents.list is an object, expected a list"},
		"store is a directory":   {map[string]string{store + "/": ""}, store + ": is a directory"},
		"config is a directory":  {map[string]string{conf + "/": ""}, conf + ": is a directory"},
		"include cycle":          {map[string]string{conf: `{"auth": {"$include": "a.json5"}}`, "a.json5": `{"$include": "openclaw.json"}`}, conf + ": circular include"},
		"include escape":         {map[string]string{conf: "{\n  auth: { $include: '../../etc/x.json' } }"}, conf + ":2:3: included file ../../etc/x.json is outside"},
		"include missing":        {map[string]string{conf: `{"auth": {"$include": "./no.json"}}`}, conf + ":1:2: included file "},
		"include a number":       {map[string]string{conf: `{"auth": {"$include": 5}}`}, conf + ":1:2: $include is a number"},
		"include beside keys":    {map[string]string{conf: `{"auth": {"$include": "a.json", "order": {}}}`, "a.json": "[]"}, conf + ":1:2: keys beside $include"},
		"deep store":             {map[string]string{store: deep}, store + ":1:"},
		"deep config":            {map[string]string{conf: deep}, conf + ":1:501: nested deeper than 500 levels"},
		"deep JSON5":             {map[string]string{conf: "// deep\n" + deep}, conf + ":2:501: nested deeper"},
		"invalid UTF-8 store":    {map[string]string{store: "{\"profiles\": {\"\xff\": 1}}"}, store + ":1:"},
		"duplicate key":          {map[string]string{store: "{\"profiles\": {},\n\"profiles\": {}}"}, store + ":2:1: duplicate object member name"},
		"duplicate config key":   {map[string]string{conf: "{\"auth\": {},\n\"auth\": {}}"}, conf + ":2:1: duplicate object member name"},
		"duplicate JSON5 key":    {map[string]string{conf: "{auth: {},\n 'auth': {}}"}, conf + ":2:2: duplicate key"},
		"BOM in a store":         {map[string]string{store: "\xef\xbb\xbf" + empty}, store + ":1:1: starts with a byte order mark"},
		"empty store":            {map[string]string{store: ""}, store + ":1:1: the file is empty"},
		"blank config":           {map[string]string{conf: " \n"}, conf + ":1:1: the file is empty"},
		"text after the store":   {map[string]string{store: empty + "\n{}"}, store + ":2:1: unexpected text after the document"},
		"JSON5 escape":           {map[string]string{conf: `{a: '\x41'}`}, conf + ":1:7: "},
		"legacy auth.json":       {map[string]string{"agents/main/agent/auth.json": "{"}, "agents/main/agent/auth.json:1:2: "},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, test.files)
			rules := "2026.5.28"
			stdout, stderr, code := program(t, home, "auth", "order", "anthropic", "--rules", rules)
			want := "openclaw-auth: " + filepath.Join(home, ".openclaw") + "/" + test.want
			if code != exitUsage || !strings.HasPrefix(filepath.ToSlash(stderr), filepath.ToSlash(want)) {
				t.Errorf("exit %d, stderr %q, want a line that begins with %q", code, cut(stderr), want)
			}
			if stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("more than one line: %q %q", cut(stdout), cut(stderr))
			}
		})
	}
}

// TestOddMembers gives the program members of a wrong type, which OpenClaw reads
// its stores without: the profiles count, and a warning names the member.
func TestOddMembers(t *testing.T) {
	const profiles = `{"version":1,"profiles":{"anthropic:a":{"type":"api_key","provider":"anthropic","key":"k"}}`
	const store, states = "agents/main/agent/auth-profiles.json", "agents/main/agent/auth-state.json"
	for name, test := range map[string]struct {
		files map[string]string
		plain string
		want  string
	}{
		"order is a string":      {map[string]string{store: profiles + "}", states: `{"order": "a"}`}, "anthropic:a\n", states + ":1: order is a string, expected an object"},
		"order list is a string": {map[string]string{store: profiles + "}", states: "{\"order\": {\n \"p\": \"a\"}}"}, "anthropic:a\n", states + ":2: order.p is a string, expected a list"},
		"usage is a list":        {map[string]string{store: profiles + "}", states: `{"usageStats": []}`}, "anthropic:a\n", states + ":1: usageStats is a list"},
		"usage entry is a text":  {map[string]string{store: profiles + "}", states: `{"usageStats": {"a": "x"}}`}, "anthropic:a\n", states + ":1: usageStats.a is a string"},
		"beside the profiles":    {map[string]string{store: profiles + `,"lastGood":5}`}, "anthropic:a\n", store + ":1: lastGood is a number"},
		"profiles is a list":     {map[string]string{store: "{\n\"profiles\": []}"}, "", store + ":2: profiles is a list, expected an object"},
		"store is a list":        {map[string]string{store: "[]"}, "", store + ":1: the document is a list, expected an object"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, test.files)
			stdout, stderr, _ := program(t, home, "auth", "order", "anthropic", "--plain", "--rules", "2026.5.12")
			if stdout != test.plain {
				t.Errorf("order %q, want %q", stdout, test.plain)
			}
			if strings.Count(stderr, "\n") != 1 || !strings.Contains(filepath.ToSlash(stderr), test.want) || !strings.Contains(stderr, "warning: ") {
				t.Errorf("%q, want a warning: %q", cut(stderr), test.want)
			}
		})
	}
}

func cut(text string) string { return text[:min(len(text), 400)] }

// TestAcceptedInput gives the program odd files that OpenClaw reads.
func TestAcceptedInput(t *testing.T) {
	profile := `"a:1": {"type": "api_key", "provider": "a", "key": "k"}`
	for name, files := range map[string]map[string]string{
		"BOM in the config":    {conf: "\xef\xbb\xbf{}", store: `{"profiles": {` + profile + `}}`},
		"JSON5 config":         {conf: "// c\n{auth: {order: {'a': [\"a:1\",],},},}", store: `{"profiles": {` + profile + `}}`},
		"no version":           {store: `{"profiles": {` + profile + `}}`},
		"entry is a text":      {store: `{"profiles": {"b:1": "x", ` + profile + `}}`},
		"state is null":        {store: `{"profiles": {` + profile + `}, "order": null}`},
		"include with a BOM":   {conf: `{"auth": {"$include": "a.json5"}}`, "a.json5": "\xef\xbb\xbf{}", store: `{"profiles": {` + profile + `}}`},
		"numbers out of range": {store: `{"profiles": {` + profile + `}, "usageStats": {"a:1": {"cooldownUntil": 1e999, "errorCount": -1}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, files)
			stdout, stderr, code := program(t, home, "auth", "order", "a", "--plain", "--rules", "2026.3.31")
			if stdout != "a:1\n" || stderr != "" || code != exitYes {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

// TestHugeFile: a file that no OpenClaw ever wrote is refused by its size, not read.
func TestHugeFile(t *testing.T) {
	home := t.TempDir()
	write(t, home, map[string]string{store: "{"})
	path := filepath.Join(home, ".openclaw", filepath.FromSlash(store))
	if err := os.Truncate(path, 300<<20); err != nil {
		t.Skip(err)
	}
	_, stderr, code := program(t, home, "auth", "order", "a", "--rules", "2026.5.28")
	if code != exitUsage || !strings.Contains(stderr, "is larger than 64 MiB") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestUnreadable needs a user whom file modes bind.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads every file")
	}
	home := t.TempDir()
	write(t, home, map[string]string{store: empty})
	path := filepath.Join(home, ".openclaw", filepath.FromSlash(store))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := program(t, home, "auth", "order", "a", "--rules", "2026.5.28")
	if code != exitUsage || !strings.Contains(stderr, path+": permission denied") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestTornStore cuts a store at every byte: an error or the whole store, never a part.
func TestTornStore(t *testing.T) {
	whole := `{"version":1,"profiles":{"a:1":{"type":"api_key","provider":"a","key":"k"},"a:2":{"type":"api_key","provider":"a","key":"k"}}}` + "\n"
	home := t.TempDir()
	for length := range len(whole) {
		write(t, home, map[string]string{store: whole[:length]})
		stdout, stderr, code := program(t, home, "auth", "order", "a", "--plain", "--rules", "2026.5.28")
		complete := stdout == "a:1\na:2\n" && code == exitYes
		refused := stdout == "" && strings.Contains(stderr, store+":1:") && code == exitUsage
		if !complete && !refused || complete && length < len(whole)-1 {
			t.Errorf("cut at %d: exit %d, stdout %q, stderr %q", length, code, stdout, stderr)
		}
	}
}
