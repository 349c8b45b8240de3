package fullscreen

// listen does nothing: Windows tells of no new size; the next frame sees it.
func (s *Screen) listen() (stop func()) { return func() {} }

// stopSelf does nothing: there are no stopped programs.
func stopSelf() {}
