// Package disk is how files are read and changed: the seam to the file system
// that tests replace, files opened without waiting, contents replaced as a
// whole, directories that no symbolic link leads out of, and what the system
// knows of owners and processes. It knows nothing of OpenClaw.
package disk
