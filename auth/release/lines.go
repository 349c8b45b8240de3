package release

// Line is a release of OpenClaw at which something about profiles, models or
// storage changed. A release between two lines behaves as the older one.
type Line struct {
	Name string // the release, such as "2026.5.12"

	// The newest schema numbers (PRAGMA user_version) of an agent's database
	// and of state/openclaw.sqlite; 0 where the line has no databases.
	AgentSchema, StateSchema int64
}

// lines is the one list of release lines, oldest first. A new release is a row
// here; what else changed with it is a step of the table that holds the rule
// (auth, auth/failure, chain, state, doctor). A line without a step behaves as
// the one before it.
var lines = []Line{
	{Name: "2026.1.30"},
	{Name: "2026.2.26"},
	{Name: "2026.3.13"},
	{Name: "2026.3.31"},
	{Name: "2026.4.9"},
	{Name: "2026.4.29"},
	{Name: "2026.5.12"},
	{Name: "2026.5.28"},
	{Name: "2026.6.11", AgentSchema: 1, StateSchema: 1},
	{Name: "2026.7.1", AgentSchema: 1, StateSchema: 1},
	{Name: "2026.8.2", AgentSchema: 19, StateSchema: 15},
	{Name: "2026.9.6", AgentSchema: 23, StateSchema: 18},
}
