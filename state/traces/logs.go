package traces

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"openclaw-auth/state"
	"openclaw-auth/state/internal/disk"
)

// LogFile is a log of past runs.
type LogFile struct {
	Path     string
	Size     int64
	Modified int64  // Unix ms
	Group    string // files of one group follow each other in time
}

// Logs finds OpenClaw's logs, the oldest first within each group: the file that
// logging.file names or the dated ones of the default directory, each with its
// rotated parts, and those of launchd. Files that were written last before since
// (Unix ms) are left out: no line of them is younger. searched names where the
// file log was looked for, for a message.
func Logs(h *state.Home, config *state.Config, since int64) (logs []LogFile, searched []string) {
	if file := strings.TrimSpace(config.Document().Object("logging").Text("file")); file != "" {
		path := h.UserPath(file)
		searched = append(searched, path)
		if datedLog().MatchString(filepath.Base(path)) {
			logs = datedLogs(h, filepath.Dir(path), since)
		} else {
			logs = rotatedLogs(h, path, since)
		}
	} else {
		for _, dir := range logDirs(h) {
			searched = append(searched, dir)
			logs = append(logs, datedLogs(h, dir, since)...)
		}
	}
	for _, name := range []string{"gateway.log", "gateway.err.log"} {
		logs = append(logs, rotatedLogs(h, filepath.Join(h.StateDir, "logs", name), since)...)
	}
	return logs, searched
}

// logDirs are the default directories of the dated logs.
func logDirs(h *state.Home) []string {
	temp := h.Variable("TMPDIR")
	if temp == "" {
		temp = h.Variable("TEMP")
	}
	if temp == "" || filepath.Separator == '/' && !strings.HasPrefix(temp, "/") {
		temp = "/tmp"
	}
	dirs := []string{filepath.Join(temp, "openclaw")}
	if user := disk.UserID(); user >= 0 {
		dirs = append(dirs, filepath.Join(temp, "openclaw-"+strconv.Itoa(user)))
	}
	if usual := filepath.FromSlash("/tmp/openclaw"); usual != dirs[0] {
		dirs = append(dirs, usual)
	}
	return dirs
}

// datedLog matches the names of dated logs: a profile other than the default one
// is in them from 2026.9.6 on, and a number counts the parts of one day, the
// youngest first.
var datedLog = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^openclaw-(?:(.+)-)?(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.log$`)
})

// datedLogs lists the dated logs of a directory that belong to this home.
func datedLogs(h *state.Home, dir string, since int64) []LogFile {
	entries, _ := h.FS.ReadDir(dir)
	profile := logProfile(h.Variable("OPENCLAW_PROFILE"))
	type dated struct {
		LogFile
		day  string
		part int
	}
	var found []dated
	for _, entry := range entries {
		match := datedLog().FindStringSubmatch(entry.Name())
		if match == nil || match[1] != "" && match[1] != profile {
			continue
		}
		part, _ := strconv.Atoi(match[3])
		if file, ok := logFile(h, filepath.Join(dir, entry.Name()), since); ok {
			file.Group = dir
			found = append(found, dated{file, match[2], part})
		}
	}
	slices.SortFunc(found, func(a, b dated) int {
		return cmp.Or(strings.Compare(a.day, b.day), -cmp.Compare(a.part, b.part), strings.Compare(a.Path, b.Path))
	})
	logs := make([]LogFile, len(found))
	for i := range found {
		logs[i] = found[i].LogFile
	}
	return logs
}

// logProfile is how a profile's name is written into the name of its log.
func logProfile(name string) string {
	if name == "" || strings.EqualFold(name, "default") {
		return ""
	}
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '-':
			b.WriteString("--")
		case c == '_':
			b.WriteString("-0")
		case c >= 'A' && c <= 'Z':
			b.WriteString("-1" + string(c+'a'-'A'))
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteByte(c)
		default:
			b.WriteString("-2" + strconv.FormatInt(int64(c), 16) + "-")
		}
	}
	return b.String()
}

// mostParts is how many rotated parts of a log are looked for.
const mostParts = 20

// rotatedLogs lists a log with its rotated parts: NAME.1.log beside NAME.log, or
// NAME.log.1 as others rotate.
func rotatedLogs(h *state.Home, path string, since int64) []LogFile {
	var logs []LogFile
	ending := filepath.Ext(path)
	for part := mostParts; part > 0; part-- {
		number := "." + strconv.Itoa(part)
		for _, name := range []string{path + number, strings.TrimSuffix(path, ending) + number + ending} {
			if file, ok := logFile(h, name, since); ok {
				file.Group = path
				logs = append(logs, file)
			}
		}
	}
	if file, ok := logFile(h, path, since); ok {
		file.Group = path
		logs = append(logs, file)
	}
	return logs
}

func logFile(h *state.Home, path string, since int64) (LogFile, bool) {
	info, err := h.FS.Stat(path)
	if err != nil || !info.Mode().IsRegular() || isOlder(info, since) {
		return LogFile{}, false
	}
	return LogFile{Path: path, Size: info.Size(), Modified: info.ModTime().UnixMilli()}, true
}

// firstWritten is before anything that OpenClaw wrote. Archives and copies may
// give files an earlier time, which says nothing.
var firstWritten = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// isOlder reports whether a file was written last before a time.
func isOlder(info fs.FileInfo, since int64) bool {
	written := info.ModTime()
	return written.After(firstWritten) && written.UnixMilli() < since
}
