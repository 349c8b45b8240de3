package main

import (
	"encoding/json"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// object builds a JSON object from pairs of key and value.
func object(pairs ...any) *document.Object {
	o := document.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// plain turns a document value or a Go value into one that compares by content.
func plain(value any) any {
	switch v := value.(type) {
	case *document.Object:
		if v == nil {
			return nil
		}
		members := map[string]any{}
		for key, item := range v.All() {
			if key != "__proto__" { // the recorder's own objects can't have such a member
				members[key] = plain(item)
			}
		}
		return members
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = plain(item)
		}
		return items
	case []auth.ProfileID:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = string(item)
		}
		return items
	case json.Number:
		number, _ := v.Float64()
		return number
	case int64:
		return float64(v)
	case auth.ProfileID:
		return string(v)
	case auth.ProviderID:
		return string(v)
	case auth.Reason:
		return string(v)
	case auth.Code:
		return string(v)
	}
	return value
}
