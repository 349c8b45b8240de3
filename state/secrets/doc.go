// Package secrets finds the secret of a credential: the value itself, or what a
// reference (env, file, store, exec) leads to, as OpenClaw resolves it.
package secrets
