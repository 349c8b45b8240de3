// Package chain computes which model OpenClaw runs, and which one next.
//
// A run starts from a selection (the configured default, a session's override,
// a scheduled job's model), builds its chain of candidates, decides for each
// whether to attempt, probe or skip it, and walks on when one fails. Models
// reads references and configuration, Models.Select answers for a session,
// Models.Candidates lists the chain, Walk runs it over given outcomes.
//
// The package is pure: documents and a time come in, values go out. How the
// release lines differ is data: package lines has it as a table of steps; no code
// here asks for a version. For every line the answers equal the program's own
// recorded ones (testdata/vectors: parse, candidates, selection, walk).
package chain
