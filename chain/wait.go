package chain

import (
	"fmt"
	"math"
)

// WaitText is what the user of a session reads when a run failed because every
// candidate was rate limited or overloaded: when to try again. It is "" for
// any other end of a run. now is the time of the answer, Unix ms.
func (r *WalkResult) WaitText(now int64) string {
	if r.Err == nil || !r.Err.Summary || len(r.Records) == 0 {
		return ""
	}
	for _, record := range r.Records {
		if record.Reason != reasonRateLimit && record.Reason != reasonOverloaded {
			return ""
		}
	}
	left := r.Err.Soonest - float64(now)
	if left <= 0 {
		return "⚠️ All models are temporarily rate-limited. Please try again in a few minutes."
	}
	seconds := math.Ceil(left / 1000)
	if seconds <= 60 {
		return fmt.Sprintf("⚠️ Rate-limited — ready in ~%vs. Please wait a moment.", seconds)
	}
	return fmt.Sprintf("⚠️ Rate-limited — ready in ~%v min. Please try again shortly.", math.Ceil(seconds/60))
}
