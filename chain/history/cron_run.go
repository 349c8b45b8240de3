package history

import "strings"

// sameMoment is how far apart two tables' times of one run of a cron job may lie.
const sameMoment = 2000

// cron takes the row of a cron job's run. It waits a moment for another table's
// row of the same run, which may name the session.
func (s *Story) cron(event *Event) {
	last := &s.cronRow
	if last.Kind != EventNone && last.Source != event.Source && last.Failed == event.Failed && event.At-last.At <= sameMoment &&
		(last.Agent == event.Agent || last.Agent == "" || event.Agent == "") {
		if last.Session == "" && (event.Session != "" || last.SessionKey == "") {
			run := last.Run
			*last = *event
			if last.Run == "" {
				last.Run = run
			}
		}
		return
	}
	s.flushCron()
	s.cronRow = *event
}

// flushCron gives the row that waits to the run that it is about, or makes a run
// of it where no other source has that run.
func (s *Story) flushCron() {
	event := s.cronRow
	if event.Kind == EventNone {
		return
	}
	s.cronRow = Event{}
	if t := s.cronTalk(&event); t != nil {
		if t.turn != nil {
			t.turn.events = append(t.turn.events, event)
		} else {
			t.lastRun.Cron = true
		}
		return
	}
	t := &talk{session: event.Session, key: event.SessionKey, agent: event.Agent}
	t.open(s, &event)
	t.turn.known = true
	t.turn.add(&event)
	t.end(s, 0)
	t.flush(s, event.At)
}

// cronTalk finds the conversation of a cron job's run: by its session, or by the
// job, which both the run's id (cron:JOB:TIME) and the session's key
// (…:cron:JOB:run:ID) name.
func (s *Story) cronTalk(event *Event) *talk {
	if t := s.talks[event.Session]; t != nil && event.Session != "" && (t.turn != nil || t.lastRun != nil) {
		return t
	}
	job, found := strings.CutPrefix(event.Run, "cron:")
	job, _, _ = strings.Cut(job, ":")
	if !found || job == "" {
		return nil
	}
	var best *talk
	for _, t := range s.talks {
		if (t.turn == nil && t.lastRun == nil) || !strings.Contains(t.key, ":cron:"+job+":") || distance(t.lastAt(), event.At) > silence {
			continue
		}
		if best == nil || distance(t.lastAt(), event.At) < distance(best.lastAt(), event.At) {
			best = t
		}
	}
	return best
}
