package state

import (
	"path/filepath"

	"openclaw-auth/auth"
)

// External is a login of another command line tool that OpenClaw adds to an
// agent's profiles while it runs, as far as a file tells of it. It is listed,
// not counted: whether it is added depends on what a run asks for, and a
// keychain is never looked into.
type External struct {
	Profile  string
	Provider string
	File     string
	Stored   bool // a stored profile of that id comes first
	Problem  error
}

// externalFiles are the credential files of the tools, below the home.
var externalFiles = map[auth.ExternalTool][]string{
	auth.ToolCodex:   {".codex", "auth.json"},
	auth.ToolClaude:  {".claude", ".credentials.json"},
	auth.ToolMinimax: {".minimax", "oauth_creds.json"},
	auth.ToolQwen:    {".qwen", "oauth_creds.json"},
}

// externalTokens are the members under which the tools keep their tokens.
var externalTokens = map[auth.ExternalTool]func(*auth.Object) bool{
	auth.ToolCodex:   func(o *auth.Object) bool { return hasText(o.Object("tokens"), "access_token") },
	auth.ToolClaude:  func(o *auth.Object) bool { return hasText(o.Object("claudeAiOauth"), "accessToken") },
	auth.ToolMinimax: func(o *auth.Object) bool { return hasText(o, "access_token") },
	auth.ToolQwen:    func(o *auth.Object) bool { return hasText(o, "access_token") },
}

func hasText(object *auth.Object, name string) bool { return object.Text(name) != "" }

// Externals lists the logins of other tools that the line's OpenClaw would add.
func (h *Home) Externals(l *Loaded) []External {
	var found []External
	for _, login := range h.Rules.Store.ExternalLogins {
		path := filepath.Join(append([]string{h.HomeDir}, externalFiles[login.Tool]...)...)
		if dir := h.variable("CODEX_HOME"); login.Tool == auth.ToolCodex && dir != "" {
			path = filepath.Join(h.userPath(dir), "auth.json")
		}
		document, err := h.readDocument(path, nil)
		if document == nil && err == nil || err == nil && !externalTokens[login.Tool](document) {
			continue
		}
		found = append(found, External{
			Profile: login.Profile, Provider: login.Provider, File: path, Stored: l.Store.Profiles.Has(login.Profile), Problem: err,
		})
	}
	return found
}
