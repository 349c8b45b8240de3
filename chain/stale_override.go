package chain

import (
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// isStaleHeartbeat reports whether a heartbeat ends the override: an automatic
// one whose origin is not what the agent's default is now.
func (s *selecting) isStaleHeartbeat(found stored) bool {
	m := s.m
	if !lines.Of(m.Rules).Selection.StaleHeartbeat || !s.query.Heartbeat || s.heartbeat || !m.isAuto(found.entry) || found.inherit {
		return false
	}
	entry := found.entry
	if text(entry, originModel) != "" {
		return !s.isDefault(s.origin(entry))
	}
	if selected := noticeModel(entry); selected != "" {
		if lines.Of(m.Rules).Selection.ByPair {
			return selected != s.fallback.String()
		}
		ref, ok := m.Parse(selected, s.fallback.Provider)
		return !ok || !s.isDefault(ref)
	}
	return !s.isDefault(found.ref)
}

// origin returns the model that a fallback replaced.
func (s *selecting) origin(entry *document.Object) Ref {
	provider, model := text(entry, originProvider), text(entry, originModel)
	if lines.Of(s.m.Rules).Selection.ByPair {
		if provider == "" {
			provider = s.fallback.Provider
		}
		return Ref{provider, model}
	}
	reference := model
	if provider != "" {
		reference = provider + "/" + model
	}
	origin, ok := s.m.Parse(reference, s.fallback.Provider)
	if !ok {
		origin = Ref{provider, model}
	}
	return origin
}

// noticeModel returns the model that the entry's last fallback notice named as selected.
func noticeModel(entry *document.Object) string {
	if notice := entry.Object("fallbackNotice"); notice != nil {
		return text(notice, "selectedModel")
	}
	return text(entry, "fallbackNoticeSelectedModel")
}

func (s *selecting) isDefault(ref Ref) bool { return s.m.sameModel(ref, s.fallback) }

// isOriginless reports whether the override is automatic but does not record
// what it replaced, as old releases left it.
func (s *selecting) isOriginless(entry *document.Object) bool {
	return lines.Of(s.m.Rules).Selection.StaleOriginless && entry.Text(overrideSource) == sourceAuto && !hasOrigin(entry)
}

// isCodexTwin reports whether the override is an automatic detour to the codex
// copy of the model that the agent runs by default.
func (s *selecting) isCodexTwin(found stored) bool {
	twin := lines.Of(s.m.Rules).Selection.CodexTwin
	return twin != "" && found.entry.Text(overrideSource) == sourceAuto &&
		found.ref.Provider == string(twin) && s.fallback.Provider == "openai" && found.ref.Model == s.fallback.Model
}
