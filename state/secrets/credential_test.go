package secrets

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/state"
)

const testNow = 1_795_989_600_000

// credentialHome is a home on disk whose store and configuration are given;
// DIR in them stands for its directory.
func credentialHome(t *testing.T, line, store, config string, env map[string]string) (*state.Home, Query) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"openclaw.json": config, "agents/main/agent/auth-profiles.json": store} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, "DIR", filepath.ToSlash(dir))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	system := state.SystemEnv()
	system.Getenv = func(string) string { return "" }
	all := map[string]string{"OPENCLAW_STATE_DIR": dir, "HOME": dir}
	for name, value := range env {
		all[name] = value
	}
	opened, err := state.Open(system.With(all), line)
	home, read := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	agent, err := state.FindAgent(home.Agents(read), "main")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := home.LoadAgent(agent, testNow)
	if err != nil {
		t.Fatal(err)
	}
	return home, Query{Loaded: loaded, Config: read, Now: testNow}
}

func writePrivate(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// What a profile authenticates with, or why nothing is to be had.
func TestCredential(t *testing.T) {
	const past, future = "1000", "99999999999999"
	home, query := credentialHome(t, "2026.5.12", `{"version": 1, "profiles": {
		"p:key": {"type": "api_key", "provider": "p", "key": " sk-plain "},
		"p:none": {"type": "api_key", "provider": "p"},
		"p:both": {"type": "api_key", "provider": "p", "key": "sk-old", "keyRef": {"source": "env", "provider": "default", "id": "FROM_ENV"}},
		"p:text": {"type": "api_key", "provider": "p", "keyRef": "${FROM_CONFIG}"},
		"p:unset": {"type": "api_key", "provider": "p", "keyRef": {"source": "env", "provider": "default", "id": "UNSET"}},
		"p:denied": {"type": "api_key", "provider": "p", "keyRef": {"source": "env", "provider": "few", "id": "FROM_ENV"}},
		"p:nobody": {"type": "api_key", "provider": "p", "keyRef": {"source": "env", "provider": "nobody", "id": "FROM_ENV"}},
		"p:token": {"type": "token", "provider": "p", "token": "tok", "expires": `+future+`},
		"p:old": {"type": "token", "provider": "p", "token": "tok", "expires": `+past+`},
		"p:login": {"type": "oauth", "provider": "p", "access": "acc", "refresh": "ref", "expires": `+future+`},
		"p:stale": {"type": "oauth", "provider": "p", "access": "acc", "refresh": "ref", "expires": `+past+`},
		"p:empty": {"type": "oauth", "provider": "p", "refresh": "ref", "expires": `+future+`}}}`,
		`{"env": {"FROM_CONFIG": "sk-config"}, "secrets": {"providers": {"few": {"source": "env", "allowlist": ["OTHER"]}}}}`,
		map[string]string{"FROM_ENV": "sk-env"})
	for id, want := range map[string]string{
		"p:key": "api_key sk-plain", "p:none": "it has no key", "p:both": "api_key sk-env", "p:text": "api_key sk-config",
		"p:unset": "is missing or empty", "p:denied": "allowlist", "p:nobody": "secrets.providers.nobody is not configured",
		"p:token": "token tok", "p:old": "its token expired at 1970-01-01T00:00:01Z", "p:login": "oauth acc",
		"p:stale": "its access token expired at 1970", "p:empty": "holds no access token",
	} {
		query.Profile = auth.ProfileID(id)
		credential, err := Of(home, query)
		got := credential.Type + " " + credential.Secret.Reveal()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}

// References of source file follow OpenClaw's rules for who may read the file.
func TestFileRefs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("who may read a file can't be told there")
	}
	home, query := credentialHome(t, "2026.5.12", `{"version": 1, "profiles": {
		"p:a": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "json", "id": "/a/x~1y"}},
		"p:b": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "json", "id": "/a/none"}},
		"p:c": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "one", "id": "value"}},
		"p:d": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "open", "id": "value"}},
		"p:e": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "allowed", "id": "value"}},
		"p:f": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "link", "id": "value"}},
		"p:g": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "broken", "id": "/a"}},
		"p:h": {"type": "api_key", "provider": "p", "keyRef": {"source": "file", "provider": "gone", "id": "/a"}}}}`,
		`{"secrets": {"providers": {
			"json": {"source": "file", "path": "DIR/s.json"}, "one": {"source": "file", "path": "DIR/one", "mode": "singleValue"},
			"open": {"source": "file", "path": "DIR/open", "mode": "singleValue"}, "link": {"source": "file", "path": "DIR/link", "mode": "singleValue"},
			"allowed": {"source": "file", "path": "DIR/open", "mode": "singleValue", "allowInsecurePath": true},
			"broken": {"source": "file", "path": "~/broken"}, "gone": {"source": "file", "path": "DIR/gone"}}}}`, nil)
	dir := home.StateDir
	writePrivate(t, filepath.Join(dir, "s.json"), "\ufeff"+`{"a": {"x/y": "sk-json"}}`, 0o600)
	writePrivate(t, filepath.Join(dir, "one"), "sk-one\r\n", 0o600)
	writePrivate(t, filepath.Join(dir, "open"), "sk-open\n", 0o644)
	writePrivate(t, filepath.Join(dir, "broken"), `{"a": "sk-half`, 0o600)
	if err := os.Symlink(filepath.Join(dir, "one"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"p:a": "sk-json", "p:b": "has no text there", "p:c": "sk-one", "p:d": "is open to others (mode 0644): chmod 600 it",
		"p:e": "sk-open", "p:f": "is a symbolic link", "p:g": "is no JSON object", "p:h": "no such file",
	} {
		query.Profile = auth.ProfileID(id)
		credential, err := Of(home, query)
		got := credential.Secret.Reveal()
		if err != nil {
			got = err.Error()
			if strings.Contains(got, "sk-") {
				t.Errorf("%s: the error tells the secret: %s", id, got)
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}

// A command is asked in OpenClaw's protocol, and only where that is allowed.
func TestCommandRefs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	home, query := credentialHome(t, "2026.5.12", `{"version": 1, "profiles": {
		"p:a": {"type": "api_key", "provider": "p", "keyRef": {"source": "exec", "provider": "vault", "id": "a#b"}},
		"p:b": {"type": "api_key", "provider": "p", "keyRef": {"source": "exec", "provider": "vault", "id": "other"}},
		"p:c": {"type": "api_key", "provider": "p", "keyRef": {"source": "exec", "provider": "plain", "id": "a#b"}},
		"p:d": {"type": "api_key", "provider": "p", "keyRef": {"source": "exec", "provider": "slow", "id": "a#b"}},
		"p:e": {"type": "api_key", "provider": "p", "keyRef": {"source": "exec", "provider": "chatty", "id": "a#b"}},
		"p:f": {"type": "api_key", "provider": "p", "keyRef": {"source": "exec", "provider": "fails", "id": "a#b"}}}}`,
		`{"secrets": {"providers": {
			"vault": {"source": "exec", "command": "DIR/vault", "args": ["x y"], "passEnv": ["PASSED"], "env": {"OWN": "own"}},
			"plain": {"source": "exec", "command": "DIR/plain", "jsonOnly": false},
			"slow": {"source": "exec", "command": "DIR/slow", "timeoutMs": 100},
			"chatty": {"source": "exec", "command": "DIR/plain", "maxOutputBytes": 3},
			"fails": {"source": "exec", "command": "DIR/fails"}}}}`, map[string]string{"PASSED": "passed", "KEPT": "kept"})
	dir := home.StateDir
	writePrivate(t, filepath.Join(dir, "vault"), `#!/bin/sh
read request
case $request in *'"ids":["a#b"]'*'"protocolVersion":1'*'"provider":"vault"'*) ;; *) exit 9 ;; esac
echo "{\"protocolVersion\": 1, \"values\": {\"a#b\": \"sk-$1-$PASSED-$OWN-$KEPT\"}}"
`, 0o755)
	writePrivate(t, filepath.Join(dir, "plain"), "#!/bin/sh\necho sk-plain\n", 0o755)
	writePrivate(t, filepath.Join(dir, "slow"), "#!/bin/sh\nexec sleep 5\n", 0o755)
	writePrivate(t, filepath.Join(dir, "fails"), "#!/bin/sh\necho sk-leak >&2\nexit 4\n", 0o755)

	query.Profile = "p:a"
	if _, err := Of(home, query); err == nil || !strings.Contains(err.Error(), "--allow-exec-refs") {
		t.Errorf("a command runs without being allowed: %v", err)
	}
	query.AllowExec = true
	for id, want := range map[string]string{
		"p:a": "sk-x y-passed-own-", "p:b": "failed: exit status 9", "p:c": "sk-plain", "p:d": "timed out after 100ms",
		"p:e": "wrote more than 3 bytes", "p:f": "failed: exit status 4",
	} {
		query.Profile = auth.ProfileID(id)
		credential, err := Of(home, query)
		got := credential.Secret.Reveal()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || strings.Contains(got, "sk-leak") {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}

// A provider's key and address come from the configuration.
func TestConfiguredCredential(t *testing.T) {
	home, query := credentialHome(t, "2026.5.12", `{"version": 1, "profiles": {}}`, `{"models": {"providers": {
		"plain": {"apiKey": "sk-1", "baseUrl": "http://127.0.0.1:1/v1/"}, "named": {"apiKey": "MY_KEY"}, "openai": {},
		"ref": {"apiKey": {"source": "env", "provider": "default", "id": "MY_KEY"}}}}}`, map[string]string{"MY_KEY": "sk-2"})
	for provider, want := range map[string]string{
		"plain": "sk-1 http://127.0.0.1:1/v1", "named": "sk-2 ", "ref": "sk-2 ", "openai": " https://api.openai.com/v1", "none": " ",
	} {
		credential, err := Configured(home, query, provider)
		if got := credential.Secret.Reveal() + " " + BaseURL(home, query.Config, provider); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", provider, got, err, want)
		}
	}
}
