package secrets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state"
)

// The limits of a command that resolves references, where its provider sets none.
const (
	commandTimeout = 5 * time.Second
	commandOutput  = 1 << 20
)

// fromCommand asks the command of a reference's provider, in OpenClaw's
// protocol: the ids as JSON on its input, their values as JSON on its output.
func fromCommand(h *state.Home, query Query, ref auth.Ref, provider *document.Object) (string, error) {
	path := h.UserPath(provider.Text("command"))
	if err := checkPrivate(h, path, provider, 0o022); err != nil {
		return "", err
	}
	timeout := commandTimeout
	if ms, ok := provider.Number("timeoutMs"); ok && ms >= 1 {
		timeout = time.Duration(ms) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	input, err := json.Marshal(map[string]any{"protocolVersion": 1, "provider": ref.Provider, "ids": []string{ref.ID}})
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, path, textsOf(provider, "args")...)
	command.Dir, command.Env, command.Stdin = filepath.Dir(path), commandEnv(h, query, provider), bytes.NewReader(input)
	command.WaitDelay = time.Second
	output := &limited{limit: commandOutput}
	if most, ok := provider.Number("maxOutputBytes"); ok && most >= 1 {
		output.limit = int(most)
	}
	command.Stdout, command.Stderr = output, io.Discard // its words may hold the secret
	err = command.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s timed out after %s", path, timeout)
	case output.over:
		return "", fmt.Errorf("%s wrote more than %d bytes", path, output.limit)
	case err != nil:
		return "", fmt.Errorf("%s failed: %w", path, err)
	}
	return commandAnswer(output.kept, ref.ID, provider)
}

// commandEnv is the environment of such a command: what its provider names.
func commandEnv(h *state.Home, query Query, provider *document.Object) []string {
	env := []string{}
	for _, name := range textsOf(provider, "passEnv") {
		if value := h.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	own := provider.Object("env")
	for name := range own.All() {
		env = append(env, name+"="+own.Text(name))
	}
	return env
}

// textsOf are the texts of a list.
func textsOf(object *document.Object, name string) []string {
	value, _ := object.Get(name)
	items, _ := value.([]any)
	var texts []string
	for _, item := range items {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// commandAnswer reads the value of an id out of a command's answer.
func commandAnswer(output []byte, id string, provider *document.Object) (string, error) {
	plain := strings.TrimSpace(string(output))
	jsonOnly := true
	if value, ok := provider.Get("jsonOnly"); ok {
		jsonOnly, _ = value.(bool)
	}
	var answer struct {
		ProtocolVersion int                        `json:"protocolVersion"`
		Values          map[string]string          `json:"values"`
		Errors          map[string]json.RawMessage `json:"errors"`
	}
	err := json.Unmarshal([]byte(plain), &answer)
	switch {
	case plain == "":
		return "", errors.New("its command answered nothing")
	case err != nil && !jsonOnly && !slices.Contains([]byte("{["), plain[0]):
		return strings.Trim(plain, `"`), nil
	case err != nil || answer.ProtocolVersion != 1:
		return "", errors.New("its command's answer is not of protocol version 1")
	case answer.Errors[id] != nil:
		return "", errors.New("its command has no value for it")
	}
	value, ok := answer.Values[id]
	if !ok {
		return "", errors.New("its command's answer lacks it")
	}
	return value, nil
}

// limited keeps so much of what is written and notes that there was more.
type limited struct {
	kept  []byte
	limit int
	over  bool
}

func (l *limited) Write(p []byte) (int, error) {
	if len(l.kept)+len(p) > l.limit {
		l.over = true
		return 0, io.ErrShortWrite
	}
	l.kept = append(l.kept, p...)
	return len(p), nil
}
