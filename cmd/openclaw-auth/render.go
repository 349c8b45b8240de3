package main

import (
	"math"
	"time"
)

// maxShown is the last time that is worth showing: the end of the year 9999.
const maxShown = 253402300799000

// timeJSON gives a time its two members of a JSON document; null for none.
func timeJSON(ms float64) (any, any) {
	if ms <= 0 || math.IsInf(ms, 0) {
		return nil, nil
	}
	if ms > maxShown {
		return ms, nil
	}
	return ms, time.UnixMilli(int64(ms)).UTC().Format("2006-01-02T15:04:05.000Z")
}
