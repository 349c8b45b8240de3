package auth

import "openclaw-auth/auth/document"

// Config is the part of openclaw.json that matters to profiles: the document
// itself, read where it is needed. The zero Config is an empty configuration.
type Config struct{ doc *document.Object }

// NewConfig wraps a configuration, already resolved (includes, variables).
func NewConfig(doc *document.Object) Config { return Config{doc} }

// Document returns the configuration as it was read, nil for an empty one.
func (c Config) Document() *document.Object { return c.doc }

// Profiles returns auth.profiles: by profile id, provider and mode.
func (c Config) Profiles() *document.Object { return c.doc.Object("auth").Object("profiles") }

// Order returns auth.order: by provider, a list of profile ids.
func (c Config) Order() *document.Object { return c.doc.Object("auth").Object("order") }

// Cooldowns returns auth.cooldowns.
func (c Config) Cooldowns() *document.Object { return c.doc.Object("auth").Object("cooldowns") }

// Providers returns models.providers: by provider, baseUrl, api, auth, models.
func (c Config) Providers() *document.Object { return c.doc.Object("models").Object("providers") }
