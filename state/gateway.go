package state

import (
	"path/filepath"
	"strconv"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
)

// Gateway returns the process of the gateway that runs on this home, 0 if none
// is found. A gateway keeps a file with its process and its configuration in
// the system's temporary directory (up to 2026.7.1).
func (h *Home) Gateway() int {
	for _, directory := range h.gatewayDirs() {
		entries, _ := h.FS.ReadDir(directory)
		for _, entry := range entries {
			if pid := h.gatewayIn(filepath.Join(directory, entry.Name())); pid > 0 {
				return pid
			}
		}
	}
	return 0
}

// GatewayBefore returns the process of a gateway that started before the
// profiles were last written, 0 if none is found. What it has loaded may be
// older than they are. The gateway's file is as old as the gateway.
func (h *Home) GatewayBefore(l *Loaded) int {
	for _, directory := range h.gatewayDirs() {
		entries, _ := h.FS.ReadDir(directory)
		for _, entry := range entries {
			file := filepath.Join(directory, entry.Name())
			if pid := h.gatewayIn(file); pid > 0 && h.isWrittenAfter(l, file) {
				return pid
			}
		}
	}
	return 0
}

// isWrittenAfter reports whether a file of the agent's profiles is younger than
// another file.
func (h *Home) isWrittenAfter(l *Loaded, file string) bool {
	since, err := h.FS.Stat(file)
	if err != nil {
		return false
	}
	for _, source := range []*Source{l.Own, l.Main} {
		if source == nil {
			continue
		}
		for _, path := range []string{source.Profiles, source.State, source.Profiles + "-wal"} {
			if info, err := h.FS.Stat(path); err == nil && info.ModTime().After(since.ModTime()) {
				return true
			}
		}
	}
	return false
}

// gatewayIn returns the process that a gateway's file names, 0 if it is none of
// a gateway that runs on this home.
func (h *Home) gatewayIn(file string) int {
	name := filepath.Base(file)
	if !strings.HasPrefix(name, "gateway.") || !strings.HasSuffix(name, ".lock") {
		return 0
	}
	doc, _ := h.ReadObject(file)
	return gatewayOf(doc, h.ConfigPath)
}

func gatewayOf(doc *document.Object, config string) int {
	pid, _ := doc.Number("pid")
	if doc.Text("configPath") != config || !IsAlive(int(pid)) {
		return 0
	}
	return int(pid)
}

// gatewayDirs are the directories where a gateway may keep its file.
func (h *Home) gatewayDirs() []string {
	temporary := h.Variable("TMPDIR")
	if temporary == "" {
		temporary = "/tmp"
	}
	name := "openclaw"
	if uid := disk.UserID(); uid >= 0 {
		name += "-" + strconv.Itoa(uid)
	}
	return []string{filepath.Join(temporary, name), filepath.Join(h.StateDir, "tmp", name)}
}
