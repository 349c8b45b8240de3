package repair

import "regexp"

// difference is something in which a migration does not do what OpenClaw's
// doctor does on the same home: lines that only one of the two has ("- "
// OpenClaw's, "+ " ours).
type difference struct {
	name        string // what is different, and why
	trees, line *regexp.Regexp
}

func differs(name, trees, line string) difference {
	return difference{name, regexp.MustCompile(trees), regexp.MustCompile(line)}
}

// differences are all deliberate.
var differences = []difference{
	differs("models of a top-level agent move to agents.defaults: OpenClaw does not start, or deletes the choice of models",
		`config-legacy-agent-keys`, `^- config agent |^\+ config agents\.defaults\.`),
	differs("idToken of a map of providers is kept",
		`^2026\.(4\.29|7\.1)/.*flat-store`, `profiles google:default`),
	differs("windows that no release opens end, and the usage of profiles that there are not goes: OpenClaw keeps both for ever",
		`fn-embedded-state`, `usageStats|^\+ file agents/main/agent/auth-state.json`),
	differs("locks of processes that are gone go, whatever they are for: OpenClaw looks at those of transcripts alone, later at none",
		`stale-locks-and-perms`, `^- file .*\.lock$`),
	differs("oauth.json is imported at once: OpenClaw does it with the next load",
		`^2026\.4\.29/oauth-json-import`, `^\+ `),
	differs("tokens stay in the store until OpenClaw 2026.5.12 moves them into its encrypted files, whose key is its own to make",
		`^2026\.5\.12/.*(codex|oauth-json|run-)`, `^- file credentials/auth-profiles/|files main profiles openai-codex:`),
	differs("the old key of a renamed model goes: OpenClaw 2026.5.12 writes both",
		`^2026\.5\.12/(codex-rename|run-lists)`, `^- config agents\.defaults\.models openai-codex/|config agents\.list`),
	differs("a profile that has only a reference to its key is kept", `^2026\.5\.12/run-flat`, `profiles kr:default`),
	differs("credentials in auth.profiles move into the store: OpenClaw 2026.5.12 means to delete them, and fails",
		`^2026\.5\.12/run-inline`, `config auth profiles|auth-profiles.json$|^\+ files main profiles`),
	differs("the model that a fallback replaced is renamed too", `run-(lists|sess)`, `modelOverrideFallbackOriginProvider`),
	differs("the profile that a reference to a model ends with is renamed too", `^2026\.7\.1/run-lists`, `config agents\.defaults\.imageModel`),
	differs("a declaration that says something else of the AWS SDK stays", `run-awsdecl`, `config auth profiles amazon-bedrock:default`),
	differs("what refers to profiles that there are not goes", `run-both`, `(lastGood|order) anthropic|usageStats ghost:1`),
	differs("the copy of a command line tool's login is the user's to remove", `^2026\.9\.6/run-cli`, `anthropic:claude-cli|order anthropic`),
	differs("sessions come back from a fallback of a provider that there is no longer: OpenClaw looks at providers of its plugins alone",
		`session-stale-auto-override`, `^- session main agent:main:main (auth|fallbackNotice|model|provider)`),
	differs("lastGood of a profile that there is not goes",
		`stale-order-and-profiles`, `lastGood anthropic "anthropic:gone"|^\+ file agents/main/agent/auth-state.json`),
	differs("orders, lastGood, usage and the pins of sessions follow a renamed profile: OpenClaw 2026.7.1 leaves them behind",
		`^2026\.7\.1/(.*codex-rename|run-)`, `database main (lastGood|order|usageStats)|authProfileOverride "`),
	differs("a file that is moved aside as it was needs no second copy",
		`^2026\.7\.1/`, `^- file .*\.(openai-provider-unification|oauth-ref)\.MS\.bak`),
	differs("models and sessions are renamed too: of these trees, only the steps for auth were recorded",
		`fn-codex-rename`, `config agents\.defaults\.models? |session main `),
	differs("a login whose tokens are not to be had is imported without them, as in 2026.9.6: OpenClaw 2026.7.1 comes back to it on every run",
		`^2026\.7\.1/fn-oauth-sidecar-missing`, `openai:me@example.com|^- file agents/main/agent/auth-profiles.json$`),
	differs("an agent's older or equal login of main's account is moved aside: OpenClaw 2026.7.1 comes back to it on every run",
		`^2026\.7\.1/(fn-stale-oauth-shadow|run-child)`, `files work|file agents/work/agent/auth-profiles.json`),
	differs("what oauth.json brings is renamed in the same run: OpenClaw 2026.9.6 needs two, 2026.7.1 never does it",
		`oauth-json-import|run-(conflict|oauthvar)`, `profiles openai(-codex)?:default|^[+-] record .*credentials/oauth.json`),
	differs("agents.list stays: it is read as it is, and rewriting it also moves heartbeats and workspaces",
		`^2026\.9\.6/agents-list`, `config agents\.list`),
	differs("the state directory keeps its former name: OpenClaw renames it when it next starts, and configuration is read where it is",
		`clawdbot-state-dir`, `^\+ directory`),
	differs("nothing is recorded of what databases hold in this tree",
		`^2026\.9\.6/codex-rename`, `^\+ (shared|record) `),
	differs("whether a session's model was resolved is OpenClaw's to say",
		`^2026\.9\.6/codex-rename`, `modelOverrideRouteResolution`),
	differs("auth.cooldowns goes: of these trees, only the steps for auth were recorded",
		`^2026\.9\.6/fn-stale-order-and-profiles`, `config auth cooldowns`),
	differs("a file that can't be read stays where it is: OpenClaw 2026.9.6 moves it aside, and its credentials with it",
		`^2026\.9\.6/.*truncated-store`, `file agents/main/agent/auth-profiles.json|^- record `),
	differs("an agent's own login under the id of one of main's is kept under one of its own: OpenClaw 2026.9.6 takes it for main's and drops it",
		`fn-two-agents-import`, `database work profiles openai:default-2|record .*agents/work`),
	differs("an agent keeps the login that it used: OpenClaw lets main's come first once the agent's own has a new id",
		`fn-two-agents-import|run-twocodex`, `^\+ database work order openai`),
	differs("members under other names are read, and the login keeps its tokens: OpenClaw drops them without a word",
		`run-alias`, `profiles oauth:x|record .*agents/main/agent/auth-profiles.json`),
	differs("sessions of files are left to OpenClaw, which moves them into databases",
		`^2026\.9\.6/(legacy-sessions-dir|session-stale-auto-override|stale-locks-and-perms)`, `file .*session|session main `),
}
