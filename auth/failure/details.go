package failure

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth/document"
)

// The bounds of what OpenClaw reads of a body.
const (
	maxDetails    = 12
	maxDetailSize = 1000
)

// detailKeys are the members of a body that are read, in this order.
var detailKeys = []string{"message", "param", "code", "type", "error", "detail", "body"}

// thrownDetails collects the texts of a thrown value's own bodies.
func thrownDetails(value any) []string {
	var d details
	properties := object(value)
	for _, name := range []string{"param", "errorBody", "body", "detail", "error"} {
		d.add(properties[name], 0)
	}
	return d.texts
}

// bodyDetails collects the texts of a decoded body or of one given as text.
func bodyDetails(body any) []string {
	var d details
	d.add(body, 0)
	return d.texts
}

type details struct{ texts []string }

// add takes in a value: texts, numbers and truths as they are, objects by
// their keys; lists say nothing. A text that is a JSON object counts as both.
func (d *details) add(value any, depth int) {
	if depth > maxSearchDepth || len(d.texts) >= maxDetails {
		return
	}
	switch value := value.(type) {
	case string:
		d.addText(value)
		if s := document.Trim(value); strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
			var decoded map[string]any
			if json.Unmarshal([]byte(s), &decoded) == nil {
				d.add(decoded, depth+1)
			}
		}
	case float64:
		d.addText(formatNumber(value))
	case bool:
		d.addText(strconv.FormatBool(value))
	case map[string]any:
		for _, key := range detailKeys {
			d.add(value[key], depth+1)
		}
	}
}

func (d *details) addText(s string) {
	s = document.Trim(cut(document.Trim(s), maxDetailSize))
	if s != "" && len(d.texts) < maxDetails && !slices.Contains(d.texts, s) {
		d.texts = append(d.texts, s)
	}
}
