package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func undoCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "undo",
		Category:  agentless,
		Usage:     "revert the last write of openclaw-auth, or a named backup",
		ArgsUsage: "[BACKUP]",
		Description: `Restores the files of a backup if nothing has changed since. If
something has, undo shows it and writes nothing. All writes of one doctor --fix
are reverted together. --list shows the backups.

Examples:
  openclaw-auth undo
  openclaw-auth undo --list

` + writeExits,
		Flags: writeFlags(toggle("list", "list the backups, newest first")),
	}, undo)
}

type undoDocument struct {
	writtenJSON
	Undoes state.Manifest   `json:"undoes"`
	Before []state.Manifest `json:"before"` // the others of its run, which are taken back after it
}

func undo(s *session) error {
	if s.flags.NArg() > 1 {
		return usage("undo takes one backup at most")
	}
	// A configuration that can't be read is no reason not to go back.
	err := s.open()
	if exit, misused := errors.AsType[*exitError](err); misused {
		return exit
	}
	if s.home == nil {
		return err
	}
	if s.flags.Bool("list") {
		return s.listBackups()
	}
	id := s.flags.Args().First()
	backups, err := s.home.FindRun(id)
	switch {
	case errors.Is(err, state.ErrNoBackup) && id != "":
		return usage("%w%s", err, cmp.Or(didYouMean(id, namesOf(s.backupValues())), " (there is none yet)"))
	case errors.Is(err, state.ErrNoBackup):
		return refused("%w", err)
	}
	if err != nil {
		return err
	}
	all, run := &state.Written{}, ""
	if len(backups) > 1 {
		run = state.NewRun(time.Now())
	}
	for i := range backups {
		written, err := s.undoOne(&backups[i], run)
		if _, changed := errors.AsType[*state.ChangedError](err); changed && i > 0 && s.flags.Bool("dry-run") {
			continue // by those before it, which have not been taken back
		}
		if err != nil {
			return s.undoError(err)
		}
		all.Changes, all.Warnings = append(all.Changes, written.Changes...), append(all.Warnings, written.Warnings...)
		if written.Backup != "" {
			all.Backup = cmp.Or(run, written.Backup)
		}
		if !s.json && len(written.Changes) > 0 {
			words.Printf(s.stdout, "%s: %s\n", backups[i].ID, backups[i].Why)
		}
	}
	notes := s.warnings(all)
	if s.json {
		return s.writeJSON(undoDocument{s.writtenJSON("undo", state.Agent{}, all, notes), backups[0], backups[1:]})
	}
	if len(all.Changes) == 0 {
		words.Printf(s.stdout, "nothing to undo: everything is as it was before %s\n", backups[0].ID)
	}
	s.writtenText(all, notes)
	return nil
}

// undoOne takes back one backup, in a run of several or in none.
func (s *session) undoOne(backup *state.Manifest, run string) (*state.Written, error) {
	options, err := s.writeOptions("undo " + backup.ID)
	if err != nil {
		return nil, err
	}
	options.Run = run
	return s.home.Undo(s.flags.Context, backup, options)
}

// undoError explains what prevents an undo.
func (s *session) undoError(err error) error {
	if changed, ok := errors.AsType[*state.ChangedError](err); ok {
		s.changedText(changed)
		return refused("%w", err)
	}
	return writeError(err)
}

// changedText shows what prevents an undo.
func (s *session) changedText(changed *state.ChangedError) {
	for _, change := range changed.Since {
		words.Printf(s.stderr, "%s has changed since; undo would have to change:\n", strings.TrimSpace(s.shownFile(change.File)+" "+change.Part))
		for _, d := range change.Diff() {
			path := strings.Join(shownPath(d.Path), " ")
			words.Printf(s.stderr, "  %s: %s -> %s\n", path, orNone(d.Before), orNone(d.After))
		}
	}
}

func orNone(text string) string {
	if text == "" {
		return "(none)"
	}
	return text
}

func (s *session) listBackups() error {
	backups, damaged := s.home.Backups()
	for _, err := range damaged {
		fmt.Fprintln(s.stderr, "openclaw-auth: warning: "+words.Line(err.Error()))
	}
	if s.json {
		if backups == nil {
			backups = []state.Manifest{}
		}
		return s.writeJSON(undoListDocument{"openclaw-auth/undo-list/v1", backups})
	}
	if len(backups) == 0 {
		words.Printf(s.stdout, "no backups in %s\n", s.home.BackupsDir())
	}
	var rows words.Table
	for _, backup := range backups {
		var files []string
		for _, entry := range backup.Entries {
			if entry.IsRecord() {
				continue
			}
			files = append(files, strings.TrimSpace(s.shownFile(entry.Path)+" "+entry.Part))
		}
		rows.Add(backup.ID, backup.Why, strings.Join(files, ", "))
	}
	s.screen.Table("", &rows)
	return nil
}

// undoListDocument is the answer of undo --list.
type undoListDocument struct {
	Schema  string           `json:"schema"`
	Backups []state.Manifest `json:"backups"`
}
