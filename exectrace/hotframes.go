package exectrace

import (
	"cmp"
	"io"
	"slices"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// slowFrame is a frame with hot lines of its own.
type slowFrame struct {
	begin, end platform.Ticks
	busy       int64 // nanoseconds
	sampled.Counts
}

// slowest has the slowest frames over budget of the last seconds. Any goroutine may call the methods.
type slowest struct {
	mu   sync.Mutex // no calls while it is held
	list []slowFrame
}

const (
	mostSlowest   = 8  // frames of a window: half of report.MaxHotFrames, so that earlier frames stay
	mostSlowZones = 16 // zones of a frame
)

// add adds a frame. It forgets frames outside the window, and the fastest frame beyond the limit.
func (s *slowest) add(f *gather.Frame, busy int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := f.End - platform.Ticks(windowTime.Seconds()*f.TicksPerSecond)
	s.list = slices.DeleteFunc(s.list, func(q slowFrame) bool { return q.end < left })
	if s.list = append(s.list, slowFrame{begin: f.Begin, end: f.End, busy: busy}); len(s.list) > mostSlowest {
		least := 0
		for i := range s.list {
			if s.list[i].busy < s.list[least].busy {
				least = i
			}
		}
		s.list = slices.Delete(s.list, least, least+1)
	}
}

// frames returns the frames, the oldest first, without samples.
func (s *slowest) frames() []slowFrame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// hotFrames returns the hot lines of the frames with samples that began after a time.
func hotFrames(slow []slowFrame, after platform.Ticks) (list []report.HotFrame) {
	for i := range slow {
		if f := &slow[i]; f.Samples > 0 && f.begin >= after {
			list = append(list, report.HotFrame{Begin: f.begin, Zones: f.Hottest(mostSlowZones), Samples: f.Samples,
				Outside: f.Outside})
		}
	}
	return list
}

// withEarlier adds the frames of an earlier reading that are now outside the window.
func withEarlier(frames, earlier []report.HotFrame) []report.HotFrame {
	list := slices.DeleteFunc(slices.Clone(earlier), func(e report.HotFrame) bool {
		return slices.ContainsFunc(frames, func(f report.HotFrame) bool { return f.Begin == e.Begin })
	})
	list = append(list, frames...)
	slices.SortFunc(list, func(a, b report.HotFrame) int { return cmp.Compare(a.Begin, b.Begin) })
	return list[max(len(list)-report.MaxHotFrames, 0):]
}

// hotIn makes hot lines of the samples of a trace and the events of its capture.
func hotIn(in io.ReadSeeker, states *States, p *placer, rate float64) (*report.HotZones, error) {
	left, all, slow := states.samples, sampled.Counts{Outside: states.Unplaced}, []slowFrame(nil)
	err := frames(in, func(r *framefile.Reader, f *gather.Frame) error {
		own := slowFrame{begin: f.Begin, end: f.End}
		p.feed(r.Events(), f)
		for ; len(left) > 0; left = left[1:] {
			q, at := &left[0], states.clock.at(left[0].time, rate)
			if at >= f.End {
				break
			}
			zone, known := p.place(q, at)
			line := sampled.Innermost(q.stack, isOwn)
			if all.Add(zone, line, 1, known); at >= f.Begin {
				own.Add(zone, line, 1, known)
			}
		}
		if own.Samples > 0 {
			slow = append(slow, own)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(slow, func(a, b slowFrame) int { return cmp.Compare(b.end-b.begin, a.end-a.begin) })
	slow = slow[:min(len(slow), report.MaxHotFrames)]
	h := &report.HotZones{Zones: all.Hottest(report.MaxHotZones), Samples: all.Samples, Outside: all.Outside}
	h.Frames = withEarlier(hotFrames(slow, 0), nil)
	new(lineTexts).fill(h)
	return h, nil
}
