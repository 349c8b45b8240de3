package fullscreen

// listen does nothing: Windows does not signal a resize; the next frame picks up the new size.
func (s *Screen) listen() (stop func()) { return func() {} }

// stopSelf does nothing: there are no stopped programs.
func stopSelf() {}
