package lock

import (
	"path/filepath"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/state/internal/disk"
)

// shownWords bounds what is shown of a command line.
const shownWords = 6

// CommandOf returns the command line of a running process, cut and without
// what may be a secret; "" where the system does not say.
func CommandOf(pid int) string {
	words := disk.CommandLine(pid)
	if len(words) == 0 {
		return ""
	}
	words[0] = filepath.Base(words[0])
	shown := words[:min(len(words), shownWords)]
	hide := false
	for i, word := range shown {
		if hide || hasSecret(word) {
			shown[i] = "****"
		}
		hide = namesSecret(word)
	}
	text := strings.Join(shown, " ")
	if len(shown) < len(words) {
		text += " …"
	}
	return text
}

// hasSecret reports whether a word of a command line may hold a secret.
func hasSecret(word string) bool {
	name, _, assigned := strings.Cut(word, "=")
	return auth.MaskID(filepath.Base(word)) != filepath.Base(word) || strings.HasPrefix(word, "sk-") || assigned && namesSecret(name)
}

// namesSecret reports whether a flag says that its value is a secret.
func namesSecret(flag string) bool {
	flag = strings.ToLower(flag)
	for _, part := range []string{"key", "token", "secret", "password", "auth"} {
		if strings.HasPrefix(flag, "-") && strings.Contains(flag, part) && !strings.Contains(flag, "=") {
			return true
		}
	}
	return false
}
