package doctor

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// unreadable reports files that can't be read as what they should be. They are
// never written over: what is in them may be the only copy.
func unreadable() *Check {
	return &Check{
		ID: IDFilesUnreadable, Severity: Error,
		Title: "files that can't be read: cut off, of a wrong type, of an unknown schema",
		Why:   "what is in such a file does not count, and OpenClaw says little about it: profiles just seem to be gone",
		Fix:   "correct the file by hand or restore a backup; it is never written over",
		home: func(x *examination) {
			x.problem("", x.Problem)
			for _, directory := range []string{x.Home.StateDir, filepath.Join(x.Home.StateDir, "agents"), x.Home.OAuthDir} {
				x.directory(directory)
			}
			for _, warning := range x.Config.Warnings {
				x.add(Finding{Severity: Warning, Code: "variable", Message: mask.Text(warning), Where: state.Origin{File: x.Config.Path},
					Treats: "the text stays as it is", Fix: "set the variable, or remove it from the configuration"})
			}
		},
		agent: func(x *examination, p *examinedAgent) {
			for _, err := range p.Problems {
				x.problem(p.Agent.ID, err)
			}
			for _, pending := range p.Pending {
				x.problem(p.Agent.ID, pending.Problem)
			}
			for _, odd := range p.Odd() {
				x.odd(p.Agent.ID, odd)
			}
		},
	}
}

// odd reports a member of a store that is of a wrong type, once for all agents
// that have it.
func (x *examination) odd(agent string, odd state.Odd) {
	key := odd.Origin.File + odd.Origin.Table + odd.Origin.Pointer
	if x.problems[key] {
		return
	}
	x.problems[key] = true
	x.add(Finding{Agent: agent, Severity: Warning, Code: "type", Where: odd.Origin, Message: mask.Text(odd.String()),
		Treats: "OpenClaw reads the store as if the member were not there", Fix: "correct the member, or remove it"})
}

// directory reports a directory that can't be listed: without its names nothing
// in it would be found, and all would look well.
func (x *examination) directory(path string) {
	_, err := x.Home.FS.ReadDir(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	x.add(Finding{Code: "directory", Where: state.Origin{File: path}, Message: "the directory can't be listed: " + mask.Text(err.Error()),
		Treats: "as far as its files can be reached by name", Fix: "make it readable, and run doctor again"})
}

// explainProblem says how OpenClaw treats a file that can't be read.
func (x *examination) explainProblem(f *Finding, err error) {
	f.Fix = "correct it by hand"
	switch code, isDatabase := errors.AsType[*state.DatabaseError](err); {
	case f.Where.File == x.Home.ConfigPath:
		f.Treats = "OpenClaw does not start; openclaw doctor refuses too and leaves the file as it is"
	case isDatabase:
		f.Code, f.Message, f.Where.File = strings.ReplaceAll(string(code.Kind), " ", "-"), mask.Text(code.Message), code.Path
		f.Treats = "every load of the agent's profiles fails"
		f.Fix = "see the message; a newer schema needs a newer openclaw-auth, or --force-read"
	case filepath.Base(f.Where.File) == "sessions.json":
		f.Treats = "read as if there were no sessions: what users chose does not count"
	case state.RulesOf(x.rules).Backend == state.BackendShared:
		f.Treats = "a legacy file here is archived unread by openclaw doctor --fix, and its credentials are gone from their place"
	default:
		f.Treats = "read as if there were no such file: its profiles are missing, without a word"
	}
	if backups := x.backupsOf(f.Where.File); len(backups) > 0 {
		f.Fix += ", or restore its newest backup: " + words.List(backups, mask.Few)
	}
}

// backupsOf lists the copies that lie beside a file, by name.
func (x *examination) backupsOf(file string) []string {
	if file == "" {
		return nil
	}
	directory, name := filepath.Dir(file), filepath.Base(file)
	entries, _ := x.Home.FS.ReadDir(directory)
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name+".") && isCopy(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names
}
