package auth

import (
	"encoding/json"
	"fmt"
	"slices"

	"openclaw-auth/auth/document"
)

// The members of a usage entry by their type.
var (
	numberMembers = []string{"lastUsed", "cooldownUntil", "disabledUntil", "blockedUntil", "errorCount", "lastFailureAt", "lastProbeAt"}
	reasonMembers = []string{"cooldownReason", "disabledReason"}
)

// OddUsage tells, one line each, what in a usage entry is not as OpenClaw
// writes it: a text in place of a number, a reason that does not exist.
// OpenClaw ignores such values or, from 2026.5.28 on, drops them.
func OddUsage(stats *document.Object) []string {
	odd := []string{}
	for _, name := range numberMembers {
		value, ok := stats.Get(name)
		if _, isNumber := value.(json.Number); ok && !isNumber && value != nil {
			odd = append(odd, fmt.Sprintf("%s is not a number, so it does not count", name))
		}
	}
	for _, name := range reasonMembers {
		value, ok := stats.Get(name)
		text, _ := value.(string)
		if ok && !slices.Contains(reasons, Reason(text)) {
			odd = append(odd, fmt.Sprintf("%s is no reason that OpenClaw knows", name))
		}
	}
	for reason, value := range stats.Object("failureCounts").All() {
		_, isNumber := value.(json.Number)
		if !isNumber || !slices.Contains(reasons, Reason(reason)) {
			odd = append(odd, fmt.Sprintf("failureCounts.%s does not count: unknown reason or no number", MaskID(reason)))
		}
	}
	return odd
}
