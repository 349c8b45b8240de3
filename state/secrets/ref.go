package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// resolveRef returns the secret that a reference leads to, by OpenClaw's rules.
func resolveRef(h *state.Home, query Query, ref auth.Ref) (string, error) {
	secrets := query.Config.Document().Object("secrets")
	fallback := secrets.Object("defaults").Text(ref.Source)
	if fallback == "" {
		fallback = "default"
	}
	if ref.Provider == "" {
		ref.Provider = fallback
	}
	provider := secrets.Object("providers").Object(ref.Provider)
	builtIn := ref.Provider == fallback && (ref.Source == "env" || ref.Source == "store")
	switch {
	case provider == nil && !builtIn:
		return "", fmt.Errorf("reference %s: secrets.providers.%s is not configured", ref, ref.Provider)
	case provider != nil && provider.Text("source") != ref.Source:
		return "", fmt.Errorf("reference %s: secrets.providers.%s has source %q", ref, ref.Provider, provider.Text("source"))
	}
	secret, err := fromSource(h, query, ref, provider)
	switch {
	case err != nil:
		return "", fmt.Errorf("reference %s: %w", ref, err)
	case strings.TrimSpace(secret) == "":
		return "", fmt.Errorf("reference %s leads to an empty value", ref)
	}
	return secret, nil
}

func fromSource(h *state.Home, query Query, ref auth.Ref, provider *document.Object) (string, error) {
	switch ref.Source {
	case "env":
		if allowed, ok := provider.Get("allowlist"); ok && !contains(allowed, ref.ID) {
			return "", fmt.Errorf("the allowlist of secrets.providers.%s does not name it", ref.Provider)
		}
		if value := lookup(h, query.Config, ref.ID); value != "" {
			return value, nil
		}
		return "", errors.New("the environment variable is missing or empty")
	case "file":
		return fromFile(h, ref, provider)
	case "store":
		return fromStore(h, ref)
	case "exec":
		if !query.AllowExec {
			return "", errors.New("it runs a command, which --allow-exec-refs allows")
		}
		return fromCommand(h, query, ref, provider)
	}
	return "", fmt.Errorf("OpenClaw %s has no such source", h.Rules.Line)
}

func contains(list document.Value, text string) bool {
	items, _ := list.([]any)
	return slices.Contains(items, any(text))
}

// fromStore reads the secret store in the state database.
func fromStore(h *state.Home, ref auth.Ref) (string, error) {
	type answer struct {
		secret string
		found  bool
	}
	got, err := state.Retry(func() (answer, error) {
		database, err := h.OpenDatabase(h.StateDatabase(), sqlite.StateRole, "")
		if database == nil || err != nil {
			return answer{}, err
		}
		defer database.Close()
		secret, found, err := database.StoredSecret(ref.ID)
		if errors.Is(err, sqlite.MissingTable) {
			return answer{}, nil
		}
		return answer{secret, found}, err
	})
	if err == nil && !got.found {
		err = errors.New("the secret store has no such entry")
	}
	return got.secret, err
}

// fromFile reads a secret out of a file that only its owner may read.
func fromFile(h *state.Home, ref auth.Ref, provider *document.Object) (string, error) {
	path := provider.Text("path")
	if path == "" {
		return "", fmt.Errorf("secrets.providers.%s has no path", ref.Provider)
	}
	path = h.UserPath(path)
	if err := checkPrivate(h, path, provider, 0o077); err != nil {
		return "", err
	}
	limit := int64(1 << 20)
	if most, ok := provider.Number("maxBytes"); ok && most >= 1 {
		limit = int64(most)
	}
	data, err := h.ReadFile(path, limit)
	if err != nil {
		return "", err
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if provider.Text("mode") == "singleValue" {
		if ref.ID != "value" {
			return "", errors.New(`a file of a single value has the id "value" alone`)
		}
		return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), nil
	}
	value, err := document.ParseJSON(path, []byte(text))
	if err != nil {
		return "", errors.New(path + " is no JSON object") // the parser's error may quote it
	}
	if !strings.HasPrefix(ref.ID, "/") {
		return "", errors.New("the id is no JSON pointer")
	}
	for _, token := range document.SplitPointer(ref.ID) {
		value = inside(value, token)
	}
	secret, ok := value.(string)
	if !ok {
		return "", errors.New(path + " has no text there")
	}
	return secret, nil
}

// inside is a member of an object or an item of a list; nil for none.
func inside(value document.Value, token string) document.Value {
	switch v := value.(type) {
	case *document.Object:
		member, _ := v.Get(token)
		return member
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// checkPrivate refuses a file that others could have changed, or could read
// where mode forbids it, unless its provider allows that.
func checkPrivate(h *state.Home, path string, provider *document.Object, mode fs.FileMode) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%s is no absolute path", path)
	}
	info, err := h.FS.Lstat(path)
	if err != nil {
		return disk.Fail(path, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if !provider.Bool("allowSymlinkCommand") {
			return fmt.Errorf("%s is a symbolic link", path)
		}
		if info, err = h.FS.Stat(path); err != nil {
			return disk.Fail(path, err)
		}
	}
	switch {
	case provider.Bool("allowInsecurePath"):
		return nil
	case !disk.HasModes:
		return fmt.Errorf("who may read %s can't be told on this system (allowInsecurePath of its provider waives that)", path)
	}
	if owner, ok := disk.OwnerOf(info); ok && owner.IsForeign() {
		return fmt.Errorf("%s belongs to user %s", path, owner)
	}
	if info.Mode().Perm()&mode != 0 {
		return fmt.Errorf("%s is open to others (mode %s): chmod %o it", path, write.ModeText(info.Mode()), info.Mode().Perm()&^mode)
	}
	return nil
}
