package state

import (
	"path/filepath"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// Pending is a legacy file that waits beside a store.
type Pending struct {
	Kind     PendingKind
	File     string
	Effect   Effect
	Why      string   // why OpenClaw does that with it, in words
	Profiles []string // ids of the profiles in it
	Rejected []Rejected
	Problem  error // what makes the file unreadable, where nothing depends on it
}

// PendingKind says what a legacy file is.
type PendingKind string

// The kinds of legacy files.
const (
	PendingAuth     PendingKind = "auth.json"          // a map of providers, one per agent
	PendingOAuth    PendingKind = "oauth.json"         // OAuth logins, one file for all agents
	PendingFlatMap  PendingKind = "flat-map"           // auth-profiles.json as a map of providers
	PendingProfiles PendingKind = "auth-profiles.json" // beside a database
	PendingState    PendingKind = "auth-state.json"    // beside a database
	PendingFormer   PendingKind = "agent"              // a file in the agent directory of a release with a single agent
)

// Effect says what the line's OpenClaw does with a legacy file.
type Effect string

// What becomes of a legacy file.
const (
	EffectImport  Effect = "import-on-load" // imported by the next load; counted in the answer
	EffectDoctor  Effect = "doctor"         // imported by openclaw doctor --fix only
	EffectIgnored Effect = "ignored"        // never read again
	EffectBlocks  Effect = "fails-closed"   // the agent has no credentials until doctor --fix has run
	EffectMoves   Effect = "moved"          // moved to the agent's directory by openclaw doctor --fix only
)

// legacyMembers are what an import keeps of an entry of auth.json.
func legacyMembers(kind string) []string {
	switch kind {
	case auth.TypeAPIKey:
		return []string{"type", "provider", "key", "email"}
	case auth.TypeToken:
		return []string{"type", "provider", "token", "expires", "email"}
	}
	return []string{"type", "provider", "access", "refresh", "expires", "enterpriseUrl", "projectId", "accountId", "email"}
}

// imports collects the profiles of legacy files.
type imports struct {
	profiles *document.Object
	at       map[string]Origin
	dropped  map[string][]string // members of an entry that are not kept, by profile
}

func newImports() *imports {
	return &imports{document.NewObject(), map[string]Origin{}, map[string][]string{}}
}

func (i *imports) add(id string, credential *document.Object, origin Origin) {
	if !i.profiles.Has(id) {
		i.profiles.Set(id, credential)
		i.at[id] = origin
	}
}

// legacyFile is a legacy file with the profiles in it.
type legacyFile struct {
	pending *Pending
	*imports
}

// legacyFiles reads the legacy files that concern a source, in the order in
// which an import takes them.
func (h *Home) legacyFiles(source *Source) []legacyFile {
	var files []legacyFile
	add := func(pending *Pending, found *imports) {
		if pending != nil {
			files = append(files, legacyFile{pending, found})
		}
	}
	if RulesOf(h.Rules).Backend != BackendJSON {
		add(h.legacyStore(source.Dir))
		add(h.legacyState(source.Dir))
	} else if source.FlatMap {
		add(h.legacyMap(PendingFlatMap, source.Profiles, legacyMembers))
	}
	add(h.legacyAuth(source.Dir))
	add(h.legacyOAuth())
	return files
}

// legacyStore reads an auth-profiles.json that lies beside a database.
func (h *Home) legacyStore(dir string) (*Pending, *imports) {
	found := newImports()
	pending := &Pending{Kind: PendingProfiles, File: filepath.Join(dir, profilesName)}
	doc, err := h.ReadObject(pending.File)
	switch {
	case err != nil:
		pending.Problem = err
		return pending, found
	case doc == nil:
		return nil, found
	case !doc.Has("profiles"):
		return h.legacyMap(PendingFlatMap, pending.File, legacyMembers)
	}
	profiles, rejected := h.Rules.LoadProfiles(doc.Object("profiles"))
	pending.Profiles = profiles.Keys()
	for _, r := range rejected {
		pending.Rejected = append(pending.Rejected, Rejected{r, Origin{File: pending.File, Pointer: document.Pointer("profiles", r.ID)}})
	}
	return pending, found
}

// legacyState finds an auth-state.json that lies beside a database.
func (h *Home) legacyState(dir string) (*Pending, *imports) {
	path := filepath.Join(dir, stateName)
	if !h.Exists(path) {
		return nil, nil
	}
	return &Pending{Kind: PendingState, File: path}, newImports()
}

// legacyAuth reads auth.json of an agent directory; nil where there is none.
func (h *Home) legacyAuth(dir string) (*Pending, *imports) {
	return h.legacyMap(PendingAuth, filepath.Join(dir, legacyAuthName), legacyMembers)
}

// legacyMap reads a file that maps providers to credentials; members names what
// is kept of a credential of a type.
func (h *Home) legacyMap(kind PendingKind, path string, members func(kind string) []string) (*Pending, *imports) {
	doc, err := h.ReadObject(path)
	if err == nil && (doc == nil || doc.Has("profiles")) {
		return nil, nil
	}
	found := newImports()
	pending := &Pending{Kind: kind, File: path}
	if err != nil {
		pending.Problem = err
		return pending, found
	}
	for provider, value := range doc.All() {
		origin := Origin{File: path, Pointer: document.Pointer(provider)}
		if kind == PendingFlatMap {
			provider, value = strings.TrimSpace(provider), withType(value)
		}
		credential, reason := h.Rules.LoadCredential(value, provider)
		if kind == PendingFlatMap && reason == "" {
			reason = refusedInMap(provider, credential)
		}
		if reason != "" {
			pending.Rejected = append(pending.Rejected, Rejected{auth.Rejected{ID: provider, Reason: reason}, origin})
			continue
		}
		kept := document.NewObject()
		for _, name := range members(credential.Text("type")) {
			if member, ok := credential.Get(name); ok {
				kept.Set(name, member)
			}
		}
		found.add(provider+":default", kept, origin)
		found.dropped[provider+":default"] = unkept(value.(*document.Object), kept)
	}
	pending.Profiles = found.profiles.Keys()
	return pending, found
}

// unkept lists the members of an entry that are not in what is kept of it,
// without those that only have another name there.
func unkept(entry, kept *document.Object) []string {
	var names []string
	for name := range entry.All() {
		if !kept.Has(name) && name != "mode" && !(name == "apiKey" && kept.Has("key")) {
			names = append(names, name)
		}
	}
	return names
}

// RejectNoCredential says that an entry of a map of providers holds nothing to
// authenticate with; OpenClaw's doctor drops it without a name for that.
const RejectNoCredential auth.RejectReason = "missing_credential"

// refusedInMap says why OpenClaw's doctor leaves an entry out of the store that
// it makes of a map of providers (2026.4.29+, on the trees of that conversion).
func refusedInMap(provider string, credential *document.Object) auth.RejectReason {
	switch provider {
	case "__proto__", "constructor", "prototype":
		return auth.RejectMissingProvider
	}
	for _, name := range []string{"key", "keyRef", "token", "tokenRef", "access", "refresh", "oauthRef"} {
		if credential.Has(name) {
			return ""
		}
	}
	return RejectNoCredential
}

// withType gives an entry of a hand-written map the type that OpenClaw's doctor
// infers for it (2026.7.1): by what it holds, unless it says so.
func withType(value document.Value) document.Value {
	entry, ok := value.(*document.Object)
	if !ok || isType(entry.Text("type")) || isType(entry.Text("mode")) {
		return value
	}
	typed := document.NewObject()
	_, expires := entry.Number("expires")
	switch {
	case entry.Has("key") || entry.Has("apiKey"):
		typed.Set("type", auth.TypeAPIKey)
	case entry.Has("token"):
		typed.Set("type", auth.TypeToken)
	case entry.Has("access") && entry.Has("refresh") && expires:
		typed.Set("type", auth.TypeOAuth)
	}
	for name, member := range entry.All() {
		if !typed.Has(name) {
			typed.Set(name, member)
		}
	}
	return typed
}

func isType(name string) bool {
	return name == auth.TypeAPIKey || name == auth.TypeToken || name == auth.TypeOAuth
}

// legacyOAuth reads credentials/oauth.json; nil where there is none.
func (h *Home) legacyOAuth() (*Pending, *imports) {
	return h.legacyLogins(filepath.Join(h.OAuthDir, oauthName))
}

// legacyLogins reads a file of the form of oauth.json. Every entry that is an
// object or a list becomes a profile, unseen: OpenClaw checks nothing here, and
// an entry's own type and provider win.
func (h *Home) legacyLogins(path string) (*Pending, *imports) {
	doc, err := h.ReadObject(path)
	if err == nil && doc == nil {
		return nil, nil
	}
	found := newImports()
	pending := &Pending{Kind: PendingOAuth, File: path}
	if err != nil {
		pending.Problem = err
		return pending, found
	}
	for provider, value := range doc.All() {
		entry, ok := membersOf(value)
		if !ok {
			continue
		}
		credential := document.NewObject()
		credential.Set("type", auth.TypeOAuth)
		credential.Set("provider", provider)
		for name, member := range entry.All() {
			credential.Set(name, member)
		}
		auth.HideSecrets(credential)
		found.add(provider+":default", credential, Origin{File: path, Pointer: document.Pointer(provider)})
	}
	pending.Profiles = found.profiles.Keys()
	return pending, found
}

// membersOf returns the members that JavaScript spreads out of a value.
func membersOf(value document.Value) (*document.Object, bool) {
	switch v := value.(type) {
	case *document.Object:
		return v, true
	case []any:
		members := document.NewObject()
		for i, item := range v {
			members.Set(strconv.Itoa(i), item)
		}
		return members, true
	}
	return nil, false
}
