package process

import "example.com/iprof/gather"

// eventDriven is the state of SetEventDriven.
type eventDriven struct {
	on    bool
	zones []gather.ZoneInfo // those of the program, with an idle root
}

// SetEventDriven chooses whether time outside zones is idle on the goroutine that calls Update, too. It starts off. A
// program that waits for events, such as one with a window of forms, switches it on and marks what handles an event:
//
//	iprof.Default().SetEventDriven(true)
//	for !window.ShouldClose() {
//		glfw.WaitEvents() // outside zones: idle by itself
//		handle()          // has zones
//		iprof.Update()
//	}
//
// A frame that lasted seconds because nothing happened is then within its budget. Frames before the call stay as they
// were. Any goroutine may call it.
func (s *Session) SetEventDriven(on bool) {
	s.change()
	defer s.mu.Unlock()
	if on == s.events.on {
		return
	}
	s.sums().EmptySeats() // seats know whether their zone is idle
	s.events = eventDriven{on: on}
}

// EventDriven reports whether SetEventDriven is on. Any goroutine may call it.
func (s *Session) EventDriven() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.events.on
}

// withRoot returns the zones of a frame. With SetEventDriven their root is idle.
func (s *store) withRoot(zones []gather.ZoneInfo) []gather.ZoneInfo {
	e := &s.events
	if !e.on || len(zones) == 0 {
		return zones
	}
	if len(zones) < len(e.zones) { // another program's
		e.zones = nil
	}
	if len(e.zones) == 0 { // once: reports that were returned go on reading the zones
		root := zones[0]
		root.Idle = true
		e.zones = append(e.zones, root)
	}
	e.zones = append(e.zones, zones[len(e.zones):]...)
	return e.zones
}
