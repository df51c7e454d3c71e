package viewer

import (
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/table"
)

// toggleRecording switches measuring off, or on again.
func toggleRecording(_ *process.Session, p *Panel) {
	on := !gather.Recording()
	if gather.SetRecording(on); on {
		p.Note("recording on")
		return
	}
	p.Note("recording off: zones are not measured")
}

// toggleIdleOutside makes the time outside zones idle, or busy again.
func toggleIdleOutside(s *process.Session, p *Panel) {
	on := !s.EventDriven()
	if s.SetEventDriven(on); on {
		p.Note("time outside zones is idle from now on")
		return
	}
	p.Note("time outside zones is busy from now on")
}

// overheadLimits are the limits that the menu cycles through. 0 is none.
var overheadLimits = [...]float64{0, 0.05, 0.02, 0.01}

// cycleOverheadLimit chooses the next overhead limit. After the least comes none.
func cycleOverheadLimit(_ *process.Session, p *Panel) {
	now, next := gather.OverheadLimit(), overheadLimits[0]
	for _, limit := range overheadLimits[1:] {
		if now == 0 || limit < now*0.999 {
			next = limit
			break
		}
	}
	if gather.SetOverheadLimit(next); next == 0 {
		p.Note("overhead limit off: every zone is timed")
		return
	}
	p.Note("overhead limit " + strconv.Itoa(int(next*100+0.5)) + " %: above it, small zones are estimated")
}

// cycleZoneBudget chooses the next greater budget for the cursor's zone. After the greatest comes none.
func cycleZoneBudget(s *process.Session, p *Panel) {
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	now, next := s.Budget(r.Zone), time.Duration(0)
	for _, step := range table.BudgetSteps {
		if step > now {
			next = step
			break
		}
	}
	if s.SetBudget(r.Zone, next); next == 0 {
		p.Note(r.Name + ": no budget")
		return
	}
	p.Note(r.Name + ": red above " + next.String() + " a frame")
}

// historyDepths are the numbers of frames that the menu cycles through.
var historyDepths = [...]int{300, 1000, 3000, 10_000}

// cycleHistory chooses the next greater depth of the history. After the greatest comes the least. Other bounds stay.
func cycleHistory(s *process.Session, p *Panel) {
	l, next := s.HistoryLimits(), historyDepths[0]
	for _, n := range historyDepths {
		if n > l.Frames {
			next = n
			break
		}
	}
	l.Frames, l.FullFrames = next, next
	s.SetHistoryLimits(l)
	p.Note("history of " + strconv.Itoa(next) + " frames")
}
