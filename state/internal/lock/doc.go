// Package lock has OpenClaw's lock protocol, which excludes a running gateway
// and us from each other's writes, and the lock of our own processes.
package lock
