package main

import (
	"reflect"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
)

// failoverReason is the kind of the terms that are reasons.
const failoverReason = "failover reason"

// releasesOf says which releases know a term, out of the tables of rules; "" for
// all of them.
func releasesOf(term entry) string {
	knows := term.known
	if knows == nil && term.kind == failoverReason {
		knows = func(rules *auth.Rules) bool { return hasReason(rules, failure.Reason(term.name)) }
	}
	if knows == nil {
		return ""
	}
	return releaseRanges(auth.Lines(), knows)
}

// releaseRanges are the releases of a list that know something, in words:
// "2026.5.12 and later", "up to 2026.3.13", "2026.5.12 to 2026.7.1"; "" for all.
func releaseRanges(all []*auth.Rules, knows func(*auth.Rules) bool) string {
	var ranges []string
	for first := 0; first < len(all); first++ {
		if !knows(all[first]) {
			continue
		}
		last := first
		for last+1 < len(all) && knows(all[last+1]) {
			last++
		}
		from, to := all[first].Line, all[last].Line
		switch end := len(all) - 1; {
		case first == 0 && last == end:
			return ""
		case last == end:
			ranges = append(ranges, from+" and later")
		case first == 0:
			ranges = append(ranges, "up to "+to)
		case first == last:
			ranges = append(ranges, from)
		default:
			ranges = append(ranges, from+" to "+to)
		}
		first = last
	}
	if ranges == nil {
		return "none of the known"
	}
	return strings.Join(ranges, "; ")
}

// hasReason reports whether a release can give an error a reason: whether its
// rules of errors name it anywhere, or it is the mark of an unknown error.
func hasReason(rules *auth.Rules, reason failure.Reason) bool {
	return reason == "unknown" || namesReason(reflect.ValueOf(rules.Failover()), reason)
}

func namesReason(value reflect.Value, reason failure.Reason) bool {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !value.IsNil() && namesReason(value.Elem(), reason)
	case reflect.Struct:
		for i := range value.NumField() {
			if namesReason(value.Field(i), reason) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			if namesReason(value.Index(i), reason) {
				return true
			}
		}
	case reflect.Map:
		for entries := value.MapRange(); entries.Next(); {
			if namesReason(entries.Key(), reason) || namesReason(entries.Value(), reason) {
				return true
			}
		}
	case reflect.String:
		return value.Type() == reflect.TypeFor[failure.Reason]() && value.String() == string(reason)
	}
	return false
}
