package history

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"openclaw-auth/auth"
)

// Names turns the hashes that a log writes for profiles back into ids.
type Names map[string]string

const (
	hashBegin  = "sha256:"
	hashDigits = 12
)

// Add makes an id known. Ids that hold a key are masked.
func (n Names) Add(id string) { n[Hash(id)] = auth.MaskID(id) }

// Of returns the id of a hash; what is no hash, or an unknown one, stays.
func (n Names) Of(profile string) string {
	if id, ok := n[profile]; ok {
		return id
	}
	return profile
}

// Hash returns how OpenClaw's log writes a profile id.
func Hash(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hashBegin + hex.EncodeToString(sum[:])[:hashDigits]
}

// IsHash reports whether a profile is a hash that no store names.
func IsHash(profile string) bool { return strings.HasPrefix(profile, hashBegin) }
