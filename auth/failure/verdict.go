package failure

// Match names the rule that decided.
type Match struct {
	// Group is the name of the pattern group or of the rule: "rate_limit",
	// "status", "code", "type", "hook" and so on.
	Group string
	// Pattern is the pattern, status, code or type that matched.
	Pattern string
}

// Verdict is all that a line makes of an error.
type Verdict struct {
	// Kind and Reason are the answer to the finished answer's signal; on lines
	// up to 2026.3.31, and when only a thrown value is given, they are the
	// thrown value's. Reason is ContextOverflow whenever Kind is, even where
	// the line has no such reason.
	Kind   Kind
	Reason Reason
	// Match is the rule behind Reason.
	Match Match
	// Raw is the class by message and provider alone, as the line gives it to
	// its callers: an overflow is none up to 2026.6.11.
	Raw Reason

	// Hook is the bundled provider plugin that owns the provider id ("" when
	// none does, and before 2026.8.2, where no plugin is ever asked), and
	// Hooked the reason with its say.
	Hook   string
	Hooked Reason

	// Overflow says that the message certainly reports a full context window,
	// OverflowLikely that it seems to.
	Overflow, OverflowLikely bool
	// OverCeiling says that the request alone exceeds a limit of tokens per
	// minute, which doesn't end a run. From 2026.8.2 on.
	OverCeiling bool

	// Coerced is the error that the fallback loop makes of the thrown value,
	// nil when it makes none.
	Coerced *Coerced
	// Described is what OpenClaw's log records say of the thrown value.
	Described Described
	// TimeoutError says that the thrown value is a time-out, by name or text.
	TimeoutError bool
	// AbortRethrow says that the thrown value is an abort which isn't a
	// time-out and has no class.
	AbortRethrow bool
}

// Coerced is OpenClaw's FailoverError.
type Coerced struct {
	Reason Reason
	// Status is the status found, else the reason's own; nil when there is
	// neither.
	Status *float64
	// Code is the code found, "" when none.
	Code string
	// Provider is the attempt's, else (from 2026.5.12 on) the one found.
	Provider string
	// Suspend says that the session is suspended; nil where the line has no
	// such flag (before 2026.5.12) or an error passed through that has none.
	Suspend *bool
}

// Described is the reason, status and code of a log record; zero fields are
// absent.
type Described struct {
	Reason Reason
	Status *float64
	Code   string
}

// Headline is the one reason to show: the hooked one where a plugin has a say,
// else the signal's.
func (v *Verdict) Headline() Reason {
	if v.Hook != "" {
		return v.Hooked
	}
	return v.Reason
}
