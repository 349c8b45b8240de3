// Package history tells what happened: which model answered a turn of a
// session, which attempts failed before it and why, which profile was cooling
// for how long, and what the evidence for each of these is.
//
// It is pure. Readers take an io.Reader and yield events; a Story puts events
// together into runs; Statistics counts runs. Files, clocks and the environment
// stay with the caller.
//
// OpenClaw leaves its evidence in several places: the file log (JSON lines), the
// console form of the same lines (journals, container logs), transcripts,
// trajectories and cron rows. None is complete. Every step of a run therefore
// says how certain it is (logged, recorded or inferred) and by which lines.
package history
