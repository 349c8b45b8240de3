package repair

import (
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// member returns a member that is an object, made if it is missing; nil if it
// is something else.
func member(object *document.Object, names ...string) *document.Object {
	for _, name := range names {
		value, ok := object.Get(name)
		if !ok {
			object.Set(name, document.NewObject())
			value, _ = object.Get(name)
		}
		if object, ok = value.(*document.Object); !ok {
			return nil
		}
	}
	return object
}

// keyAliases renames api_key to key in the stores of lines whose doctor does
// (2026.5.28+): under that name no release reads it.
func (g *migration) keyAliases() {
	if !g.line.KeyAlias {
		return
	}
	for _, s := range g.stores {
		if g.archived[s.file] {
			continue
		}
		var renamed []string
		for id := range s.Profiles.All() {
			entry := s.Profiles.Object(id)
			if after := creds.WithoutKeyAlias(entry); after != entry {
				s.Profiles.Set(id, after)
				renamed = append(renamed, mask.ID(id))
			}
		}
		if len(renamed) > 0 {
			g.keep(s.file, "api-key-alias")
			g.note(s.agent, "api_key is key now in %s", words.List(renamed, mask.Few))
		}
	}
}

// moveMarkers moves the entries that stand for the AWS SDK's own credentials
// from stores to auth.profiles of the configuration (2026.5.12+, cases
// fn-aws-sdk-marker).
func (g *migration) moveMarkers() {
	if !g.line.AWSMarkers {
		return
	}
	for _, s := range g.stores {
		if !g.archived[s.file] && g.markersIn(s.agent, s.Profiles, s.file) > 0 {
			g.keep(s.file, "aws-sdk-profile")
		}
	}
}

// markersIn moves the markers of a store's profiles and returns how many.
// OpenClaw writes over a declaration of the same id; here one that says
// something else stays, and so does the marker.
func (g *migration) markersIn(agent string, profiles *document.Object, file string) int {
	moved := 0
	for _, id := range profiles.Keys() {
		entry := profiles.Object(id)
		if !creds.IsAWSMarker(entry) || !g.line.AWSMarkers {
			continue
		}
		config, err := g.configurable()
		declared := config.Object("auth").Object("profiles").Object(id)
		switch {
		case config == nil && err == nil:
			g.leave(agent, "%s stays in the store: there is no configuration to declare it in", mask.ID(id))
			continue
		case err != nil:
			g.leave(agent, "%s stays in the store: %v", mask.ID(id), err)
			continue
		case declared != nil && declared.Text("mode") != "aws-sdk" || declared == nil && member(config, "auth", "profiles") == nil:
			g.leave(agent, "%s stays in the store: auth.profiles declares it otherwise", mask.ID(id))
			continue
		}
		if declared == nil {
			declared = document.NewObject()
			declared.Set("provider", entry.Text("provider"))
			declared.Set("mode", "aws-sdk")
			member(config, "auth", "profiles").Set(id, declared)
		}
		for _, name := range []string{"email", "displayName"} {
			switch text := entry.Text(name); {
			case text == "" || text == declared.Text(name):
			case declared.Has(name):
				g.note(agent, "%s: %s stays what auth.profiles says", mask.ID(id), name)
			default:
				declared.Set(name, text)
			}
		}
		profiles.Delete(id)
		moved++
		g.note(agent, "%s moved from %s to auth.profiles: it stands for the credentials of the AWS SDK", mask.ID(id), baseOf(file))
	}
	return moved
}

// moveSecrets moves credentials that stand in auth.profiles into the store of
// the default agent, unless that has one of the id. On releases up to 2026.5.12
// OpenClaw deletes them as unknown members or does not start; later ones do the
// same as here.
func (g *migration) moveSecrets() {
	config, err := g.configurable()
	if err != nil || config == nil {
		return
	}
	profiles := config.Object("auth").Object("profiles")
	for _, id := range profiles.Keys() {
		declared := profiles.Object(id)
		if !slices.ContainsFunc(creds.SecretKeys, func(name string) bool { return declared.Text(name) != "" }) {
			continue
		}
		agent, err := state.FindAgent(g.agents, "")
		if err != nil { // several agents and no default one: then it is main's
			agent = g.mainOf()
		}
		stored, err := g.m.Target(agent)
		if err != nil {
			g.leave(agent.ID, "the credential of %s stays in auth.profiles: %s", mask.ID(id), mask.Text(err.Error()))
			continue
		}
		if credential := declaredCredential(id, declared, config.Object("auth").Object("order")); credential != nil {
			target := g.held(stored)
			if id != strings.TrimSpace(id) || g.references(declared) {
				g.leave(agent.ID, "%s of auth.profiles is left: it refers to a variable", mask.ID(id))
				continue
			}
			g.before.addSecret(id, credential)
			auth.HideSecrets(credential)
			if g.addProfile(agent.ID, target, id, credential, "openclaw.json") {
				g.note(agent.ID, "the credential of %s moved from auth.profiles into the store", mask.ID(id))
			}
			reduce(declared, credential)
		}
	}
}

// references reports whether a secret of a declaration only names one.
func (g *migration) references(declared *document.Object) bool {
	return slices.ContainsFunc(creds.SecretKeys, func(name string) bool { return creds.IsReference(declared.Text(name)) })
}

// declaredCredential is the credential that a declaration holds; nil if what it
// holds makes none. One that names no provider is of the one that its id begins
// with, else of the only one whose order lists it.
func declaredCredential(id string, declared, order *document.Object) *document.Object {
	provider := declared.Text("provider")
	if prefix, _, ok := strings.Cut(id, ":"); provider == "" && ok {
		provider = prefix
	}
	if provider == "" {
		provider = onlyListing(order, id)
	}
	if provider == "" {
		return nil
	}
	credential := document.NewObject()
	key := declared.Text("key") + declared.Text("apiKey") + declared.Text("api_key")
	set := func(kind string, names ...string) *document.Object {
		credential.Set("type", kind)
		credential.Set("provider", provider)
		for _, name := range append(names, "email") {
			if value, ok := declared.Get(name); ok {
				credential.Set(name, value)
			}
		}
		return credential
	}
	switch {
	case key != "":
		for _, name := range []string{"key", "apiKey", "api_key"} {
			if text := declared.Text(name); text != "" {
				set(auth.TypeAPIKey).Set("key", text)
				break
			}
		}
		return credential
	case declared.Text("token") != "":
		return set(auth.TypeToken, "token", "expires")
	case declared.Text("access") != "" && declared.Text("refresh") != "":
		return set(auth.TypeOAuth, "access", "refresh", "idToken", "expires", "accountId", "projectId", "enterpriseUrl")
	}
	return nil
}

// onlyListing is the provider whose order lists a profile; "" for none or several.
func onlyListing(order *document.Object, id string) string {
	only := ""
	for key, list := range order.All() {
		if slices.Contains(texts(list), id) {
			if only != "" {
				return ""
			}
			only = key
		}
	}
	return only
}

// reduce leaves of a declaration what belongs there.
func reduce(declared, credential *document.Object) {
	for _, name := range declared.Keys() {
		if credential.Has(name) && !slices.Contains(creds.ProfileKeys, name) || slices.Contains(creds.SecretKeys, name) {
			declared.Delete(name)
		}
	}
	if declared.Text("provider") == "" {
		declared.Set("provider", credential.Text("provider"))
	}
	if declared.Text("mode") == "" {
		declared.Set("mode", credential.Text("type"))
	}
}

// moveKeys moves members of the configuration to the places that they have now.
func (g *migration) moveKeys() {
	config, err := g.configurable()
	if err != nil || config == nil {
		return
	}
	g.moveTopAgent(config)
	g.moveDefaultModel(config)
	if !g.rules.Failures.Configurable && config.Object("auth").Has("cooldowns") { // 2026.9.6: gone, lengths are fixed
		for name := range config.Object("auth").Object("cooldowns").All() {
			g.note("", "auth.cooldowns.%s is removed: this release knows no such setting", mask.Key(name))
		}
		config.Object("auth").Delete("cooldowns")
	}
}

// moveTopAgent moves the models of a top-level agent to agents.defaults, as
// OpenClaw's doctor does up to 2026.3.13. Later ones delete the member, and with
// it the choice of models (cases config-legacy-agent-keys).
func (g *migration) moveTopAgent(config *document.Object) {
	old := config.Object("agent")
	if old == nil {
		return
	}
	defaults := member(config, "agents", "defaults")
	if defaults == nil {
		return
	}
	move := func(name string, place func() bool) {
		if old.Has(name) && place() {
			old.Delete(name)
		}
	}
	for _, kind := range []string{"model", "imageModel"} {
		primary, _ := old.Get(kind)
		fallbacks, _ := old.Get(kind + "Fallbacks")
		_, isText := primary.(string)
		if defaults.Has(kind) || primary != nil && !isText {
			continue
		}
		model := document.NewObject()
		if isText {
			model.Set("primary", primary)
		}
		if fallbacks != nil {
			model.Set("fallbacks", fallbacks)
		}
		if model.Len() > 0 {
			defaults.Set(kind, model)
			old.Delete(kind)
			old.Delete(kind + "Fallbacks")
			g.note("", "agent.%s is agents.defaults.%s now", kind, kind)
		}
	}
	move("allowedModels", func() bool { return g.allow(defaults, old) })
	move("modelAliases", func() bool { return g.alias(defaults, old) })
	if old.Len() == 0 {
		config.Delete("agent")
		return
	}
	g.leave("", "agent keeps %s: move it to agents.defaults by hand", words.List(old.Keys(), mask.Few))
}

// allow makes the models of agent.allowedModels members of agents.defaults.models.
func (g *migration) allow(defaults, old *document.Object) bool {
	value, _ := old.Get("allowedModels")
	list, ok := value.([]any)
	models := member(defaults, "models")
	if !ok || models == nil {
		return false
	}
	for _, item := range list {
		if ref, ok := item.(string); ok && !models.Has(ref) {
			models.Set(ref, document.NewObject())
		}
	}
	g.note("", "agent.allowedModels is agents.defaults.models now")
	return true
}

// alias gives the models of agents.defaults.models the names of agent.modelAliases.
func (g *migration) alias(defaults, old *document.Object) bool {
	aliases := old.Object("modelAliases")
	models := member(defaults, "models")
	if aliases == nil || models == nil {
		return false
	}
	for name := range aliases.All() {
		if model := member(models, aliases.Text(name)); model != nil && !model.Has("alias") {
			model.Set("alias", name)
		}
	}
	g.note("", "agent.modelAliases is agents.defaults.models.*.alias now")
	return true
}

// moveDefaultModel moves a top-level defaultModel to agents.defaults.model where
// the line's doctor does (2026.8.2+).
func (g *migration) moveDefaultModel(config *document.Object) {
	ref := config.Text("defaultModel")
	if ref == "" || !g.line.MovesDefaultModel {
		return
	}
	defaults := member(config, "agents", "defaults")
	if defaults == nil || defaults.Has("model") {
		g.leave("", "defaultModel stays: agents.defaults.model is set, and counts")
		return
	}
	defaults.Set("model", ref)
	config.Delete("defaultModel")
	g.note("", "defaultModel is agents.defaults.model now")
}
