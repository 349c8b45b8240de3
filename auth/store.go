package auth

import "openclaw-auth/auth/document"

// Store is what an agent has: its profiles and the state beside them, merged
// and normalised as the release line loads them. Every object keeps the order
// and the unknown fields of the documents. A nil object reads as an empty one.
type Store struct {
	Profiles   *document.Object // by profile id, the credential: type, provider, secrets
	Order      *document.Object // by provider, a list of profile ids
	LastGood   *document.Object // by provider, the profile that last worked; never decides an order
	UsageStats *document.Object // by profile id, windows and counters
}

// credential returns the stored credential of a profile, nil if there is none.
func (s *Store) credential(id ProfileID) *document.Object { return s.Profiles.Object(string(id)) }

// usage returns the windows and counters of a profile, nil if there are none.
func (s *Store) usage(id ProfileID) *document.Object { return s.UsageStats.Object(string(id)) }

// Profiles answers questions about the profiles of an agent under the rules of
// a release line.
type Profiles struct {
	Rules  *Rules
	Config Config
	Store  *Store

	// Inherited reports whether a profile of the store stands in the store that
	// the agent inherits from. nil: none does.
	Inherited func(ProfileID) bool

	// InMain reports whether the main agent's own store has a profile. nil: it has
	// all of them.
	InMain func(ProfileID) bool
}

// WithStore returns the same profiles over another store.
func (p *Profiles) WithStore(store *Store) *Profiles {
	other := *p
	other.Store = store
	return &other
}

// isInherited reports whether the profile belongs to another agent's store.
func (p *Profiles) isInherited(id ProfileID) bool { return p.Inherited != nil && p.Inherited(id) }

// isForeign reports whether nothing is recorded for the profile because the
// agent's own store, which the line writes, does not have it.
func (p *Profiles) isForeign(id ProfileID) bool {
	return !p.Rules.Store.OwnerUpdate && !p.Rules.Store.MergedUpdate && p.isInherited(id)
}

// The credential types that OpenClaw knows.
const (
	TypeAPIKey = "api_key"
	TypeOAuth  = "oauth"
	TypeToken  = "token"
	modeAWS    = "aws-sdk"
)
