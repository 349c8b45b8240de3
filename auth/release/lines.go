package release

// Line is a release of OpenClaw at which something about profiles, models or
// storage changed, with what that release and its successors leave on disk.
// A release between two lines behaves as the older one.
type Line struct {
	Name string // the release, such as "2026.5.12"

	StateFile bool // order, lastGood and usage lie in auth-state.json instead of auth-profiles.json
	Sidecars  bool // OAuth tokens lie in encrypted files beside the store
	Entries   bool // agents are configured in agents.entries instead of agents.list
	OAuthFile bool // credentials/oauth.json is still imported

	// The newest schema numbers (PRAGMA user_version) of an agent's database
	// and of state/openclaw.sqlite; 0 where the line has no databases.
	AgentSchema, StateSchema int64
}

// Databases reports whether the line keeps profiles in SQLite databases.
func (l Line) Databases() bool { return l.AgentSchema > 0 }

// lines is the one list of release lines, oldest first. A new release is a row
// here; what else changed with it is a step of the table that holds the rule
// (auth, auth/failure, chain, state, doctor). A line without a step behaves as
// the one before it.
var lines = []Line{
	{Name: "2026.1.30", OAuthFile: true},
	{Name: "2026.2.26", OAuthFile: true},
	{Name: "2026.3.13", OAuthFile: true},
	{Name: "2026.3.31", OAuthFile: true},
	{Name: "2026.4.9", OAuthFile: true, StateFile: true},
	{Name: "2026.4.29", OAuthFile: true, StateFile: true},
	{Name: "2026.5.12", OAuthFile: true, StateFile: true, Sidecars: true},
	{Name: "2026.5.28", OAuthFile: true, StateFile: true},
	{Name: "2026.6.11", OAuthFile: true, AgentSchema: 1, StateSchema: 1},
	{Name: "2026.7.1", OAuthFile: true, AgentSchema: 1, StateSchema: 1},
	{Name: "2026.8.2", Entries: true, AgentSchema: 19, StateSchema: 15},
	{Name: "2026.9.6", Entries: true, AgentSchema: 23, StateSchema: 18},
}
