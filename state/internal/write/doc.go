// Package write is a write of several things at once: files, parts of files,
// cells of databases, modes and places. All of it happens or nothing, under the
// locks that OpenClaw respects; what was there before is backed up, and a write
// that was interrupted is taken back by the next one.
package write
