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
			if !strings.HasPrefix(entry.Name(), "gateway.") || !strings.HasSuffix(entry.Name(), ".lock") {
				continue
			}
			doc, _ := h.ReadObject(filepath.Join(directory, entry.Name()))
			if pid := gatewayOf(doc, h.ConfigPath); pid > 0 {
				return pid
			}
		}
	}
	return 0
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
