package auth

import (
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// FirstWindow returns the window that a profile's first failure of a reason
// opens under the defaults; Until is its length in ms. It is nil where the
// failure is not recorded, as with a provider whose windows are ignored.
func (r *Rules) FirstWindow(reason failure.Reason, provider string) *Window {
	return (&Profiles{Rules: r}).FirstWindow(reason, provider)
}

// FirstWindow returns the window that a profile's first failure of a reason
// opens under the configuration, as Rules.FirstWindow does under the defaults.
func (p *Profiles) FirstWindow(reason failure.Reason, provider string) *Window {
	const id = "x:x"
	credential := document.NewObject()
	credential.Set("type", TypeAPIKey)
	credential.Set("provider", provider)
	store := &Store{Profiles: document.NewObject()}
	store.Profiles.Set(id, credential)
	profiles := &Profiles{Rules: p.Rules, Config: p.Config, Store: store}
	model := "model"
	transition := profiles.Fail(Failure{Profile: id, Reason: reason, Model: &model, Now: 0})
	if transition.Ignored != "" {
		return nil
	}
	if windows := p.Rules.Windows.List(transition.Stats, 0); len(windows) > 0 {
		return &windows[0]
	}
	return nil
}
