package repair

import (
	"slices"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
)

// modelSections are the parts of the configuration that name models.
var modelSections = []string{"agents", "hooks", "channels", "messages", "tools", "talk", "cron", "audio", "media"}

// renameModels renames references to models of openai-codex. A reference may
// end with the profile that it is to use (@ID); OpenClaw leaves that as it is.
func (g *migration) renameModels(config *document.Object) {
	runs := codexRuns(config)
	var renamed []string
	for _, name := range modelSections {
		if value, ok := config.Get(name); ok {
			config.Set(name, g.renameReferences(value, &renamed))
		}
	}
	for _, run := range runs {
		pinRuntime(run)
	}
	if len(renamed) > 0 {
		g.note("", "%s of openai-codex in the configuration %s openai's now: %s", words.Count(len(renamed), "model"), words.Plural(len(renamed), "is", "are"), words.List(renamed, mask.Few))
	}
}

// moveProvider moves what the configuration says of the provider openai-codex, or
// codex, to openai (2026.7.1). Where it says something of both, OpenClaw drops
// that of openai-codex; here it stays.
func (g *migration) moveProvider(config *document.Object) {
	providers := config.Object("models").Object("providers")
	for _, name := range providers.Keys() {
		if !lines.IsCodexKey(name) && !strings.EqualFold(name, "codex") {
			continue
		}
		if providers.Has(lines.OpenAI) {
			g.leave("", "models.providers.%s stays: models.providers.openai says something else", name)
			continue
		}
		provider, _ := providers.Get(name)
		if object, ok := provider.(*document.Object); ok && g.line.CodexRows && object.Text("api") == "openai-codex-responses" {
			object.Set("api", "openai-chatgpt-responses")
		}
		providers.Delete(name)
		providers.Set(lines.OpenAI, provider)
		g.note("", "models.providers.%s is models.providers.openai now", name)
	}
}

// codexRun is an agent, or the defaults of all, that runs models of openai-codex.
type codexRun struct {
	entry *document.Object
	refs  []string // their new names
}

// codexRuns finds who runs models of openai-codex: as the model or a fallback of
// it, or as a model that may be chosen.
func codexRuns(config *document.Object) []codexRun {
	agents := config.Object("agents")
	entries := []*document.Object{agents.Object("defaults")}
	list, _ := agents.Get("list")
	items, _ := list.([]any)
	for _, item := range items {
		entry, _ := item.(*document.Object)
		entries = append(entries, entry)
	}
	for id := range agents.Object("entries").All() {
		entries = append(entries, agents.Object("entries").Object(id))
	}
	var runs []codexRun
	for _, entry := range entries {
		if refs := codexRefs(entry); len(refs) > 0 {
			runs = append(runs, codexRun{entry, refs})
		}
	}
	return runs
}

func codexRefs(entry *document.Object) []string {
	var refs []string
	add := func(ref string) {
		ref, _, _ = strings.Cut(ref, "@")
		if lines.IsCodexModel(ref) && !slices.Contains(refs, lines.OpenAI+ref[len(lines.Codex):]) {
			refs = append(refs, lines.OpenAI+ref[len(lines.Codex):])
		}
	}
	add(entry.Text("model"))
	model := entry.Object("model")
	add(model.Text("primary"))
	fallbacks, _ := model.Get("fallbacks")
	for _, ref := range texts(fallbacks) {
		add(ref)
	}
	for ref := range entry.Object("models").All() {
		add(ref)
	}
	return refs
}

// pinRuntime keeps renamed models on the runtime that openai-codex meant, unless
// another one is set for them. Where there are no models to choose from, OpenClaw
// makes a list of these, and from then on no other may be chosen. Here none is
// made: without one, openai runs on the same runtime (models status, 2026.7.1).
func pinRuntime(run codexRun) {
	if run.entry.Object("models").Len() == 0 {
		return
	}
	for _, ref := range run.refs {
		runtime := member(run.entry, "models", ref, "agentRuntime")
		if runtime != nil && (runtime.Text("id") == "" || runtime.Text("id") == "auto") {
			runtime.Set("id", "codex")
		}
	}
}

func (g *migration) renameReferences(value document.Value, renamed *[]string) document.Value {
	switch v := value.(type) {
	case string:
		return g.renameReference(v, renamed)
	case []any:
		for i, item := range v {
			v[i] = g.renameReferences(item, renamed)
		}
	case *document.Object:
		for _, key := range v.Keys() {
			item, _ := v.Get(key)
			item = g.renameReferences(item, renamed)
			if id, ok := item.(string); ok && key == "authProfileId" {
				item = g.renamed(id)
			}
			name, _ := g.renameReference(key, renamed).(string)
			if name == key {
				v.Set(key, item)
				continue
			}
			v.Delete(key)
			have, object := v.Object(name), (*document.Object)(nil)
			if object, _ = item.(*document.Object); have != nil && object != nil {
				fill(have, object)
				continue
			}
			v.Set(name, item)
		}
	}
	return value
}

// renameReference is a reference under its new name, any other text unchanged.
func (g *migration) renameReference(ref string, renamed *[]string) document.Value {
	if at := strings.LastIndex(ref, "@"); at >= 0 && strings.Contains(ref[:at], "/") {
		if name, ok := g.names[ref[at+1:]]; ok {
			ref = ref[:at+1] + name
		}
	}
	if !lines.IsCodexModel(ref) {
		return ref
	}
	ref = lines.OpenAI + ref[len(lines.Codex):]
	base, _, _ := strings.Cut(ref, "@")
	if !slices.Contains(*renamed, base) {
		*renamed = append(*renamed, base)
	}
	return ref
}
