// Package state finds and reads what OpenClaw keeps on disk: the state
// directory, the configuration, agents, and their profiles and state, on every
// release line. It decides nothing about rotation or fallback; package auth
// does, from the documents that state returns.
//
// Open finds a Home and chooses its release. LoadAgent, Sessions and
// ReadDocument read; SetOrder, ResetProfiles, Record, ImportFiles, Migrate and
// Undo write. A store is read in one way for both (storePlace), in files or in
// a database. Below are its internal packages: disk opens and replaces files,
// lock has OpenClaw's lock protocol and ours, write makes several changes as
// one and can take them back, sqlite reads and writes databases, dotenv reads
// .env files, sessions reads and replaces entries of sessions, overlay shows
// files as a plan would leave them, diff compares documents without showing a
// secret.
//
// Reading changes nothing: no file, no directory, no access but reads. What
// comes from outside (environment, working directory, files) enters through an
// Env, so that a test or a demo can replace it.
package state
