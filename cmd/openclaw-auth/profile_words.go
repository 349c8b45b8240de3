package main

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
)

// sourceWords say where an order comes from.
var sourceWords = map[auth.OrderSource]string{
	auth.StateOrder:     "the agent's own order",
	auth.ConfigOrder:    "auth.order",
	auth.ConfigProfiles: "no order, profiles of auth.profiles",
	auth.StoredProfiles: "no order, stored profiles",
}

// codeWords say why a profile can't serve a provider.
var codeWords = map[auth.Code]string{
	auth.ProfileMissing:    "not in the store",
	auth.SetupInactive:     "belongs to an unfinished setup",
	auth.ProviderMismatch:  "belongs to another provider",
	auth.ModeMismatch:      "auth.profiles names another type",
	auth.MalformedAPIKey:   "the key is a pasted command line",
	auth.MissingCredential: "holds no key or token",
	auth.UnresolvedRef:     "refers to tokens that are not in the store",
	auth.InvalidExpires:    "its expires is not a time",
	auth.Expired:           "its tokens are being refreshed, or the refresh failed",
}

// placeText says why a profile has its place.
func placeText(placement auth.Placement, clock words.Clock) string {
	switch placement.Place {
	case auth.PlaceExcluded:
		if placement.Code == auth.Expired && placement.Expires > 1 {
			return "expired " + clock.When(placement.Expires)
		}
		return string(placement.Code) + ": " + codeWords[placement.Code]
	case auth.PlaceUnlisted:
		return "usable, but not in the order"
	case auth.PlaceUnavailable:
		return windowText(*placement.Window, clock)
	case auth.PlacePreferred:
		text := "goes first"
		if placement.Window != nil {
			text += ", though " + windowText(*placement.Window, clock)
		}
		return text
	case auth.PlaceSorted:
		return sortedText(placement, clock)
	}
	return "listed"
}

// sortedText names what an automatic order sorts by.
func sortedText(placement auth.Placement, clock words.Clock) string {
	if placement.LastUsed <= 0 {
		return "never used"
	}
	return "last used " + clock.Distance(placement.LastUsed)
}

// windowText describes a window: why, for which model, until when.
func windowText(window auth.Window, clock words.Clock) string {
	text := string(window.Reason)
	if text == "" {
		text = "cooldown"
	}
	if window.Model != "" {
		text += " on " + window.Model
	}
	return text + ", " + endText(window.Until, clock)
}

// endText says when a window ends.
func endText(until float64, clock words.Clock) string {
	if until > float64(clock.Now) {
		return "ends " + clock.When(until)
	}
	return "ended " + clock.When(until)
}

// note is a hint in words, as a JSON document holds it.
type note struct {
	Code     string           `json:"code"`
	Text     string           `json:"text"`
	Profiles []auth.ProfileID `json:"profiles,omitempty"`
}

func notesOf(hints []auth.Hint, provider string, profiles *auth.Profiles, clock words.Clock) []note {
	notes := make([]note, 0, len(hints))
	for _, hint := range hints {
		shown := make([]auth.ProfileID, len(hint.Profiles))
		for i, id := range hint.Profiles {
			shown[i] = shownID(id)
		}
		hint.Profiles = shown
		notes = append(notes, note{string(hint.Code), hintText(hint, provider, profiles, clock), shown})
	}
	return notes
}

// shownID is a profile id as it may be shown: one that holds a key is masked.
func shownID(id auth.ProfileID) auth.ProfileID { return auth.ProfileID(auth.MaskID(string(id))) }

func listOf(ids []auth.ProfileID) string { return words.List(ids, 0) }

// hintText is the wording of a hint.
func hintText(hint auth.Hint, provider string, profiles *auth.Profiles, clock words.Clock) string {
	ids, count := listOf(hint.Profiles), len(hint.Profiles)
	switch hint.Code {
	case auth.HintOrderHidden:
		return fmt.Sprintf("auth.order.%s of the configuration is not used: the agent's own order wins (clear that to use it)", hint.Key)
	case auth.HintOrderMissing:
		return fmt.Sprintf("the order lists %s, which %s not in the store: remove %s or log in again", ids, words.Plural(count, "is", "are"), words.Plural(count, "it", "them"))
	case auth.HintOrderUnlisted:
		return fmt.Sprintf("%s %s usable but left out: an order is a closed list, add what should rotate", ids, words.Plural(count, "is", "are"))
	case auth.HintOrderEmpty:
		return fmt.Sprintf("the order is an empty list, which turns %s off", provider)
	case auth.HintOrderDead:
		return fmt.Sprintf("the order matches nothing: %s %s not in the store. Stored profiles take over only where auth.profiles declares one for %s", ids, words.Plural(count, "is", "are"), provider)
	case auth.HintOrderRepaired:
		return fmt.Sprintf("store fallback: all listed ids are missing (%s), so the stored profiles are used instead", ids)
	case auth.HintModeMismatch:
		return modeText(hint, profiles)
	case auth.HintMarkerIgnored:
		return fmt.Sprintf("%s: a marker is present (%s %s) but ignored for this provider", ids, windowNames[auth.ProfileState(hint.Key)], endText(hint.Time, clock))
	case auth.HintWindowExpired:
		return fmt.Sprintf("%s: %s expired %s, not blocking", ids, windowNames[auth.ProfileState(hint.Key)], clock.When(hint.Time))
	case auth.HintNextFailure:
		return fmt.Sprintf("%s: %d earlier %s still %s, so the next failure starts at step %d", ids, hint.Count, words.Plural(hint.Count, "error", "errors"), words.Plural(hint.Count, "counts", "count"), hint.Count+1)
	case auth.HintOtherModel:
		return fmt.Sprintf("%s is blocked for %s only, %s", ids, hint.Key, endText(hint.Time, clock))
	case auth.HintBorrowedOrder:
		return fmt.Sprintf("%s has no order of its own: that of %s applies, with its own profiles added", provider, hint.Key)
	case auth.HintMixedTypes:
		return fmt.Sprintf("logins and API keys rotate here, so a login can look lost: fix one with `auth.order.%s` or pin it in the session (/model …@PROFILE)", provider)
	case auth.HintRecentFailure:
		return fmt.Sprintf("%s failed %s, after its last use, without a cooldown", ids, clock.When(hint.Time))
	case auth.HintLastGoodIgnored:
		return fmt.Sprintf("lastGood is %s; it is never used for the order", ids)
	}
	return string(hint.Code)
}

func modeText(hint auth.Hint, profiles *auth.Profiles) string {
	id := hint.Profiles[0]
	kind := profiles.Store.Profiles.Object(string(id)).Text("type")
	text := fmt.Sprintf("%s: auth.profiles says mode %q but the stored type is %q: set mode to %q", id, hint.Key, kind, kind)
	if kind == auth.TypeToken || kind == auth.TypeOAuth {
		text += " (mode \"oauth\" with a stored token is accepted too)"
	}
	return text
}

// windowNames are the windows in words.
var windowNames = map[auth.ProfileState]string{
	auth.StateCooling:  "cooldown",
	auth.StateBlocked:  "block",
	auth.StateDisabled: "disable",
}
