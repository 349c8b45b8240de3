package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func authImportCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "import",
		Usage:     "import logins from older files into the agent's store",
		ArgsUsage: "[FILE]",
		Description: `Without FILE: the agent's auth.json, then credentials/oauth.json. Each entry
becomes PROVIDER:default unless the store has a profile of that id. The files
stay, except that auth.json of an agent without a store goes, as in OpenClaw.

FILE may be such a file, a map of providers, or a store that was moved aside
(*.migrated-*, *.bak): its profiles keep their ids, and come with their order,
lastGood and usage where the store has none.

Examples:
  openclaw-auth auth import --dry-run
  openclaw-auth auth import ~/.openclaw/agents/main/agent/auth-profiles.json.bak

` + writeExits,
		Flags: writeFlags(toggle("yes", "don't ask before auth.json is removed")),
	}, authImport)
}

type importedJSON struct {
	Profile auth.ProfileID `json:"profile"`
	Origin  state.Origin   `json:"origin"`
	Skipped any            `json:"skipped"`
}

func authImport(s *session) error {
	if s.flags.NArg() > 1 {
		return usage("auth import takes one file at most")
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	files, err := s.legacyFiles(l)
	if err != nil {
		return err
	}
	options, err := s.writeOptions("auth import")
	if err != nil {
		return err
	}
	preview := options
	preview.DryRun = true
	plan, _, err := s.home.ImportFiles(s.flags.Context, l.Loaded, files, preview)
	if err != nil {
		return writeError(err)
	}
	for _, change := range plan.Changes {
		if actionOf(change) == "remove" {
			if err := s.confirm("remove " + s.shownFile(change.File) + " once its logins are imported?"); err != nil {
				return err
			}
		}
	}
	written, imported, err := s.home.ImportFiles(s.flags.Context, l.Loaded, files, options)
	if err != nil {
		return writeError(err)
	}
	return s.importAnswer(l, files, written, imported)
}

func (s *session) legacyFiles(l *loaded) ([]state.LegacyFile, error) {
	if s.flags.NArg() == 0 {
		return s.home.LegacyFiles(l.Agent)
	}
	file, err := s.home.ReadLegacyFile(s.flags.Args().First())
	return []state.LegacyFile{file}, err
}

func (s *session) importAnswer(l *loaded, files []state.LegacyFile, written *state.Written, imported []state.Imported) error {
	notes := s.warnings(written)
	for _, file := range files {
		for _, rejected := range file.Rejected {
			notes = append(notes, fmt.Sprintf("%s: entry %s is refused: %s", s.shownFile(file.Path), auth.MaskID(rejected.ID), rejected.Reason))
		}
	}
	if s.json {
		list := []importedJSON{}
		for _, i := range imported {
			origin := i.From
			origin.Pointer = maskPointer(origin.Pointer, i.Profile)
			list = append(list, importedJSON{shownID(i.Profile), origin, nullable(i.Skipped)})
		}
		return s.writeJSON(importDocument{s.writtenJSON("auth-import", l.Agent, written, notes), list})
	}
	if len(files) == 0 {
		words.Printf(s.stdout, "nothing to import: there is neither auth.json in %s nor oauth.json in %s\n", l.Agent.Dir, s.home.OAuthDir)
	}
	for _, i := range imported {
		if i.Skipped != "" {
			words.Printf(s.stdout, "%s of %s: skipped, %s\n", shownID(i.Profile), s.shownFile(i.From.File), i.Skipped)
		}
	}
	s.writtenText(written, notes)
	return nil
}

// importDocument is the answer of auth import.
type importDocument struct {
	writtenJSON
	Profiles []importedJSON `json:"profiles"`
}
