package release

import "maps"

// With adds members to a map, in place, for a step that changes a map of the
// line before it, and returns the map.
func With[K comparable, V any](base map[K]V, more ...map[K]V) map[K]V {
	for _, added := range more {
		maps.Copy(base, added)
	}
	return base
}

// Without takes keys out of a map, in place, and returns the map.
func Without[K comparable, V any](base map[K]V, keys ...K) map[K]V {
	for _, key := range keys {
		delete(base, key)
	}
	return base
}
