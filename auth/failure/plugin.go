package failure

import "openclaw-auth/auth/document"

// Plugin is a bundled provider plugin's say in a classification. OpenClaw
// consults plugins from 2026.8.2 on; the published packages before look for
// them under a path that doesn't exist, so there no plugin ever answers.
type Plugin struct {
	// Name is the plugin's, Providers the provider ids that it owns.
	Name      string
	Providers []string
	// Answers are asked in order.
	Answers []PluginAnswer
}

// PluginAnswer is one rule of a plugin; exactly one of Group, Exact, Code and
// Type is set.
type PluginAnswer struct {
	// Group is a pattern group, Exact a trimmed text in its own case.
	Group, Exact string
	// Code is the signal's code in capitals.
	Code string
	// Type is the signal's type in capitals.
	Type string
	// Bare limits the answer to signals that come without status, code and
	// type.
	Bare bool
	// Reason is the answer.
	Reason Reason
}

// pluginOf returns the plugin that owns the provider id.
func (r *Rules) pluginOf(provider string) *Plugin {
	id := document.Lower(document.Trim(provider))
	if id == "" {
		return nil
	}
	for i := range r.Plugins {
		for _, owned := range r.Plugins[i].Providers {
			if owned == id {
				return &r.Plugins[i]
			}
		}
	}
	return nil
}

// consults reports whether the plugin is asked: when the signal has structure,
// when the text may be about tokens, or when nothing else knows the message.
func (r *Rules) consults(s *resolution, own class) bool {
	structured := s.explicit || s.code != "" || s.typ != ""
	if !structured && s.known && s.provider != "" {
		structured = s.status == 401 || s.status == 403 || s.status == 429
	}
	return structured || !own.ok() || r.overflowGate(s.message.text)
}

func (r *Rules) askPlugin(plugin *Plugin, s *resolution) class {
	for i := range plugin.Answers {
		if c := plugin.Answers[i].ask(s); c.ok() {
			c.match.Group = "plugin " + plugin.Name + ": " + c.match.Group
			return c
		}
	}
	return class{}
}

func (a *PluginAnswer) ask(s *resolution) class {
	if a.Bare && (s.explicit || s.code != "" || s.typ != "") {
		return class{}
	}
	code := upperTrim(s.code)
	switch {
	case a.Group != "":
		return s.message.class(a.Group, a.Reason)
	case a.Exact != "" && a.Exact == document.Trim(s.message.rawText()):
		return class{reason: a.Reason, match: Match{"exact", a.Exact}}
	case a.Code != "" && a.Code == code:
		return class{reason: a.Reason, match: Match{"code", code}}
	case a.Type != "" && a.Type == upperTrim(s.typ):
		return class{reason: a.Reason, match: Match{"type", a.Type}}
	}
	return class{}
}
