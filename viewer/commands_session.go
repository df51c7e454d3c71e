package viewer

import "example.com/iprof/process"

const (
	pageRows = 10
	farAway  = 1 << 30 // an age that SetFrame clamps to the oldest
)

// moveCursor moves the cursor in the order of the rows on the screen, which may be sorted and filtered.
func moveCursor(rows int) action {
	return func(s *process.Session, p *Panel) {
		if record := p.step(s.View(), rows); record >= 0 {
			s.SetCursor(record)
			return
		}
		s.MoveCursor(rows)
	}
}

// selectRecord opens the zone under the cursor. If a verdict blames that zone, call structure and timeline go to it,
// too. In the live view it goes to the verdict as long as the user has chosen no row.
func selectRecord(s *process.Session, p *Panel) {
	if p.State().CursorFolded {
		p.toggleFold(-1)
		return
	}
	var report process.Report
	s.AppendReport(&report)
	r, v := report.CursorRecord(), &report.Verdict
	switch {
	case r == nil || !v.Found():
	case report.Frame.Live && !s.CursorChosen():
		showVerdict(s, p)
		return
	case !report.Frame.Live && r.Zone == v.Target().Zone:
		p.showCause()
	}
	s.Select()
}

func selectParent(s *process.Session, _ *Panel) { s.SelectParent() }

// moveFrame shows an older or newer frame. It pauses first, so that the frame stays.
func moveFrame(frames int) action {
	return func(s *process.Session, _ *Panel) {
		s.Pause()
		s.MoveFrame(frames)
	}
}

func moveOver(direction int) action {
	return func(s *process.Session, _ *Panel) {
		s.Pause()
		s.MoveToOverBudget(direction)
	}
}

// showVerdict shows the frame of the verdict, and brings the zone of its main cause into sight: row, bar and scope.
func showVerdict(s *process.Session, p *Panel) {
	var v process.Verdict
	if !s.ShowVerdict(&v) {
		p.Note("nothing unusual")
		return
	}
	p.showCause()
}

func oldestFrame(s *process.Session, _ *Panel) { ShowFrame(s, farAway) }

// ShowFrame pauses, and shows the frame of an age: 0 is the newest. Ages out of range are clamped. Any goroutine may
// call it.
func ShowFrame(s *process.Session, age int) {
	s.Pause()
	s.SetFrame(age)
}

// slowestFrame shows the busiest frame of the history that still has its report.
func slowestFrame(s *process.Session, _ *Panel) {
	frames := s.AppendFrames(nil, farAway)
	slowest := -1
	for i, f := range frames {
		if f.HasReport && (slowest < 0 || f.Busy > frames[slowest].Busy) {
			slowest = i
		}
	}
	if slowest >= 0 {
		ShowFrame(s, len(frames)-1-slowest)
	}
}

func goLive(s *process.Session, _ *Panel) {
	s.SetFrame(0)
	s.Resume()
}

func togglePause(s *process.Session, p *Panel) {
	if s.Paused() {
		goLive(s, p)
		return
	}
	s.Pause()
}

func setMode(m process.ReportMode) action {
	return func(s *process.Session, _ *Panel) { s.SetReportMode(m) }
}

func toggleSort(s *process.Session, _ *Panel) {
	if s.View().Mode == process.ReportSelfTime {
		s.SetReportMode(process.ReportHierarchicalTime)
		return
	}
	s.SetReportMode(process.ReportSelfTime)
}

func cycleAverage(s *process.Session, _ *Panel) {
	next := map[process.Average]process.Average{
		process.AverageInstant: process.AverageShort,
		process.AverageShort:   process.AverageLong,
		process.AverageLong:    process.AverageInstant,
	}
	s.SetAverage(next[s.View().Average])
}

func toggleRecursion(s *process.Session, _ *Panel) {
	if s.View().Recursion == process.RecursionFlattened {
		s.SetRecursion(process.RecursionSpread)
		return
	}
	s.SetRecursion(process.RecursionFlattened)
}

// cycleLane cycles through the lanes; the first choice is all lanes merged.
func cycleLane(step int) action {
	return func(s *process.Session, _ *Panel) {
		ids := []process.LaneID{0}
		at := 0
		for _, lane := range s.AppendLanes(nil) {
			if lane.ID == s.View().Lane {
				at = len(ids)
			}
			ids = append(ids, lane.ID)
		}
		s.SetLane(ids[(at+step+len(ids))%len(ids)])
	}
}

// resetQuestion is shown before the measurements are forgotten: a slip of the finger would cost a history.
const resetQuestion = "forget all measurements? once more: yes"

// askReset asks, and forgets all measurements when it is run again while the question is still there.
func askReset(s *process.Session, p *Panel) {
	if !p.Ask(resetQuestion) {
		return
	}
	s.Reset()
	if words := "all measurements are forgotten"; s.CanUndoReset() {
		if key := p.keyName("undo"); key != "" {
			words += ": " + key + " brings them back for a minute"
		}
		p.noteFor(3*noteDraws, words)
	}
	p.visited.reset(true)
}

// undoReset brings back what the last reset forgot.
func undoReset(s *process.Session, p *Panel) {
	p.visited.reset(false)
	if s.UndoReset() {
		p.Note("the measurements from before the reset are back, those since it are put away")
		return
	}
	p.Note("nothing to bring back: that is possible for a minute after a reset")
}

func cyclePrecision(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.Precision = o.Precision%4 + 1 })
}
func toggleHelp(_ *process.Session, p *Panel) { p.toggleHelp() }

// cyclePanel goes on to the next panel mode: off, HUD, report and graph, full, off. A hidden panel loses the focus.
func cyclePanel(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) {
		o.Mode = (o.Mode + 1) % numPanelModes
		o.Focused = o.Focused && o.Mode != PanelOff
	})
}

// toggleFocus gives the focus to the panel if the host has it, and to the host otherwise.
func toggleFocus(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Focused = !o.Focused }) }

func leave(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Focused = false }) }

func openFilter(_ *process.Session, p *Panel)    { p.openFilter() }
func pinBaseline(_ *process.Session, p *Panel)   { p.pinBaseline() }
func toggleCompare(_ *process.Session, p *Panel) { p.toggleCompare() }
func toggleLines(_ *process.Session, p *Panel)   { p.toggleLines() }
func copyTable(_ *process.Session, p *Panel)     { p.copyTable() }
func unscaled(_ *process.Session, p *Panel)      { p.Change(func(o *Options) { o.Scale = 1 }) }

func zoomBy(notches float64) action {
	return func(_ *process.Session, p *Panel) { p.Zoom(-1, notches) }
}

func panBy(dx, dy float32) action {
	return func(_ *process.Session, p *Panel) { p.Pan(dx, dy) }
}

func scaleBy(step float32) action {
	return func(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Scale = o.Scale + step }) }
}

// toggleCard opens the card of the cursor's zone. From then on the cursor stays on that zone when rows change places.
func toggleCard(s *process.Session, p *Panel) {
	if s != nil { // nil: a panel of data without a session
		s.MoveCursor(0)
	}
	p.toggleCard()
}

// cycleMemory goes on to the next memory mode. A note and the memory strip show the new mode.
func cycleMemory(s *process.Session, p *Panel) {
	s.CycleMemoryMode()
	p.Note("memory mode: " + s.MemoryMode().String())
}

func cycleSecond(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.Second = o.Second + 1 })
}
func clearSlowest(_ *process.Session, p *Panel) { p.clearSlowest() }
func lockScale(_ *process.Session, p *Panel)    { p.toggleScaleLock() }
func cycleTheme(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.Theme = o.Theme + 1 })
}
func toggleHeat(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.HideHeat = !o.HideHeat })
}
func openColumns(_ *process.Session, p *Panel) { p.openColumns() }
func openLanes(_ *process.Session, p *Panel)   { p.openLanes() }

// toggleCollector shows the bands of the garbage collector, or hides them.
func toggleCollector(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.HideCollector = !o.HideCollector })
}
