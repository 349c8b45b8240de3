package auth

// Config is the part of openclaw.json that matters to profiles: the document
// itself, read where it is needed. The zero Config is an empty configuration.
type Config struct{ document *Object }

// NewConfig wraps a configuration, already resolved (includes, variables).
func NewConfig(document *Object) Config { return Config{document} }

// Document returns the configuration as it was read, nil for an empty one.
func (c Config) Document() *Object { return c.document }

// Profiles returns auth.profiles: by profile id, provider and mode.
func (c Config) Profiles() *Object { return c.document.Object("auth").Object("profiles") }

// Order returns auth.order: by provider, a list of profile ids.
func (c Config) Order() *Object { return c.document.Object("auth").Object("order") }

// Cooldowns returns auth.cooldowns.
func (c Config) Cooldowns() *Object { return c.document.Object("auth").Object("cooldowns") }

// Providers returns models.providers: by provider, baseUrl, api, auth, models.
func (c Config) Providers() *Object { return c.document.Object("models").Object("providers") }
