package failure

import (
	"encoding/json"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
)

// payload is what a message that is an error object in JSON says of itself.
type payload struct {
	typ  string // error.type, else error.code, else the error itself, else the outer type
	code string // error.code, else the outer code
}

// payloadPrefix is what SDKs put in front of the JSON.
var payloadPrefix = sync.OnceValue(func() func(string) string {
	re := compile(`(?i)^(?:error|(?:[a-z][\w-]*\s+)?api\s*error|openai\s*error|anthropic\s*error|gateway\s*error|codex\s*error)(?:\s+\d{3})?[:\s-]+`)
	return func(s string) string {
		if at := re.FindStringIndex(s); at != nil {
			return document.Trim(s[at[1]:])
		}
		return s
	}
})

// payloadOf reads the message's JSON, once. The zero payload stands for none.
func (r *Rules) payloadOf(t *text) payload {
	if t == nil {
		return payload{}
	}
	if t.payload == nil {
		read := r.readPayload(document.Trim(t.raw))
		t.payload = &read
	}
	return *t.payload
}

func (r *Rules) readPayload(message string) payload {
	object, ok := r.errorObject(r.withoutPayloadStatus(message))
	if !ok {
		return payload{}
	}
	for range r.AttemptDepth {
		inner, ok := lastAttempt(object)
		if !ok {
			break
		}
		object = inner
	}
	return object.payload()
}

// withoutPayloadStatus drops the status in front of a message's JSON: where
// the line reads it as any leading status is read, else only bare digits and
// white space.
func (r *Rules) withoutPayloadStatus(message string) string {
	if r.PayloadStatusAsLead {
		if _, rest, ok := r.lead(message); ok && rest != "" {
			return rest
		}
		return message
	}
	status, rest, ok := takeDigits(message)
	if !ok || !startsWithSpace(rest) || document.Trim(rest) == "" || !r.leadInRange(status) {
		return message
	}
	return document.Trim(rest)
}

// errorObject finds the object in the text as it is, else behind an SDK's
// prefix.
func (r *Rules) errorObject(message string) (errorObject, bool) {
	if strings.HasPrefix(message, "{") {
		return parseErrorObject(message)
	}
	if !strings.HasSuffix(message, "}") {
		return errorObject{}, false
	}
	return parseErrorObject(payloadPrefix()(message))
}

// errorObject holds the raw members of an object that describes an error.
type errorObject struct {
	typ, code, failure, message, requestID, requestIDCamel, attempts string
	inner                                                            *errorObject // the error, when it is an object
}

// parseErrorObject reads text as an error object: one that is of type "error",
// carries a request id, holds an error object that says something, or has both
// an error and a message as strings.
func parseErrorObject(text string) (errorObject, bool) {
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") || !json.Valid([]byte(text)) {
		return errorObject{}, false
	}
	object := readErrorObject(text)
	return object, object.isError()
}

// readErrorObject reads an object and the error object in it, but none deeper.
func readErrorObject(text string) errorObject {
	o := readMembers(text)
	if strings.HasPrefix(o.failure, "{") {
		inner := readMembers(o.failure)
		o.inner = &inner
	}
	return o
}

func readMembers(text string) errorObject {
	var o errorObject
	fields := map[string]*string{
		"type": &o.typ, "code": &o.code, "error": &o.failure, "message": &o.message,
		"request_id": &o.requestID, "requestId": &o.requestIDCamel, "attempts": &o.attempts,
	}
	members(text, func(key, value string) {
		if field := fields[key]; field != nil {
			*field = value
		}
	})
	return o
}

func (o *errorObject) isError() bool {
	if typ, _ := stringValue(o.typ); typ == "error" {
		return true
	}
	if isString(o.requestID) || isString(o.requestIDCamel) {
		return true
	}
	if o.inner != nil {
		return isString(o.inner.message) || isString(o.inner.typ) || isString(o.inner.code)
	}
	return isString(o.failure) && isString(o.message)
}

func isString(value string) bool { return strings.HasPrefix(value, `"`) }

// payload reads type and code. An empty text in the inner error keeps the outer
// one from being read (asked of 2026.9.6).
func (o *errorObject) payload() payload {
	inner := errorObject{typ: o.failure}
	if o.inner != nil {
		inner = *o.inner
	}
	var p payload
	p.typ, _ = stringValue(o.typ)
	if isString(inner.typ) || isString(inner.code) {
		p.typ = firstText(inner.typ, inner.code)
	}
	p.code, _ = stringValue(o.code)
	if isString(inner.code) {
		p.code, _ = stringValue(inner.code)
	}
	return p
}

// firstText returns the first value that is a string and not empty.
func firstText(values ...string) string {
	for _, value := range values {
		if text, _ := stringValue(value); text != "" {
			return text
		}
	}
	return ""
}

// lastAttempt descends into the last of the attempts that a gateway reports
// inside its own error, when that attempt holds an error object.
func lastAttempt(o errorObject) (errorObject, bool) {
	if o.inner == nil {
		return errorObject{}, false
	}
	details := ""
	if last := lastElement(o.inner.attempts); strings.HasPrefix(last, "{") {
		members(last, func(key, value string) {
			if key == "details" {
				details = value
			}
		})
	}
	if !strings.HasPrefix(details, "{") {
		return errorObject{}, false
	}
	inner := readErrorObject(details)
	return inner, inner.isError()
}
