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

// externalPath is the credential file of a tool.
func (h *Home) externalPath(tool auth.ExternalTool) string {
	switch tool {
	case auth.ToolCodex:
		if dir := h.variable("CODEX_HOME"); dir != "" {
			return filepath.Join(h.userPath(dir), "auth.json")
		}
		return filepath.Join(h.HomeDir, ".codex", "auth.json")
	case auth.ToolClaude:
		return filepath.Join(h.HomeDir, ".claude", ".credentials.json")
	case auth.ToolMinimax:
		return filepath.Join(h.HomeDir, ".minimax", "oauth_creds.json")
	}
	return filepath.Join(h.HomeDir, ".qwen", "oauth_creds.json")
}

// hasLogin reports whether a tool's credential file holds a token.
func hasLogin(tool auth.ExternalTool, document *auth.Object) bool {
	switch tool {
	case auth.ToolCodex:
		return hasText(document.Object("tokens"), "access_token")
	case auth.ToolClaude:
		return hasText(document.Object("claudeAiOauth"), "accessToken")
	}
	return hasText(document, "access_token")
}

func hasText(object *auth.Object, name string) bool { return object.Text(name) != "" }

// Externals lists the logins of other tools that the line's OpenClaw would add.
func (h *Home) Externals(l *Loaded) []External {
	var found []External
	for _, login := range h.Rules.Store.ExternalLogins {
		path := h.externalPath(login.Tool)
		document, err := h.readDocument(path, nil)
		if document == nil && err == nil || err == nil && !hasLogin(login.Tool, document) {
			continue
		}
		found = append(found, External{
			Profile: login.Profile, Provider: login.Provider, File: path, Stored: l.Store.Profiles.Has(login.Profile), Problem: err,
		})
	}
	return found
}
