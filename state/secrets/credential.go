package secrets

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state"
)

// Credential is what a call to a provider authenticates with.
type Credential struct {
	Type   string // api_key, token or oauth; "" where there is none
	Secret document.Secret
}

// IsLogin reports whether the credential is a token or an OAuth login, and no
// API key.
func (c Credential) IsLogin() bool { return c.Type == auth.TypeToken || c.Type == auth.TypeOAuth }

// Query asks for a profile's credential.
type Query struct {
	Loaded    *state.Loaded
	Config    *state.Config
	Profile   auth.ProfileID
	Now       int64 // Unix ms
	AllowExec bool  // references of source exec may run their commands
}

// Of returns a profile's credential as OpenClaw would use it: what the
// store holds, or what its reference leads to. Nothing is refreshed: a token
// that has expired is an error, as is a reference that leads nowhere. Errors
// say why in one line and hold no secret.
func Of(h *state.Home, query Query) (Credential, error) {
	profile := query.Loaded.Store.Profiles.Object(string(query.Profile))
	kind := profile.Text("type")
	switch kind {
	case auth.TypeAPIKey:
		return secretOf(h, query, kind, profile, "keyRef", "key")
	case auth.TypeToken:
		if expires, ok := profile.Number("expires"); ok && expires > 0 && expires <= float64(query.Now) {
			return Credential{}, expired("its token", expires)
		}
		return secretOf(h, query, kind, profile, "tokenRef", "token")
	}
	access := revealed(profile, "access")
	expires, _ := profile.Number("expires")
	switch {
	case access == "":
		return Credential{}, errors.New("its login holds no access token (openclaw models auth login makes one)")
	case expires <= float64(query.Now):
		return Credential{}, expired("its access token", expires)
	}
	return Credential{kind, document.NewSecret(access)}, nil
}

func expired(what string, at float64) error {
	if at <= 0 {
		return errors.New(what + " has no time of expiry")
	}
	return fmt.Errorf("%s expired at %s (OpenClaw refreshes it, openclaw-auth does not use the network)", what, time.UnixMilli(int64(at)).UTC().Format(time.RFC3339))
}

// secretOf reads a secret: a reference comes before a value.
func secretOf(h *state.Home, query Query, kind string, object *document.Object, refName, name string) (Credential, error) {
	if ref, ok := h.Rules.Eligibility.Ref(object, refName); ok {
		secret, err := resolveRef(h, query, ref)
		return Credential{kind, document.NewSecret(secret)}, err
	}
	secret := strings.TrimSpace(revealed(object, name))
	if secret == "" {
		return Credential{}, fmt.Errorf("it has no %s", name)
	}
	return Credential{kind, document.NewSecret(secret)}, nil
}

// revealed is the text of a secret member.
func revealed(object *document.Object, name string) string {
	switch value, _ := object.Get(name); v := value.(type) {
	case document.Secret:
		return v.Reveal()
	case string:
		return v
	}
	return ""
}

// Configured returns the key that models.providers has for a
// provider, for calls without a profile; the zero Credential where it has none.
func Configured(h *state.Home, query Query, provider string) (Credential, error) {
	configured := configuredProvider(h, query.Config, provider)
	if configured == nil || !configured.Has("apiKey") {
		return Credential{}, nil
	}
	if ref, ok := h.Rules.Eligibility.Ref(configured, "apiKey"); ok {
		secret, err := resolveRef(h, query, ref)
		return Credential{auth.TypeAPIKey, document.NewSecret(secret)}, err
	}
	key := strings.TrimSpace(revealed(configured, "apiKey"))
	if value := lookup(h, query.Config, key); value != "" {
		key = value // the name of a variable stands for its value
	}
	if key == "" {
		return Credential{}, nil
	}
	return Credential{auth.TypeAPIKey, document.NewSecret(key)}, nil
}

// BaseURL is the address of a provider's API: the configured one, or that of
// the program's own catalogue; "" where neither knows one.
func BaseURL(h *state.Home, config *state.Config, provider string) string {
	if url := configuredProvider(h, config, provider).Text("baseUrl"); url != "" {
		return strings.TrimRight(url, "/")
	}
	return h.Rules.Providers.BaseURL(provider)
}

// configuredProvider is a provider's entry of models.providers, nil without one.
func configuredProvider(h *state.Home, config *state.Config, provider string) *document.Object {
	providers := config.Document().Object("models").Object("providers")
	for id := range providers.All() {
		if h.Rules.Providers.Normalize(id) == h.Rules.Providers.Normalize(provider) {
			return providers.Object(id)
		}
	}
	return nil
}

// lookup returns a variable as OpenClaw finds it: of the environment or of the
// configuration's env block.
func lookup(h *state.Home, config *state.Config, name string) string {
	if !isVariableName(name) {
		return ""
	}
	if value := h.Getenv(name); strings.TrimSpace(value) != "" {
		return value
	}
	return state.FileVariables(config.Document())[name]
}

func isVariableName(name string) bool {
	for i, c := range name {
		if c != '_' && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
