package chain

import "openclaw-auth/auth"

// DecisionKind is what a decision record tells about a candidate.
type DecisionKind string

// The kinds, as OpenClaw logs them.
const (
	DecisionSkip    DecisionKind = "skip_candidate"
	DecisionProbe   DecisionKind = "probe_cooldown_candidate"
	DecisionFailed  DecisionKind = "candidate_failed"
	DecisionSuccess DecisionKind = "candidate_succeeded"
)

// DecisionRecord is one model_fallback_decision of OpenClaw's structured log.
// The fallbackStep fields are there on lines that report steps (2026.4.29+).
type DecisionRecord struct {
	Event    string       `json:"event"`
	Decision DecisionKind `json:"decision"`

	RequestedProvider string `json:"requestedProvider"`
	RequestedModel    string `json:"requestedModel"`
	CandidateProvider string `json:"candidateProvider"`
	CandidateModel    string `json:"candidateModel"`
	Attempt           int    `json:"attempt"` // place in the chain, from 1
	Total             int    `json:"total"`

	Reason auth.Reason `json:"reason,omitempty"`
	Status float64     `json:"status,omitempty"`
	Code   string      `json:"code,omitempty"`

	StepType     string      `json:"fallbackStepType,omitempty"`
	StepFrom     string      `json:"fallbackStepFromModel,omitempty"`
	StepTo       string      `json:"fallbackStepToModel,omitempty"`
	StepReason   auth.Reason `json:"fallbackStepFromFailureReason,omitempty"`
	StepDetail   string      `json:"fallbackStepFromFailureDetail,omitempty"`
	StepPosition int         `json:"fallbackStepChainPosition,omitempty"`
	StepFinal    StepOutcome `json:"fallbackStepFinalOutcome,omitempty"`
	NextProvider string      `json:"nextCandidateProvider,omitempty"`
	NextModel    string      `json:"nextCandidateModel,omitempty"`
	IsPrimary    bool        `json:"isPrimary"`
	AllowsProbe  bool        `json:"allowTransientCooldownProbe,omitempty"`
	ProfileCount int         `json:"profileCount,omitempty"`
	HasFallbacks bool        `json:"fallbackConfigured"`
}

// Decisions lists the records that OpenClaw logs for a run, in sequence. A
// probe is announced before it is made; a success is logged only after an
// attempt that failed.
func (r *WalkResult) Decisions(rules *auth.Rules) []DecisionRecord {
	var records []DecisionRecord
	steps := r.Steps
	for _, record := range r.Records {
		if record.Decision.Action == Probe {
			records = append(records, r.decision(DecisionProbe, record))
		}
		kind := DecisionFailed
		if record.Skipped {
			kind = DecisionSkip
		}
		decision := r.decision(kind, record)
		if len(steps) > 0 {
			decision.step(steps[0], record.Error)
			steps = steps[1:]
		}
		records = append(records, decision)
	}
	if r.Winner == nil || len(r.Records) == 0 {
		return records
	}
	last := r.Records[len(r.Records)-1]
	won := DecisionRecord{Decision: DecisionSuccess, CandidateProvider: r.Winner.Provider, CandidateModel: r.Winner.Model}
	if len(steps) > 0 {
		won.step(steps[0], last.Error)
		won.Attempt = steps[0].Position
	}
	r.complete(&won)
	return append(records, won)
}

func (r *WalkResult) decision(kind DecisionKind, record Record) DecisionRecord {
	decision := DecisionRecord{
		Decision: kind, CandidateProvider: record.Provider, CandidateModel: record.Model, Attempt: record.Index + 1,
		Reason: record.Reason, Status: record.Status, Code: record.Code, IsPrimary: record.Index == 0,
		AllowsProbe:  record.Decision.Action == Probe,
		ProfileCount: len(record.Decision.Ordering.Order),
	}
	if !record.Classified {
		decision.Reason = ""
	}
	if kind == DecisionProbe {
		decision.Reason, decision.Status, decision.Code = record.Decision.Reason, 0, ""
	}
	if i := record.Index + 1; i < len(r.Candidates) {
		decision.NextProvider, decision.NextModel = r.Candidates[i].Provider, r.Candidates[i].Model
	}
	r.complete(&decision)
	return decision
}

func (r *WalkResult) complete(decision *DecisionRecord) {
	decision.Event = "model_fallback_decision"
	decision.Total = len(r.Candidates)
	decision.HasFallbacks = len(r.Candidates) > 1
	if len(r.Candidates) > 0 {
		decision.RequestedProvider, decision.RequestedModel = r.Candidates[0].Provider, r.Candidates[0].Model
	}
}

func (d *DecisionRecord) step(step Step, detail string) {
	d.StepType = "fallback_step"
	d.StepFrom, d.StepReason, d.StepDetail = step.From.String(), step.Reason, detail
	d.StepPosition, d.StepFinal = step.Position, step.Outcome
	if step.To != nil {
		d.StepTo = step.To.String()
	}
}
