package words

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Printf is fmt.Fprintf for formats of the program and arguments out of data:
// every argument that is a text, or prints as one, is made safe (see Escape), so
// that none can begin a line of its own or move the cursor. Only a Raw stays as it is.
func Printf(w io.Writer, format string, args ...any) (int, error) {
	for i, arg := range args {
		args[i] = safe(arg)
	}
	return fmt.Fprintf(w, format, args...)
}

// Println writes one text on one line, made safe.
func Println(w io.Writer, text string) { fmt.Fprintln(w, Escape(text)) }

// Raw is a text that is safe already, such as one with colours.
type Raw string

func safe(arg any) any {
	switch v := arg.(type) {
	case Raw:
		return string(v)
	case string:
		return MaskKeys(Escape(v))
	case error:
		return MaskKeys(Escape(v.Error()))
	case fmt.Stringer:
		return MaskKeys(Escape(v.String()))
	}
	if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
		return MaskKeys(Escape(v.String()))
	}
	return arg
}

// Quote makes an id a word that a script can read back: an id of letters, digits
// and signs stays as it is; any other, and one that begins with a quote, is a
// JSON string.
func Quote(id string) string {
	if id != "" && isPlain(id) && !strings.ContainsAny(id, " \"") {
		return id
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(id); {
		r, size := utf8.DecodeRuneInString(id[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\ufffd`)
		default:
			escapeRune(&b, r, id[i:i+size])
		}
		i += size
	}
	b.WriteByte('"')
	return b.String()
}

// Unquote is the id of a word that Quote made; any other word is itself.
func Unquote(word string) string {
	var id string
	if strings.HasPrefix(word, `"`) && json.Unmarshal([]byte(word), &id) == nil {
		return id
	}
	return word
}
