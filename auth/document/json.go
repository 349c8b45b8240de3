package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError is a document that can't be read, with the place where it goes wrong.
type SyntaxError struct {
	File         string
	Line, Column int // 1-based; the column counts bytes
	Message      string
	Err          error // the cause, where there is one
}

func (e *SyntaxError) Unwrap() error { return e.Err }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// ParseJSON reads a strict JSON document. Objects keep their order, numbers
// their text. A duplicate key, invalid UTF-8, a byte order mark or an empty
// file is a SyntaxError, as is anything after the value.
func ParseJSON(file string, data []byte) (Value, error) {
	// The library's own look-out for duplicate keys keeps a table for each
	// object. The objects know their keys; it is asked where something is wrong.
	r := tokens{Decoder: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
	value, err := r.value()
	if err != nil || r.duplicate {
		r.Decoder = jsontext.NewDecoder(bytes.NewBuffer(data))
		if value, err = r.value(); err != nil {
			return nil, DecodeError(file, data, r.Decoder, err)
		}
	}
	if rest := bytes.TrimLeft(data[r.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, errorAt(file, data, int64(len(data)-len(rest)), "unexpected text after the document")
	}
	return value, nil
}

// tokens makes values of a decoder's tokens.
type tokens struct {
	*jsontext.Decoder
	duplicate bool // a key came twice in an object; the last value counts
}

// ReadValue reads the next value of a decoder, which must accept duplicate
// names; of a duplicate key the last value counts.
func ReadValue(decoder *jsontext.Decoder) (Value, error) {
	return (&tokens{Decoder: decoder}).value()
}

func (r *tokens) value() (Value, error) {
	token, err := r.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindNull:
		return nil, nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	case jsontext.KindNumber:
		return json.Number(token.String()), nil
	case jsontext.KindString:
		return token.String(), nil
	case jsontext.KindBeginObject:
		return r.object()
	}
	return r.array()
}

func (r *tokens) object() (Value, error) {
	object := NewObject()
	for r.PeekKind() != jsontext.KindEndObject {
		name, err := r.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		before := object.Len()
		object.Set(key, value)
		r.duplicate = r.duplicate || object.Len() == before
	}
	_, err := r.ReadToken()
	return object, err
}

func (r *tokens) array() (Value, error) {
	list := []any{}
	for r.PeekKind() != jsontext.KindEndArray {
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := r.ReadToken()
	return list, err
}

// DecodeError places an error of a decoder in the text that it reads.
func DecodeError(file string, data []byte, decoder *jsontext.Decoder, err error) error {
	offset, message := decoder.InputOffset(), err.Error()
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, message = syntactic.ByteOffset, syntactic.Err.Error()
	}
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		message = "the file is empty"
	case bytes.HasPrefix(data, byteOrderMark):
		offset, message = 0, "starts with a byte order mark, which OpenClaw can't read here"
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset, message = int64(len(data)), "the file ends in the middle of the document"
	}
	placed := errorAt(file, data, offset, message)
	placed.Err = err
	return placed
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// errorAt places a message at a byte offset of a file.
func errorAt(file string, data []byte, offset int64, message string) *SyntaxError {
	line, column := position(data, offset)
	return &SyntaxError{File: file, Line: line, Column: column, Message: message}
}

// position turns a byte offset into a line and a column, both from 1.
func position(data []byte, offset int64) (line, column int) {
	before := data[:min(int(max(offset, 0)), len(data))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}
