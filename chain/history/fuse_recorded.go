package history

// chainStep takes a step of the fallback chain that a trajectory recorded.
func (f *fuser) chainStep(event *Event) {
	for i := range f.steps {
		step := &f.steps[i]
		if step.Ref != event.Ref && !(event.Code == "succeeded" && step.Kind == StepAnswered) || step.At-event.At > 5000 || event.At-step.At > 5000 {
			continue
		}
		switch step.Kind {
		case StepSkip, StepFallback, StepNotSent, StepExhausted, StepAnswered:
			step.Evidence = append(step.Evidence, Evidence{event.Source, event.Line})
			return
		}
	}
	if event.Code == "succeeded" {
		answer := *event
		answer.Ref = event.Next
		if !answer.Ref.IsZero() {
			f.answers = append(f.answers, answer)
		}
		return
	}
	copied := *event
	copied.Kind = EventCandidateFailed
	if isSkipText(event.Detail) {
		copied.Kind = EventSkip
	}
	f.recordedDecision(&copied)
}

// recordedDecision is a decision that only a trajectory tells.
func (f *fuser) recordedDecision(event *Event) {
	from := len(f.steps)
	f.decision(event)
	for i := from; i < len(f.steps); i++ {
		f.steps[i].Certainty = Recorded
	}
}

func (f *fuser) cron(event *Event) {
	switch {
	case event.Failed:
		f.exhausted = true
		f.steps = append(f.steps, f.step(event, StepExhausted))
	case event.Code == "ok" && !event.Ref.IsZero():
		f.answers = append(f.answers, *event)
	}
}
