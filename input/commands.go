package input

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// A command is what a key does. Each is a line or two over the session and its panel.
type command = func(*process.Session, *draw.Panel)

const (
	pageRows = 10
	farAway  = 1 << 30 // an age that SetFrame clamps to the oldest
)

// moveCursor goes by the rows as they stand on the screen, which may be sorted and filtered.
func moveCursor(rows int) command {
	return func(s *process.Session, p *draw.Panel) {
		if record := p.Step(s.View(), rows); record >= 0 {
			s.SetCursor(record)
			return
		}
		s.MoveCursor(rows)
	}
}

func selectRecord(s *process.Session, p *draw.Panel) {
	if p.CursorFolded() {
		p.ToggleFold(-1)
		return
	}
	s.Select()
}

func selectParent(s *process.Session, _ *draw.Panel) { s.SelectParent() }

// moveFrame looks at an older or newer frame. It pauses first: a frame that is looked at must stand still.
func moveFrame(frames int) command {
	return func(s *process.Session, _ *draw.Panel) {
		s.Pause()
		s.MoveFrame(frames)
	}
}

func moveOver(direction int) command {
	return func(s *process.Session, _ *draw.Panel) {
		s.Pause()
		s.MoveToOverBudget(direction)
	}
}

func oldestFrame(s *process.Session, _ *draw.Panel) { showFrame(s, farAway) }

func showFrame(s *process.Session, age int) {
	s.Pause()
	s.SetFrame(age)
}

// slowestFrame looks at the busiest frame whose report is still there.
func slowestFrame(s *process.Session, _ *draw.Panel) {
	frames := s.AppendFrames(nil, farAway)
	slowest := -1
	for i, f := range frames {
		if f.HasReport && (slowest < 0 || f.Busy > frames[slowest].Busy) {
			slowest = i
		}
	}
	if slowest >= 0 {
		showFrame(s, len(frames)-1-slowest)
	}
}

func goLive(s *process.Session, _ *draw.Panel) {
	s.SetFrame(0)
	s.Resume()
}

func togglePause(s *process.Session, p *draw.Panel) {
	if s.Paused() {
		goLive(s, p)
		return
	}
	s.Pause()
}

func setMode(m process.ReportMode) command {
	return func(s *process.Session, _ *draw.Panel) { s.SetReportMode(m) }
}

func toggleSort(s *process.Session, _ *draw.Panel) {
	if s.View().Mode == process.SelfTime {
		s.SetReportMode(process.HierarchicalTime)
		return
	}
	s.SetReportMode(process.SelfTime)
}

func cycleAverage(s *process.Session, _ *draw.Panel) {
	next := map[process.Average]process.Average{
		process.Instant: process.Short, process.Short: process.Long, process.Long: process.Instant,
	}
	s.SetAverage(next[s.View().Average])
}

func toggleRecursion(s *process.Session, _ *draw.Panel) {
	if s.View().Recursion == process.Flattened {
		s.SetRecursion(process.Spread)
		return
	}
	s.SetRecursion(process.Flattened)
}

// cycleLane goes through all lanes merged and each lane.
func cycleLane(step int) command {
	return func(s *process.Session, _ *draw.Panel) {
		ids := []uint64{0}
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

func reset(s *process.Session, _ *draw.Panel) { s.Reset() }

func cyclePrecision(_ *process.Session, p *draw.Panel) { p.SetPrecision(p.Precision()%4 + 1) }
func toggleHelp(_ *process.Session, p *draw.Panel)     { p.ToggleHelp() }

// cyclePanel shows more, or nothing; what is hidden gives the keys back.
func cyclePanel(_ *process.Session, p *draw.Panel) {
	p.Cycle()
	if p.Mode() == draw.Off {
		p.SetFocused(false)
	}
}

func toggleFocus(_ *process.Session, p *draw.Panel) { p.ToggleFocus() }

func leave(_ *process.Session, p *draw.Panel) { p.SetFocused(false) }

func openFilter(_ *process.Session, p *draw.Panel)    { p.OpenFilter() }
func toggleCard(_ *process.Session, p *draw.Panel)    { p.ToggleCard() }
func pinBaseline(_ *process.Session, p *draw.Panel)   { p.PinBaseline() }
func toggleCompare(_ *process.Session, p *draw.Panel) { p.ToggleCompare() }
func toggleLines(_ *process.Session, p *draw.Panel)   { p.ToggleLines() }
func copyTable(_ *process.Session, p *draw.Panel)     { p.CopyTable() }
func unscaled(_ *process.Session, p *draw.Panel)      { p.SetUIScale(1) }

func zoomBy(notches float64) command {
	return func(_ *process.Session, p *draw.Panel) { zoom(p, -1, notches) }
}

func panBy(dx, dy float32) command {
	return func(_ *process.Session, p *draw.Panel) { pan(p, dx, dy) }
}

func scaleBy(step float32) command {
	return func(_ *process.Session, p *draw.Panel) { p.SetUIScale(p.UIScale() + step) }
}

// cycleMemory goes on to the next memory mode. What it is now the strip of the memory says, and a note.
func cycleMemory(s *process.Session, p *draw.Panel) {
	s.CycleMemoryMode()
	p.Note("memory mode: " + s.MemoryMode().String())
}

func cycleSecond(_ *process.Session, p *draw.Panel)  { p.SetSecond(p.Second() + 1) }
func clearSlowest(_ *process.Session, p *draw.Panel) { p.ClearSlowest() }
func lockScale(_ *process.Session, p *draw.Panel)    { p.ToggleScaleLock() }
func cycleTheme(_ *process.Session, p *draw.Panel)   { p.SetTheme(p.Theme() + 1) }
func openColumns(_ *process.Session, p *draw.Panel)  { p.OpenColumns() }
func openLanes(_ *process.Session, p *draw.Panel)    { p.OpenLanes() }
