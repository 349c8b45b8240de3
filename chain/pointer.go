package chain

import (
	"fmt"
	"strings"
)

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer joins member names and positions to a JSON pointer.
func pointer(parts ...any) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(fmt.Sprint(part)))
	}
	return b.String()
}

const (
	atDefaultModel = "/agents/defaults/model"
	atImageModel   = "/agents/defaults/imageModel"
	atModels       = "/agents/defaults/models"
	atProviders    = "/models/providers"
)
