package doctor

import (
	"bufio"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// secretNames are the members of documents that hold secrets.
var secretNames = []string{
	"key", "apiKey", "api_key", "token", "access", "refresh", "idToken", "access_token", "refresh_token", "id_token",
	"accessToken", "refreshToken", "secret", "clientSecret", "password", "botToken", "authToken", "appToken",
}

func isSecretName(name string) bool { return slices.Contains(secretNames, name) }

// shortestSecret is the length from which a text passes for a secret.
const shortestSecret = 8

// isSecretMember reports whether a member holds a secret in clear.
func isSecretMember(name, value string) bool {
	variable := creds.IsVariable(name) && (strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN") || strings.HasSuffix(name, "_SECRET"))
	return (isSecretName(name) || variable) && len(value) >= shortestSecret && !creds.IsReference(value)
}

// collectSecrets calls visit for the secrets in a document.
func collectSecrets(value document.Value, pointer string, visit func(pointer, secret string)) {
	switch v := value.(type) {
	case *document.Object:
		for name, item := range v.All() {
			at := pointer + document.Pointer(name)
			if text, ok := item.(string); ok && isSecretMember(name, text) {
				visit(at, text)
			}
			collectSecrets(item, at, visit)
		}
	case []any:
		for i, item := range v {
			collectSecrets(item, pointer+document.Pointer(fmt.Sprint(i)), visit)
		}
	}
}

// secretsIn reports each secret in a JSON file; adjust completes the finding.
func (x *examination) secretsIn(file, agent string, adjust func(f *Finding, pointer string)) {
	read := x.document(file)
	if read == nil {
		return
	}
	value, _ := read.Value()
	collectSecrets(value, "", func(pointer, secret string) {
		f := Finding{Agent: agent, Code: "clear_text", Where: state.Origin{File: file, Pointer: pointer},
			Message: fmt.Sprintf("%s in clear in %s", kindOf(secret), mask.Path(document.SplitPointer(pointer)))}
		adjust(&f, pointer)
		x.add(f)
	})
}

// countSecrets returns where the secrets of a copy stand, and how many of them
// are still in use.
func (x *examination) countSecrets(file string, live ...map[string]bool) (pointers []string, inUse int) {
	document := x.document(file)
	if document == nil {
		return nil, 0
	}
	value, _ := document.Value()
	collectSecrets(value, "", func(pointer, secret string) {
		pointers = append(pointers, pointer)
		if slices.ContainsFunc(live, func(secrets map[string]bool) bool { return secrets[secret] }) {
			inUse++
		}
	})
	return pointers, inUse
}

// shapes are the forms of keys that providers give out, by the kind of secret.
var shapes = []struct{ prefix, kind string }{
	{"sk-ant-oat", "an Anthropic login token"}, {"sk-ant-", "an Anthropic key"}, {"sk-or-", "an OpenRouter key"}, {"sk-", "a key"},
	{"ghu_", "a GitHub token"}, {"gho_", "a GitHub token"}, {"ghp_", "a GitHub token"}, {"xai-", "an xAI key"}, {"gsk_", "a Groq key"},
	{"AIza", "a Google key"}, {"eyJ", "a signed token"},
}

// kindOf names the kind of a secret by its shape.
func kindOf(secret string) string {
	for _, shape := range shapes {
		if strings.HasPrefix(secret, shape.prefix) {
			return shape.kind
		}
	}
	return "a secret"
}

// secretsLogs reports secrets in logs.
func secretsLogs() *Check {
	return &Check{
		ID: IDSecretsLogs, Severity: Warning,
		Title: "secrets in the logs of the state directory",
		Why:   "a command line with a key in it is logged as it was typed, and logs are shown to others",
		Fix:   "have the key replaced and remove the line; set keys with a prompt or a reference, not on the command line",
		home: func(x *examination) {
			directory := filepath.Join(x.Home.StateDir, "logs")
			for _, entry := range x.list(directory) {
				if extension := filepath.Ext(entry.Name()); extension == ".jsonl" || extension == ".log" {
					x.scanLog(filepath.Join(directory, entry.Name()))
				}
			}
		},
	}
}

// Bounds of what is read of a log: its beginning tells as much as all of it.
const (
	longestLine = 1 << 20
	mostLines   = 200_000
)

func (x *examination) scanLog(file string) {
	reader, err := x.Home.FS.Open(file)
	if err != nil {
		return
	}
	defer reader.Close()
	scanner := bufio.NewScanner(reader)
	scanner.Buffer(make([]byte, 0, 64<<10), longestLine)
	first, what, lines := 0, "", 0
	for line := 1; scanner.Scan() && line <= mostLines; line++ {
		if found := secretOfLine(scanner.Text()); found != "" {
			if lines++; first == 0 {
				first, what = line, found
			}
		}
	}
	if lines == 0 {
		return
	}
	message := what
	if lines > 1 {
		message += fmt.Sprintf(", and in %d more lines", lines-1)
	}
	x.add(Finding{Code: "log", Where: state.Origin{File: file}, Line: first, Column: 1, Message: message, Treats: "kept"})
}

// secretOfLine tells what secret a line of a log holds, and where; "" for none.
func secretOfLine(line string) string {
	if strings.Contains(line, `"argv"`) {
		value, _ := document.ParseJSON("", []byte(line))
		record, _ := value.(*document.Object)
		list, _ := record.Get("argv")
		words, _ := list.([]any)
		for i, item := range words {
			word, _ := item.(string)
			if kind := secretWord(words, i, word); kind != "" {
				return fmt.Sprintf("%s in argv[%d]", kind, i)
			}
		}
	}
	if match := keyPattern().FindString(line); match != "" {
		return kindOf(match) + " in the text"
	}
	return ""
}

// secretWord tells what kind of secret a word of a command line is: one that
// follows a name of a secret, or has the shape of a key.
func secretWord(words []any, i int, word string) string {
	if len(word) < shortestSecret || creds.IsReference(word) {
		return ""
	}
	before := ""
	if i > 0 {
		before, _ = words[i-1].(string)
	}
	name := before[strings.LastIndexAny(before, ".-")+1:]
	if isSecretName(name) || keyPattern().MatchString(word) {
		return kindOf(word)
	}
	return ""
}

// keyPattern finds what has the shape of a key. It is compiled when the first
// log is looked at.
var keyPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,}|gh[opu]_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,})`)
})
