package history

import "io"

// ReadCron finds the finished runs of a cron job in its run log.
func ReadCron(r io.Reader, source *Source, talk Talk, yield func(*Event) bool) error {
	return scanRecords(r, source, &cronReader{talk, texts{}, details{}}, yield)
}

// CronRow reads one run of a cron job that a database holds as JSON; false: the
// row is unreadable.
func CronRow(row []byte, seq int64, source *Source, talk Talk, yield func(*Event) bool) bool {
	return readRow(&cronReader{talk, texts{}, details{}}, row, seq, source, yield)
}

type cronReader struct {
	talk    Talk
	texts   texts
	details details
}

func (c *cronReader) read(line []byte, number int64, events []Event) ([]Event, bool) {
	s := skimmer{data: line}
	if !s.begin() || line[len(line)-1] != '}' {
		return events, false
	}
	event := Event{Line: number, Source: c.talk.Source, Agent: c.talk.Agent, Kind: EventCron}
	var action []byte
	for {
		key, more, ok := s.next()
		if !ok {
			return events, false
		}
		if !more {
			break
		}
		raw, ok := s.value()
		if !ok {
			return events, false
		}
		switch string(key) {
		case "ts":
			event.At = numberOf(raw)
		case "action":
			action = unquoted(raw)
		case "status":
			event.Code = c.texts.keep(unquoted(raw))
			event.Failed = event.Code == "error"
		case "error":
			event.Detail = c.details.keep(unquoted(raw))
		case "sessionId":
			event.Session = c.texts.keep(unquoted(raw))
		case "sessionKey":
			event.SessionKey = c.texts.keep(unquoted(raw))
		case "provider":
			event.Ref.Provider = c.texts.keep(unquoted(raw))
		case "model":
			event.Ref.Model = c.texts.keep(unquoted(raw))
		}
	}
	if action != nil && string(action) != "finished" {
		return events, true
	}
	return append(events, event), true
}

func (c *cronReader) when([]byte) int64 { return 0 }
