package state

import (
	"openclaw-auth/auth/document"
)

// RemoveDeadLocks removes locks whose process is gone: all of them or, if one
// can't be removed, none. One that a living process has taken meanwhile stays.
func (h *Home) RemoveDeadLocks(paths []string, options WriteOptions) (*Written, error) {
	j := job{options: options}
	j.plan = func() ([]edit, error) {
		var edits []edit
		for _, path := range paths {
			lock, err := h.snapshot(path)
			if err != nil {
				return nil, err
			}
			value, _ := document.ParseJSON(path, lock.data)
			doc, _ := value.(*document.Object)
			if pid, ok := doc.Number("pid"); ok && pid > 0 && !IsAlive(int(pid)) {
				edits = append(edits, &fileEdit{home: h, before: lock})
			}
		}
		return edits, nil
	}
	return h.run(j)
}
