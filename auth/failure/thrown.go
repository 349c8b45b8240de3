package failure

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
)

// maxSearchDepth bounds the search for a property, for which OpenClaw follows
// error and cause without end.
const maxSearchDepth = 1000

// object returns the properties of a thrown value, nil for a plain text or
// number. A nil map reads as one without any property.
func object(value any) map[string]any {
	properties, _ := value.(map[string]any)
	return properties
}

// search looks a property up in the value, else in its error, else in its
// cause, as far as the line descends.
func search[T any](r *Rules, value any, read func(any) (T, bool)) (T, bool) {
	return searchTo(r, value, read, 0)
}

func searchTo[T any](r *Rules, value any, read func(any) (T, bool), depth int) (T, bool) {
	if found, ok := read(value); ok {
		return found, true
	}
	var none T
	properties := object(value)
	if !r.SearchNested || properties == nil || depth >= maxSearchDepth {
		return none, false
	}
	for _, name := range []string{"error", "cause"} {
		if inner := properties[name]; inner != nil {
			if found, ok := searchTo(r, inner, read, depth+1); ok {
				return found, true
			}
		}
	}
	return none, false
}

// thrownMessage reads a value's own message; an empty one counts as none.
func thrownMessage(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, value != ""
	case float64:
		return formatNumber(value), true
	case bool:
		return strconv.FormatBool(value), true
	}
	text, _ := object(value)["message"].(string)
	return text, text != ""
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// thrownStatus reads status, else statusCode: a number as it is, a text of
// digits as the line reads those.
func (r *Rules) thrownStatus(value any) (float64, bool) {
	properties := object(value)
	status := properties["status"]
	if status == nil {
		status = properties["statusCode"]
	}
	switch status := status.(type) {
	case float64:
		return status, true
	case string:
		return r.statusText(status)
	}
	return 0, false
}

// statusText reads a status given as text: digits alone, and from 2026.5.28 on
// with white space and a sign around them.
func (r *Rules) statusText(s string) (float64, bool) {
	negative := false
	if r.StatusTextTrimmed {
		s = document.Trim(s)
		negative = strings.HasPrefix(s, "-")
		if negative || strings.HasPrefix(s, "+") {
			s = s[1:]
		}
	}
	if !isDigits(s) {
		return 0, false
	}
	status, err := strconv.ParseFloat(s, 64)
	return status, err == nil && (!negative || status == 0) && (!r.StatusTextTrimmed || status <= 1<<53-1)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// thrownCode reads code, else what the line takes for one: detail.code, or a
// status that is a word.
func (r *Rules) thrownCode(value any) (string, bool) {
	properties := object(value)
	if code, ok := properties["code"].(string); ok {
		code = document.Trim(code)
		return code, code != ""
	}
	if r.DetailCode {
		if code, _ := object(properties["detail"])["code"].(string); document.Trim(code) != "" {
			return document.Trim(code), true
		}
	}
	if r.StatusWordIsCode {
		if word, _ := properties["status"].(string); !isDigits(word) && document.Trim(word) != "" {
			return document.Trim(word), true
		}
	}
	return "", false
}

func thrownProvider(value any) (string, bool) {
	provider, _ := object(value)["provider"].(string)
	return document.Trim(provider), document.Trim(provider) != ""
}

var typeShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z0-9_:-]*$`) })

// isCommonType tells the types of SDK classes, which say nothing more than the
// status does.
func isCommonType(typ string) bool {
	switch strings.ToLower(typ) {
	case "api_error", "authentication_error", "invalid_request_error", "not_found_error",
		"overloaded_error", "permission_error", "rate_limit_error", "server_error":
		return true
	}
	return false
}

// thrownType reads errorType, else detail.type, else type: the first that is a
// text, which counts when it is symbolic and in capitals.
func thrownType(value any) (string, bool) {
	properties := object(value)
	for _, candidate := range []any{properties["errorType"], object(properties["detail"])["type"], properties["type"]} {
		if typ, ok := candidate.(string); ok {
			typ = document.Trim(typ)
			return typ, typeShape().MatchString(typ) && !isCommonType(typ)
		}
	}
	return "", false
}

// thrownName reads the name of an Error's class.
func thrownName(value any) string {
	name, _ := object(value)["name"].(string)
	return name
}

// isFinite reports whether a number can be a status.
func isFinite(n float64) bool { return !math.IsNaN(n) && !math.IsInf(n, 0) }
