package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"openclaw-auth/chain/history"
	"openclaw-auth/state/traces"
)

// openPastLogs prepares the logs: those that are named, or OpenClaw's own.
func (s *session) openPastLogs(p *past) error {
	if len(p.query.logs) > 0 {
		for _, name := range p.query.logs {
			if err := s.openNamedLog(p, name); err != nil {
				return err
			}
		}
		return nil
	}
	logs, searched := traces.Logs(s.home, s.config, p.query.since)
	groups := map[string][]traces.LogFile{}
	var order []string
	for _, log := range logs {
		if _, ok := groups[log.Group]; !ok {
			order = append(order, log.Group)
		}
		groups[log.Group] = append(groups[log.Group], log)
		p.size += log.Size
	}
	for _, group := range order {
		p.logs = append(p.logs, history.Stream{Read: s.logReader(p, groups[group])})
	}
	if len(logs) == 0 {
		p.notes = append(p.notes, "no log at "+strings.Join(searched, " or ")+": OpenClaw deletes default logs after 24 h")
	}
	return nil
}

// logReader reads a log with its rotated files, the oldest first.
func (s *session) logReader(p *past, files []traces.LogFile) func(func(*history.Event) bool) error {
	type opened struct {
		traces.LogFile
		index int
	}
	var list []opened
	for _, file := range files {
		list = append(list, opened{file, p.addLog(file.Path)})
	}
	return func(yield func(*history.Event) bool) error {
		for _, file := range list {
			reader, err := s.home.FS.Open(file.Path)
			if err != nil {
				p.errors = append(p.errors, oneLine(err.Error()))
				continue
			}
			more := true
			err = p.readLog(reader, file.index, file.Size, file.Modified, func(event *history.Event) bool { more = yield(event); return more })
			reader.Close()
			if err != nil {
				p.errors = append(p.errors, file.Path+": "+oneLine(err.Error()))
			}
			if !more {
				break
			}
		}
		return nil
	}
}

func (p *past) addLog(path string) int {
	p.sources = append(p.sources, &history.Source{Kind: history.SourceLog, Path: path})
	return len(p.sources) - 1
}

// openNamedLog prepares a log that --log names.
func (s *session) openNamedLog(p *past, name string) error {
	if name == "-" {
		index := p.addLog("standard input")
		p.logs = append(p.logs, history.Stream{Read: func(yield func(*history.Event) bool) error {
			return p.readLog(s.stdin, index, 0, s.now, yield)
		}})
		return nil
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "--log", Path: name, Err: errors.New("is a directory, expected a log file")}
	}
	if err != nil {
		return usage("%w", err)
	}
	index := p.addLog(filepath.Clean(name))
	p.size += info.Size()
	p.logs = append(p.logs, history.Stream{Read: func(yield func(*history.Event) bool) error {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		size := info.Size()
		if !info.Mode().IsRegular() {
			size = 0
		}
		return p.readLog(file, index, size, info.ModTime().UnixMilli(), yield)
	}})
	return nil
}

// readLog reads a log, from where --since may begin and up to where --until ends.
func (p *past) readLog(reader io.Reader, index int, size, modified int64, yield func(*history.Event) bool) error {
	source := p.sources[index]
	options := history.LogOptions{Source: index, Zone: p.query.zone, Before: modified}
	if at, ok := reader.(interface {
		io.ReaderAt
		io.Seeker
	}); ok && size > 0 && p.query.since != 0 {
		place := history.Find(at, size, p.query.since-day/24, options)
		if _, err := at.Seek(place, io.SeekStart); err != nil {
			return err
		}
		p.read += place
		source.Offset = place
	}
	return history.ReadLog(p.counting(reader), source, options, func(event *history.Event) bool {
		if p.query.since != 0 && event.At != 0 && event.At < p.query.since-day/24 {
			return true
		}
		if p.query.until != 0 && event.At > p.query.until+60_000 {
			return false
		}
		return yield(event)
	})
}

// counting shows on a terminal how much of the logs was read.
func (p *past) counting(reader io.Reader) io.Reader {
	if p.terminal == nil {
		return reader
	}
	return &countingReader{reader, p}
}

type countingReader struct {
	io.Reader
	past *past
}

// progressEvery is how often progress is shown.
const progressEvery = 300 * time.Millisecond

func (c *countingReader) Read(data []byte) (int, error) {
	n, err := c.Reader.Read(data)
	p := c.past
	p.read += int64(n)
	if now := time.Now(); p.shown.IsZero() {
		p.shown = now // nothing is shown of what is over at once
	} else if now.Sub(p.shown) > progressEvery {
		p.shown = now
		text := fmt.Sprintf("%d MB read", p.read>>20)
		if p.size > 0 {
			text = fmt.Sprintf("%d of %d MB read", p.read>>20, p.size>>20)
		}
		fmt.Fprintf(p.terminal, "\r%s\033[K", text)
	}
	return n, err
}
