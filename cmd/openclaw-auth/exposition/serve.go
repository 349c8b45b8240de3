package exposition

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"time"
)

// ContentType is that of the text format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

const (
	requestTime = 10 * time.Second // for a request to arrive, and for the answer to leave
	longestHead = 16 << 10         // bytes of a request's head
	most        = 32               // connections at a time
)

// Serve answers scrapes of /metrics until the context ends: one request a
// connection, one answer at a time. (net/http would cost every command of the
// program 0.4 ms at its start.) What collect writes is sent when all of it is
// there; its error is a 500.
func Serve(ctx context.Context, listener net.Listener, collect func(io.Writer) error) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	var answering sync.Mutex
	var running sync.WaitGroup
	defer running.Wait()
	slots := make(chan struct{}, most)
	for {
		connection, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			if temporary, ok := errors.AsType[net.Error](err); ok && temporary.Timeout() {
				continue
			}
			return err
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			defer connection.Close()
			_ = connection.SetDeadline(time.Now().Add(requestTime))
			answer(connection, &answering, collect)
		})
	}
}

// answer reads a request and answers it. An error of the connection ends it:
// there is nobody to tell.
func answer(connection net.Conn, answering *sync.Mutex, collect func(io.Writer) error) {
	in := textproto.NewReader(bufio.NewReader(io.LimitReader(connection, longestHead)))
	line, err := in.ReadLine()
	if err != nil {
		return
	}
	if _, err := in.ReadMIMEHeader(); err != nil {
		reply(connection, "400 Bad Request", "not a request\n", true)
		return
	}
	method, rest, _ := strings.Cut(line, " ")
	target, version, _ := strings.Cut(rest, " ")
	path, _, _ := strings.Cut(target, "?")
	switch {
	case !strings.HasPrefix(version, "HTTP/1."):
		reply(connection, "400 Bad Request", "not a request\n", true)
	case method != "GET" && method != "HEAD":
		reply(connection, "405 Method Not Allowed", "only GET and HEAD\n", true)
	case path == "/":
		reply(connection, "200 OK", "openclaw-auth: /metrics\n", method == "GET")
	case path != "/metrics":
		reply(connection, "404 Not Found", "there is only /metrics\n", method == "GET")
	default:
		answering.Lock()
		defer answering.Unlock()
		var body bytes.Buffer
		if err := collect(&body); err != nil {
			reply(connection, "500 Internal Server Error", "the state can't be read\n", method == "GET")
			return
		}
		reply(connection, "200 OK", body.String(), method == "GET")
	}
}

func reply(w io.Writer, status, body string, whole bool) {
	head := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", status, ContentType, len(body))
	if whole {
		head += body
	}
	_, _ = io.WriteString(w, head)
}
