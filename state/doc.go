// Package state finds and reads what OpenClaw keeps on disk: the state
// directory, the configuration, agents, and their profiles and state, on every
// release line. It decides nothing about rotation or fallback; package auth
// does, from the documents that state returns.
//
// Reading changes nothing: no file, no directory, no access but reads. What
// comes from outside (environment, working directory, files) enters through an
// Env, so that a test or a demo can replace it.
package state
