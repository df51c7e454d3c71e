package viewer

import (
	"time"

	"example.com/iprof/process"
)

// setLens makes reports the mean of a selection of frames of the history. A second time, it shows one frame again.
func setLens(l process.Lens) action {
	return func(s *process.Session, _ *Panel) {
		if s.View().Lens.Kind == l.Kind {
			s.SetLens(process.Lens{})
			return
		}
		s.SetLens(l)
	}
}

// ClearLens shows one frame, or the moving average, again. It reports whether there was a lens. Any goroutine may call
// it.
func ClearLens(s *process.Session) bool {
	if s.View().Lens.Kind == process.LensOff {
		return false
	}
	s.SetLens(process.Lens{})
	return true
}

// budgets are the frame budgets that a key cycles through, in frames per second.
var budgets = [...]int{30, 60, 75, 90, 120, 144}

// cycleBudget chooses the next shorter budget. After the shortest comes the longest.
func cycleBudget(s *process.Session, p *Panel) {
	now := s.FrameBudget()
	next := time.Second / time.Duration(budgets[0])
	for _, fps := range budgets {
		if d := time.Second / time.Duration(fps); d < now-time.Microsecond {
			next = d
			break
		}
	}
	s.SetFrameBudget(next)
	p.Note("frame budget " + next.Round(10*time.Microsecond).String())
}

func oneFrame(s *process.Session, _ *Panel) { ClearLens(s) }
