package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// legacyImport reports files in which older releases kept credentials.
func legacyImport() *Check {
	return &Check{
		ID: IDLegacyImport, Severity: Warning,
		Title: "files of older releases that wait for an import: oauth.json, auth.json, maps of providers, JSON beside a database",
		Why:   "what is in them may not count at all, or count only once and then be forgotten",
		Fix:   "doctor --fix imports it into the store and moves it aside as the release names that; openclaw-auth auth import takes single files. Databases that are not there yet are OpenClaw's to make",
		agent: func(x *examination, p *examinedAgent) {
			for _, pending := range p.Pending {
				key := "pending " + pending.File + " " + string(pending.Effect)
				if pending.Problem == nil && !x.judged[key] {
					x.judged[key] = true
					x.pending(p, pending)
				}
			}
			x.oldSessions(p)
		},
	}
}

func (x *examination) pending(p *examinedAgent, pending state.Pending) {
	f := Finding{
		Agent: p.Agent.ID, Code: string(pending.Effect), Where: state.Origin{File: pending.File}, Treats: x.effectText(pending),
		Fix: "doctor --fix imports it; if there is no database yet, openclaw doctor --fix makes it",
	}
	switch pending.Effect {
	case state.EffectImport:
		f.Severity, f.Fix = Info, "nothing to do: the next load does it; doctor --fix does it now"
	case state.EffectIgnored:
		f.Severity, f.Fix = Info, "remove the file once nothing in it is missed; openclaw-auth auth import takes over what the store lacks"
		if x.importsBesides(pending) {
			f.Fix = "doctor --fix takes over what the store lacks and moves the file aside"
		}
	case state.EffectBlocks:
		f.Severity = Error
	case state.EffectDoctor:
		if state.RulesOf(x.rules).Backend == state.BackendJSON {
			f.Fix = "move the file away and give it to openclaw-auth auth import"
			if pending.Kind == state.PendingFlatMap && x.line.FlatMap {
				f.Fix = "doctor --fix makes a store of it, and keeps the map beside it"
			}
		}
	}
	f.Repair = migratedIf(pending.Effect == state.EffectImport || x.importsBesides(pending) || pending.Kind == state.PendingFlatMap && x.line.FlatMap)
	f.Message = pendingText(pending)
	if pending.Effect == state.EffectDoctor && len(pending.Profiles) > 0 && p.Complete() && p.Store.Profiles.Len() == 0 {
		f.Severity = Error
		f.Message += "; the agent has no other, so that it has no profile at all"
	}
	if differing := x.differing(p, pending); len(differing) > 0 {
		f.Severity = Warning
		f.Message += fmt.Sprintf("; %s also in the store, with another secret: the stored one counts", words.Plural(len(differing), words.List(differing, mask.Few)+" is", words.List(differing, mask.Few)+" are"))
	}
	x.add(f)
	x.lostOnImport(p, pending)
	if pending.Effect == state.EffectImport {
		return // what the next load refuses is told as of the store
	}
	for _, r := range pending.Rejected {
		if creds.IsAWSMarker(x.entry(r.Origin)) {
			x.add(Finding{Severity: Info, Agent: p.Agent.ID, Code: "aws_sdk", Profile: r.ID, Where: r.Origin, Message: mask.ID(r.ID) + " stands for the credentials of the AWS SDK",
				Treats: "an import moves it to auth.profiles of the configuration"})
			continue
		}
		x.add(Finding{Agent: p.Agent.ID, Code: string(r.Reason), Profile: r.ID, Where: r.Origin,
			Message: fmt.Sprintf("the entry %s can't be imported: %s", mask.ID(r.ID), creds.RejectText(r.Reason)),
			Treats:  "dropped by an import, without a word", Fix: "correct the entry by hand before anything imports it"})
	}
}

// importsBesides reports whether an import takes a file although there is a store
// already: all files beside databases, but for oauth.json where that belongs to
// nobody (2026.6.11, 7.1).
func (x *examination) importsBesides(pending state.Pending) bool {
	backend := state.RulesOf(x.rules).Backend
	return backend == state.BackendShared || backend != state.BackendJSON && pending.Kind != state.PendingOAuth
}

// lostOnImport reports a login of an agent's own that OpenClaw's import into
// databases takes for the one of main, because it has the same id and neither
// tells its account: it is dropped without a word (2026.8.2+).
func (x *examination) lostOnImport(p *examinedAgent, pending state.Pending) {
	if pending.Kind != state.PendingProfiles || p.Main == nil || state.RulesOf(x.rules).Backend != state.BackendShared || p.Main.Dir == p.Agent.Dir {
		return
	}
	main := x.document(filepath.Join(p.Main.Dir, filepath.Base(pending.File))).Object().Object("profiles")
	own := x.document(pending.File).Object().Object("profiles")
	for _, id := range pending.Profiles {
		mine, theirs := own.Object(id), main.Object(id)
		if mine.Text("type") != auth.TypeOAuth || theirs == nil || sameSecrets(mine, theirs) || mine.Text("email")+mine.Text("accountId") != "" {
			continue
		}
		x.add(Finding{Severity: Error, Agent: p.Agent.ID, Profile: id, Code: "lost_on_import", Where: state.Origin{File: pending.File, Pointer: document.Pointer("profiles", id)},
			Message: fmt.Sprintf("%s is another login than main's of the same id, and tells no account", mask.ID(id)),
			Treats:  "openclaw doctor --fix takes it for main's and drops it, without a word", Fix: "doctor --fix imports it as the agent's own", Repair: migratedIf(true)})
	}
}

// oldSessions reports a file of sessions beside a database of them.
func (x *examination) oldSessions(p *examinedAgent) {
	if file := filepath.Join(x.Home.StateDir, "agents", p.Agent.ID, "sessions", "sessions.json"); state.RulesOf(x.rules).Backend == state.BackendShared && x.exists(file) {
		x.add(Finding{Agent: p.Agent.ID, Code: "sessions", Where: state.Origin{File: file}, Message: "sessions of an older release lie beside the database",
			Treats: "not read: overrides and pins in them do not count", Fix: "openclaw doctor --fix imports them"})
	}
}

func (x *examination) exists(file string) bool {
	_, err := x.Home.FS.Stat(file)
	return err == nil
}

func pendingText(pending state.Pending) string {
	switch {
	case pending.Kind == state.PendingState:
		return "order, usage and lastGood of an older release lie beside the database"
	case len(pending.Profiles) == 0:
		return "a file of an older release without a usable profile"
	}
	text := fmt.Sprintf("%s in a file of an older release: %s", words.Count(len(pending.Profiles), "profile"), words.List(mask.IDs(pending.Profiles), mask.Few))
	if pending.Kind == state.PendingFlatMap {
		text = fmt.Sprintf("not a store but a map of providers: %s (a baseUrl in it belongs to models.providers)", words.List(mask.IDs(pending.Profiles), mask.Few))
	}
	return text
}

// effectText says what the line does with a legacy file.
func (x *examination) effectText(pending state.Pending) string {
	text := map[state.Effect]string{
		state.EffectImport:  "the next load imports it",
		state.EffectDoctor:  "not loaded",
		state.EffectIgnored: "never read again",
		state.EffectBlocks:  "stops every load of the agent's profiles",
	}[pending.Effect]
	if pending.Kind == state.PendingFlatMap && x.line.FlatMap && pending.Effect == state.EffectDoctor {
		text += "; openclaw doctor converts it"
	}
	if pending.Why != "" {
		text += ": " + pending.Why
	}
	return text
}

// differing lists the profiles of a legacy file that the store has too, with
// another secret: the file may be the newer one.
func (x *examination) differing(p *examinedAgent, pending state.Pending) []string {
	document := x.document(pending.File).Object()
	entries := document
	if pending.Kind == state.PendingProfiles {
		entries = document.Object("profiles")
	}
	var ids []string
	for _, id := range pending.Profiles {
		stored := p.Store.Profiles.Object(id)
		entry := entries.Object(id)
		if entry == nil {
			entry = entries.Object(strings.TrimSuffix(id, ":default"))
		}
		if pending.Effect != state.EffectImport && stored != nil && entry != nil && !sameSecrets(stored, entry) {
			ids = append(ids, mask.ID(id))
		}
	}
	return ids
}

// sameSecrets compares what two credentials authenticate with.
func sameSecrets(stored, entry *document.Object) bool {
	key := entry.Text("key")
	if key == "" {
		key = entry.Text("apiKey")
	}
	if stored.Text("key") != key {
		return false
	}
	return !slices.ContainsFunc([]string{"token", "access", "refresh"}, func(name string) bool { return stored.Text(name) != entry.Text(name) })
}

// legacyArchive reports credentials that are only in backups and archives.
func legacyArchive() *Check {
	return &Check{
		ID: IDLegacyArchiveOnly, Severity: Error,
		Title: "profiles that only an archive holds: the store lacks them, or has them without a credential",
		Why:   "a migration that failed half-way moves the source away although not all of it arrived, and later runs take it for done",
		Fix:   "openclaw-auth auth import FILE takes the archive's profiles into the store",
		agent: (*examination).archives,
	}
}

// archives finds what only an agent's archives hold, of several the newest.
func (x *examination) archives(p *examinedAgent) {
	if !p.Complete() || p.Blocked != nil {
		return
	}
	held := map[[32]byte]bool{}
	for id := range p.Store.Profiles.All() {
		if hash, ok := creds.SecretOf(p.Store.Profiles.Object(id)); ok {
			held[hash] = true
		}
	}
	waiting := map[string]bool{}
	for _, pending := range p.Pending {
		for _, id := range pending.Profiles {
			waiting[string(id)] = true
		}
	}
	told := map[string]bool{}
	for _, entry := range slices.Backward(p.entries) {
		if !isCopy(entry.Name()) || !strings.HasPrefix(entry.Name(), "auth") {
			continue
		}
		var lost []string
		profiles := x.document(p.file(entry.Name())).Object().Object("profiles")
		for id := range profiles.All() {
			hash, hasSecret := creds.SecretOf(profiles.Object(id))
			have := p.Store.Profiles.Object(id)
			if creds.HasCredential(profiles.Object(id)) && !(hasSecret && held[hash]) && !waiting[id] && !told[id] && (have == nil || !creds.HasCredential(have)) {
				told[id] = true
				lost = append(lost, mask.ID(id))
			}
		}
		if len(lost) > 0 {
			x.rescue(p, p.file(entry.Name()), lost)
		}
	}
}

// rescue reports profiles that only an archive holds.
func (x *examination) rescue(p *examinedAgent, file string, lost []string) {
	x.rescues[file] = true
	f := Finding{Agent: p.Agent.ID, Code: "store_lacks", Where: state.Origin{File: file}, Treats: "archives are never read",
		Message: fmt.Sprintf("holds %s, which the store lacks", words.List(lost, mask.Few)),
		Fix:     "import the archive, unless the profile was removed on purpose", Commands: x.own(p.Agent.ID, "auth", "import", file)}
	if p.Store.Profiles.Len() == 0 {
		f.Code, f.Message = "no_live_profile", fmt.Sprintf("no profile is live, but an archive holds %s", words.Count(len(lost), "profile"))
	}
	if state.RulesOf(x.rules).Backend != state.BackendJSON && p.Own.Store == nil && p.Main == nil {
		f.Fix, f.Commands = "let openclaw make the database first (openclaw doctor --fix), then import the archive", nil
	}
	x.add(f)
}

// isCopy reports whether a name is one of a backup or an archive that OpenClaw
// leaves: NAME.bak, NAME.bak.1, NAME.sqlite-import.TIME.bak, NAME.migrated-TIME.
func isCopy(name string) bool {
	return strings.HasSuffix(name, ".bak") || strings.Contains(name, ".bak.") || strings.Contains(name, ".migrated-") ||
		strings.Contains(name, ".clobbered.") || strings.Contains(name, ".rejected.")
}

// embeddedState reports state that stands in the file of the profiles on lines
// that have a file of its own for it.
func embeddedState() *Check {
	return &Check{
		ID: IDLegacyEmbeddedState, Severity: Info,
		Title: "order, usage or lastGood in auth-profiles.json where the release keeps them in auth-state.json",
		Why:   "auth-state.json wins key by key, so that an edit of the older file may have no effect",
		Fix:   "nothing to do: the next write of OpenClaw moves it",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				if s.State == s.Profiles || s.Imported || state.RulesOf(x.rules).Backend != state.BackendJSON {
					continue
				}
				sections := x.embeddedSections(s)
				if len(sections) > 0 {
					x.add(Finding{Agent: s.agent, Code: "embedded", Where: state.Origin{File: s.Profiles, Pointer: document.Pointer(sections[0])},
						Message: words.List(sections, mask.Few) + " of an older release in the file of the profiles",
						Treats:  "read; what auth-state.json says of the same key wins"})
				}
			}
		},
	}
}

func (x *examination) embeddedSections(s source) []string {
	var sections []string
	for name, object := range map[string]*document.Object{"order": s.Store.Order, "lastGood": s.Store.LastGood, "usageStats": s.Store.UsageStats} {
		for key := range object.All() {
			if s.StateOrigin(name, key).File == s.Profiles {
				sections = append(sections, name)
				break
			}
		}
	}
	slices.Sort(sections)
	return sections
}

// legacyDirectory reports state directories under former names.
func legacyDirectory() *Check {
	return &Check{
		ID: IDLegacyStateDir, Severity: Warning,
		Title: "a state directory under a former name",
		Why:   "what is only in the former directory does not count, and some releases refuse to start beside it",
		Fix:   "doctor --fix moves what lies in the directories of a release with a single agent, unless the agent has a file of that name; other directories are yours to compare and to remove",
		home: func(x *examination) {
			h := x.Home
			x.oldDirectory("agent", "agents/main/agent", "not read: the files move to the default agent's directory with openclaw doctor")
			x.oldDirectory("sessions", "agents/main/sessions", "not read: the sessions move to the default agent with openclaw doctor")
			if h.StateDirFrom == "legacy directory" {
				x.add(Finding{Severity: Info, Code: "former_name", Where: state.Origin{File: h.StateDir},
					Message: "the state is in a directory of a former name",
					Treats:  "read; OpenClaw renames it at its next start and leaves a link", Fix: "nothing to do"})
			}
			if h.StateDirFrom != "default" {
				return
			}
			for _, name := range state.RulesOf(h.Rules).LegacyDirs {
				path := filepath.Join(h.HomeDir, name)
				if info, err := h.FS.Lstat(path); err == nil && info.IsDir() {
					x.add(Finding{Code: "both", Where: state.Origin{File: path}, Message: "a state directory of a former name lies beside the one in use",
						Treats: "ignored: the migration is skipped because its target exists"})
				}
			}
		},
	}
}

// oldDirectory reports a directory from before there were several agents.
func (x *examination) oldDirectory(name, instead, treats string) {
	path := filepath.Join(x.Home.StateDir, name)
	if entries := x.list(path); len(entries) > 0 {
		x.add(Finding{Code: "one_agent", Where: state.Origin{File: path}, Treats: treats, Fix: "doctor --fix moves what the agent lacks; compare files that both have, nothing is merged",
			Repair:  migratedIf(name == "agent" || state.RulesOf(x.rules).Backend != state.BackendShared),
			Message: fmt.Sprintf("the %s directory of a release with a single agent: its place is %s now", name, instead)})
	}
}
