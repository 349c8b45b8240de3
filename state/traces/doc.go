// Package traces finds what OpenClaw's runs have left behind in a home: log
// files, transcripts, trajectories and cron runs, in files and in databases, and
// the profiles that the hashes in logs stand for. What they tell is read by
// chain/history.
package traces
