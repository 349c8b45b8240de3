// Package auth is the engine of openclaw-auth: it computes, for every release
// line of OpenClaw from 2026.1.30 to 2026.9.6, which auth profiles of a
// provider are usable, in which order OpenClaw tries them, what a failure or a
// success changes, and which profile a session is pinned to.
//
// The package is pure. Documents (the configuration, an agent's profiles and
// state, a session's entry) and the time come in as arguments; results are
// values. It reads no file, clock, environment or terminal: package state does.
//
// What differs between release lines is data: the fields of Rules, filled by
// tables of steps over the list of lines in auth/release (rules_table.go,
// rules_store.go). No code compares versions. The recorded answers
// of the real program in testdata/vectors decide what is right; the comments
// name the release lines on which a rule holds ("2026.8.2+" is from that line
// on, "≤2026.4.9" up to it).
//
// Times are Unix milliseconds, as OpenClaw stores them: now is a whole number,
// a stored time may be any JSON number.
package auth
