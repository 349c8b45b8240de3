package chain

import (
	"fmt"
	"strings"
)

// pointer joins member names and positions to a JSON pointer.
func pointer(parts ...any) string {
	var b strings.Builder
	for _, part := range parts {
		text := fmt.Sprint(part)
		if strings.ContainsAny(text, "~/") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "~", "~0"), "/", "~1")
		}
		b.WriteByte('/')
		b.WriteString(text)
	}
	return b.String()
}

const (
	atDefaultModel = "/agents/defaults/model"
	atImageModel   = "/agents/defaults/imageModel"
	atModels       = "/agents/defaults/models"
	atProviders    = "/models/providers"
)
