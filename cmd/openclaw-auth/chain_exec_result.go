package main

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strconv"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// execResult is what a command has reported about its failure in $OPENCLAW_AUTH_RESULT.
type execResult struct {
	given         bool
	status        float64
	code, message string
	reason        auth.Reason
}

// longestResult bounds the file.
const longestResult = 1 << 20

// readResult reads the file that a command may have written. What makes no
// sense in it is told and left out.
func (e *execution) readResult(path string) execResult {
	data, err := readUpTo(path, longestResult)
	if err != nil || len(data) == 0 {
		return execResult{}
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		e.warn("$OPENCLAW_AUTH_RESULT holds no JSON object and is not looked at")
		return execResult{}
	}
	var r execResult
	switch status := fields["status"].(type) {
	case float64:
		r.status = status
	case string:
		r.status, _ = strconv.ParseFloat(status, 64)
	}
	switch code := fields["code"].(type) {
	case string:
		r.code = code
	case float64:
		r.code = strconv.FormatFloat(code, 'f', -1, 64)
	}
	r.message, _ = fields["message"].(string)
	if name, _ := fields["reason"].(string); name != "" {
		if r.reason = auth.Reason(name); !slices.Contains(chain.Reasons(), r.reason) {
			e.warn("$OPENCLAW_AUTH_RESULT names no failover reason (%s)", reasonNames(chain.Reasons()))
			r.reason = ""
		}
	}
	r.given = r.status != 0 || r.code != "" || r.message != "" || r.reason != ""
	return r
}

func (e *execution) warn(format string, args ...any) {
	words.Printf(e.stderr, "openclaw-auth: warning: "+format+"\n", args...)
}

func readUpTo(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}
