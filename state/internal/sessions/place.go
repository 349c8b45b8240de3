package sessions

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
)

// SyntaxError places an error of a file that is read as a stream: the lines
// before it are counted in a second pass, because the text is no longer at hand.
func SyntaxError(files disk.FS, path string, decoder *jsontext.Decoder, err error) error {
	offset, message := decoder.InputOffset(), err.Error()
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, message = syntactic.ByteOffset, syntactic.Err.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the file ends in the middle of the document"
	}
	placed := &document.SyntaxError{File: path, Line: 1, Column: 1, Message: message, Err: err}
	file, openErr := files.Open(path)
	if openErr != nil {
		return placed
	}
	defer file.Close()
	placed.Line, placed.Column = countLines(io.LimitReader(file, offset))
	return placed
}

// countLines returns the line and column behind the end of a text, from 1.
func countLines(text io.Reader) (line, column int) {
	line, column = 1, 1
	buffer := make([]byte, 64<<10)
	for {
		n, err := text.Read(buffer)
		chunk := buffer[:n]
		if newlines := bytes.Count(chunk, []byte("\n")); newlines > 0 {
			line += newlines
			column = n - bytes.LastIndexByte(chunk, '\n')
		} else {
			column += n
		}
		if err != nil {
			return line, column
		}
	}
}
