package process

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// The profiler measures its own work with zones, too.
var (
	updateZone  = gather.Zone{Name: "iprof update"}
	betweenZone = gather.Zone{Name: "(between frames)", Idle: true}
)

// Update ends a frame and begins the next. It collects from package gather what all lanes have measured since the last
// call. The new frame begins with Update's first instruction, so the cost of Update belongs to the new frame. Any
// goroutine may call it.
func (s *Session) Update() {
	if !measures(s) { // all frames come from a replay
		return
	}
	s.cut(true)
}

// frameGap is the time from EndFrame to BeginFrame, in the zone "(between frames)".
type frameGap struct {
	scope gather.Scope
	lane  report.LaneID // of the goroutine that began it
}

// open begins the gap, unless it has begun.
func (g *frameGap) open() {
	if g.scope == (gather.Scope{}) {
		g.scope, g.lane = betweenZone.Begin(), measure.OwnLane()
	}
}

// close ends the gap, if there is one. The program may have changed to Update, or to another goroutine.
func (g *frameGap) close() {
	switch {
	case g.scope == gather.Scope{}:
		return
	case measure.OwnLane() == g.lane:
		g.scope.End()
	default:
		measure.EndElsewhere(g.scope)
	}
	g.scope = gather.Scope{}
}

// cut ends the frame now, and the gap between frames if close is set.
func (s *Session) cut(close bool) {
	if !s.frames.front.cut(s, close) || measure.Watched() {
		s.mu.tryTake(s)
		return
	}
	defer measure.EndUpdate(updateZone.Begin())
	s.mu.tryTake(s)
}

// cut collects a frame and adds it to the waiting frames. It reports false if there is no room.
func (f *front) cut(s *Session, close bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if close {
		f.gap.close()
	}
	if f.frames.isFull() {
		f.joined.Add(1)
		return false
	}
	w := f.frames.next()
	f.collect(&w.Frame)
	f.outside = false
	recording := gather.Recording()
	if f.set == nil {
		f.heart.frame(s, &w.Frame, recording)
	}
	f.push(w, recording, false)
	s.mu.ended.Store(true)
	return true
}

// BeginFrame ends the gap between frames and gives a label to the frame that EndFrame will end. The label is copied,
// and cut to 1,024 bytes. Both calls belong on the same goroutine. Its time between EndFrame and BeginFrame belongs to
// the idle zone "(between frames)"; in a set of Frames it belongs to no frame. A second BeginFrame begins anew there.
func (s *Session) BeginFrame(label string) {
	if !measures(s) { // all frames come from a replay
		return
	}
	f := &s.frames.front
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin()
	if label != f.lastLabel {
		f.lastLabel = measure.CopyName(label)
	}
	f.label = f.lastLabel
}

// EndFrame ends the frame that BeginFrame began, and begins a gap between frames.
func (s *Session) EndFrame() {
	if !measures(s) { // all frames come from a replay
		return
	}
	s.cut(false)
	f := &s.frames.front
	f.mu.Lock()
	defer f.mu.Unlock()
	f.label = ""
	f.leave()
}

// SetEventDriven chooses whether time outside zones is idle also on the goroutine that calls Update. It starts off. A
// program that waits for events, such as one with a window of forms, switches it on and puts a zone around each event
// handler:
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
	s.frames.setEventDriven(on)
	s.frames.useSettings()
	s.store.FindKind()
}

func (in *intake) setEventDriven(on bool) {
	if on != in.store.Events.On {
		in.store.Sums().EmptySeats() // seats know whether their zone is idle
		in.store.Events = store.EventDriven{On: on}
	}
}

// settings change the meaning of a frame's numbers. Frames carry them to captures and other sessions.
type settings struct {
	budgets []gather.ZoneBudget // of the session
	frame   frameSettings       // by the newest frame of another program
}

// frameSettings are the settings that a frame carries.
type frameSettings struct {
	eventDriven bool
	budgets     []gather.ZoneBudget
}

// useSettings gives the session's settings to the frames of the running program that end from now on.
func (in *intake) useSettings() { in.front.use(frameSettings{in.store.Events.On, in.settings.budgets}) }

// followEvents takes over SetEventDriven from another program's frame if it has changed.
func (in *intake) followEvents(f *gather.Frame) {
	if t := &in.settings.frame; f.EventDriven != t.eventDriven {
		t.eventDriven = f.EventDriven
		in.setEventDriven(f.EventDriven)
		in.useSettings()
	}
}

// followBudgets takes over the budgets of zones in the same way.
func (in *intake) followBudgets(f *gather.Frame) {
	t := &in.settings.frame
	if slices.Equal(f.Budgets, t.budgets) {
		return
	}
	t.budgets, in.store.ZoneBudgets = slices.Clone(f.Budgets), nil
	for _, b := range f.Budgets {
		if b.Zone >= 0 && int(b.Zone) < len(f.Zones) && b.Budget > 0 {
			in.store.ZoneBudgets.Set(b.Zone, b.Budget)
		}
	}
	in.settings.budgets = in.store.ZoneBudgets.List()
	in.useSettings()
}

// EventDriven reports whether SetEventDriven is on. Any goroutine may call it.
func (s *Session) EventDriven() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Events.On
}

// withRoot returns the zones of a frame. With SetEventDriven their root is idle.
func (in *intake) withRoot(zones []gather.ZoneInfo) []gather.ZoneInfo {
	e := &in.store.Events
	if !e.On || len(zones) == 0 {
		return zones
	}
	if len(e.Zones) == 0 { // once: reports that were returned go on reading the zones
		root := zones[0]
		root.Idle = true
		e.Zones = append(e.Zones, root)
	}
	e.Zones = append(e.Zones, zones[len(e.Zones):]...)
	return e.Zones
}
