// Package words is how the program speaks: counts and lists, times and
// durations, text from data made safe to print, and the layout of a screen
// (tables, wrapped paragraphs, colour). Doctor's messages and every command
// use it, so that the same fact reads the same everywhere. It knows nothing of
// OpenClaw.
package words
