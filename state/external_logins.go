package state

import (
	"path/filepath"

	"openclaw-auth/auth/document"
)

// External is a login of another command line tool that OpenClaw adds to an
// agent's profiles while it runs, as far as a file shows it. It is listed,
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
func (h *Home) externalPath(tool ExternalTool) string {
	switch tool {
	case ToolCodex:
		if dir := h.Variable("CODEX_HOME"); dir != "" {
			return filepath.Join(h.UserPath(dir), "auth.json")
		}
		return filepath.Join(h.HomeDir, ".codex", "auth.json")
	case ToolClaude:
		return filepath.Join(h.HomeDir, ".claude", ".credentials.json")
	case ToolMinimax:
		return filepath.Join(h.HomeDir, ".minimax", "oauth_creds.json")
	}
	return filepath.Join(h.HomeDir, ".qwen", "oauth_creds.json")
}

// hasLogin reports whether a tool's credential file holds a token.
func hasLogin(tool ExternalTool, doc *document.Object) bool {
	switch tool {
	case ToolCodex:
		return hasText(doc.Object("tokens"), "access_token")
	case ToolClaude:
		return hasText(doc.Object("claudeAiOauth"), "accessToken")
	}
	return hasText(doc, "access_token")
}

func hasText(object *document.Object, name string) bool { return object.Text(name) != "" }

// Externals lists the logins of other tools that the line's OpenClaw would add.
func (h *Home) Externals(l *Loaded) []External {
	var found []External
	for _, login := range RulesOf(h.Rules).ExternalLogins {
		path := h.externalPath(login.Tool)
		doc, err := h.ReadObject(path)
		if doc == nil && err == nil || err == nil && !hasLogin(login.Tool, doc) {
			continue
		}
		found = append(found, External{
			Profile: login.Profile, Provider: login.Provider, File: path, Stored: l.Store.Profiles.Has(login.Profile), Problem: err,
		})
	}
	return found
}
