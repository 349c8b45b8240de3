package chain

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Runtime is the program that runs a model. OpenClaw's own runner takes its
// credentials from the profiles of the model's provider; other runtimes take
// them from another provider's, or bring a login of their own.
type Runtime struct {
	ID       string // "codex", "claude-cli"; "" for OpenClaw's own runner
	At       string // JSON pointer to what chooses it, "" where the provider does
	Auth     string // provider whose profiles it gets
	OwnLogin bool   // OpenClaw's profiles play no part
}

// The runtimes with a rule of their own, as agentRuntime.id names them.
const (
	runtimeCodex  = "codex"
	runtimeClaude = "claude-cli"
	runtimeGemini = "google-gemini-cli"
)

// Runtime returns what runs a model of a session: the session's own choice,
// the runtime that the configuration pins for the model or the provider, or the
// provider's. The entry is the session's, nil without one.
func (m *Models) Runtime(ref Ref, entry *document.Object) Runtime {
	rules := &lines.Of(m.Rules).Runtime
	runtime := Runtime{Auth: ref.Provider}
	if rules.Pins {
		runtime.ID, runtime.At = m.pinnedRuntime(ref)
	}
	if id := lower(entry.Text("agentRuntimeOverride")); id != "" && rules.Override {
		runtime.ID, runtime.At = id, ""
	}
	if runtime.ID == "auto" || runtime.ID == "default" {
		runtime.ID, runtime.At = "", ""
	}
	switch {
	case runtime.ID != "":
	case slices.Contains([]string{runtimeClaude, runtimeGemini}, ref.Provider):
		runtime.ID = ref.Provider
	case rules.CodexForOpenAI != "" && m.isOfficialOpenAI(ref.Provider):
		runtime.ID = runtimeCodex
	}
	switch {
	case runtime.ID == runtimeClaude || runtime.ID == runtimeGemini:
		runtime.OwnLogin = true
	case runtime.ID == runtimeCodex && rules.CodexForOpenAI != "" && ref.Provider == string(providerOpenAI):
		runtime.Auth = string(rules.CodexForOpenAI)
	}
	return runtime
}

// providerOpenAI is the provider that codex can stand in for.
const providerOpenAI auth.ProviderID = "openai"

// pinnedRuntime returns the runtime that the configuration pins, and where: in
// the models of the agent or of the defaults, for the provider's model, or for
// the whole provider.
func (m *Models) pinnedRuntime(ref Ref) (id, at string) {
	agent, where := m.agentEntry()
	for _, models := range []place{{value: member(agent, "models"), at: where + "/models"}, {value: member(m.defaults(), "models"), at: atModels}} {
		entries, _ := models.value.(*document.Object)
		for key, value := range entries.All() {
			entry, _ := value.(*document.Object)
			if m.names(key, ref) && entry.Object("agentRuntime").Text("id") != "" {
				return lower(entry.Object("agentRuntime").Text("id")), models.at + document.Pointer(key, "agentRuntime", "id")
			}
		}
	}
	for name, value := range m.Config.Providers().All() {
		provider, _ := value.(*document.Object)
		if string(m.Rules.Providers.Normalize(name)) != string(m.Rules.Providers.Normalize(ref.Provider)) {
			continue
		}
		rows, _ := member(provider, "models").([]any)
		for i, row := range rows {
			model, _ := row.(*document.Object)
			if m.names(text(model, "id"), ref) && model.Object("agentRuntime").Text("id") != "" {
				return lower(model.Object("agentRuntime").Text("id")), atProviders + document.Pointer(name, "models", strconv.Itoa(i), "agentRuntime", "id")
			}
		}
		if id := provider.Object("agentRuntime").Text("id"); id != "" {
			return lower(id), atProviders + document.Pointer(name, "agentRuntime", "id")
		}
	}
	return "", ""
}

// names reports whether a key or the id of a row names the model.
func (m *Models) names(key string, ref Ref) bool {
	key = document.Trim(key)
	if key == ref.Model {
		return true
	}
	provider, model, ok := splitRef(key)
	return ok && string(m.Rules.Providers.Normalize(provider)) == ref.Provider && model == ref.Model
}

// isOfficialOpenAI reports whether the provider is OpenAI at its own address.
func (m *Models) isOfficialOpenAI(provider string) bool {
	if provider != string(providerOpenAI) {
		return false
	}
	address := text(m.Config.Providers().Object(string(providerOpenAI)), "baseUrl")
	if address == "" {
		return true
	}
	parsed, err := url.Parse(address)
	return err == nil && parsed.Scheme == "https" && strings.EqualFold(parsed.Host, "api.openai.com") &&
		slices.Contains([]string{"", "/", "/v1", "/v1/"}, parsed.Path)
}

// orderOf returns the profiles that a candidate gets from its runtime.
func (m *Models) orderOf(profiles *auth.Profiles, runtime Runtime, query auth.OrderQuery) auth.Ordering {
	query.Provider = runtime.Auth
	return profiles.Order(query)
}
