package state

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
)

// SidecarProblem is an OAuth profile whose tokens should be in a sidecar file
// and are not available.
type SidecarProblem struct {
	Profile string
	File    string
	Code    SidecarCode
	Detail  string // what is wrong, without a word of the content
}

// SidecarCode says what is wrong with a sidecar file.
type SidecarCode string

// What can be wrong with a sidecar file.
const (
	SidecarMissing    SidecarCode = "sidecar_missing"
	SidecarUnreadable SidecarCode = "sidecar_unreadable"
	SidecarLocked     SidecarCode = "sidecar_locked" // the key is not available here
)

// sidecarTokens are the members that move to a sidecar file.
var sidecarTokens = []string{"access", "refresh", "idToken"}

// resolveSidecars puts the tokens of OpenAI Codex logins back into the profiles
// of a source, as 2026.5.12 and 5.28 do on load. Tokens never leave the process.
func (h *Home) resolveSidecars(source *Source) {
	if source.Store == nil {
		return
	}
	for id, value := range source.Store.Profiles.All() {
		credential, _ := value.(*document.Object)
		ref := credential.Object("oauthRef")
		if credential.Text("type") != auth.TypeOAuth || ref.Text("source") != "openclaw-credentials" {
			continue
		}
		if problem := h.resolveSidecar(id, credential, ref); problem != nil {
			source.Sidecars = append(source.Sidecars, *problem)
		}
	}
}

func (h *Home) resolveSidecar(id string, credential, ref *document.Object) *SidecarProblem {
	name := ref.Text("id")
	problem := &SidecarProblem{Profile: id, File: filepath.Join(h.OAuthDir, "auth-profiles", name+".json")}
	if len(name) != 32 || strings.Trim(name, "0123456789abcdef") != "" {
		problem.Code, problem.Detail = SidecarUnreadable, "the reference's id is not 32 hexadecimal digits"
		return problem
	}
	doc, err := h.ReadObject(problem.File)
	switch {
	case err != nil:
		problem.Code, problem.Detail = SidecarUnreadable, err.Error()
		return problem
	case doc == nil:
		problem.Code, problem.Detail = SidecarMissing, "the file does not exist"
		return problem
	case doc.Text("profileId") != id || doc.Text("provider") != ref.Text("provider"):
		problem.Code, problem.Detail = SidecarUnreadable, "the file belongs to another profile"
		return problem
	}
	tokens := doc // the unencrypted form of early releases
	if encrypted := doc.Object("encrypted"); encrypted != nil {
		var ok bool
		if tokens, ok = h.decryptSidecar(encrypted, name, id, ref.Text("provider"), problem); !ok {
			return problem
		}
	}
	for _, member := range sidecarTokens {
		if text := tokens.Text(member); text != "" {
			credential.Set(member, document.NewSecret(text))
		}
	}
	return nil
}

// decryptSidecar opens the tokens of a sidecar file; a problem is described in place.
func (h *Home) decryptSidecar(encrypted *document.Object, name, id, provider string, problem *SidecarProblem) (*document.Object, bool) {
	seed, from, err := h.sidecarSeed()
	if err != nil {
		problem.Code, problem.Detail = SidecarLocked, err.Error()
		return nil, false
	}
	key := sha256.Sum256([]byte("openclaw:auth-profile-oauth:" + seed))
	plain, err := openSealed(key[:], encrypted, []byte(name+"\x00"+id+"\x00"+provider))
	if err != nil {
		problem.Code, problem.Detail = SidecarUnreadable, "the key of "+from+" does not open it"
		return nil, false
	}
	value, err := document.ParseJSON(problem.File, plain)
	tokens, ok := value.(*document.Object)
	if err != nil || !ok {
		problem.Code, problem.Detail = SidecarUnreadable, "its decrypted content is not a JSON object"
		return nil, false
	}
	return tokens, true
}

var errSealed = errors.New("not to be opened")

// openSealed decrypts AES-256-GCM whose parts are in base64url.
func openSealed(key []byte, encrypted *document.Object, additional []byte) ([]byte, error) {
	var parts [3][]byte
	for i, member := range []string{"iv", "ciphertext", "tag"} {
		part, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encrypted.Text(member), "="))
		if err != nil {
			return nil, errSealed
		}
		parts[i] = part
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil || len(parts[0]) != sealer.NonceSize() {
		return nil, errSealed
	}
	return sealer.Open(nil, parts[0], append(parts[1], parts[2]...), additional)
}

// sidecarSeed returns what the key of the sidecar files is made of, and where
// it comes from: the environment, else the key file. A key that only the
// keychain of a Mac has is not asked for.
func (h *Home) sidecarSeed() (seed, from string, err error) {
	const variable = "OPENCLAW_AUTH_PROFILE_SECRET_KEY"
	if seed := h.Variable(variable); seed != "" {
		return seed, variable, nil
	}
	for _, path := range h.sidecarKeyFiles() {
		if disk.IsWithin(path, h.StateDir) {
			continue
		}
		data, err := h.ReadFile(path, disk.MaxConfig)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", "", err
		}
		return strings.TrimSpace(string(data)), path, nil
	}
	return "", "", errors.New("no key: " + variable + " is not set and there is no key file")
}

func (h *Home) sidecarKeyFiles() []string {
	const name = "auth-profile-secret-key"
	settings := filepath.Join(h.HomeDir, ".config")
	if dir := h.Variable("XDG_CONFIG_HOME"); dir != "" {
		settings = dir
	}
	application := "openclaw"
	switch runtime.GOOS {
	case "darwin":
		settings, application = filepath.Join(h.HomeDir, "Library", "Application Support"), "OpenClaw"
	case "windows":
		application = "OpenClaw"
		if dir := h.Variable("APPDATA"); dir != "" {
			settings = dir
		}
	}
	return []string{
		filepath.Join(settings, application, name),
		filepath.Join(h.HomeDir, ".openclaw-auth-profile-secrets", name),
	}
}
