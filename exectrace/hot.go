package exectrace

import (
	"math"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// HotLines are the lines in which samples of a zone fell. Unlike the zone's time, they are estimates: a sample every 10
// ms of processor time (see [Watcher.SampleAt]) is assigned to the innermost open zone of its goroutine. The clocks
// agree to about a microsecond, so only samples that close to the begin or the end of a scope may be assigned to the
// neighbour. If the events of that moment are overwritten, the functions in the sample's stack determine the zone: see
// HotLines.ByStack.
type HotLines = report.HotLines

// HotLines returns the hottest lines of a zone in the last seconds. It needs Sample, and the events of the lanes that
// gather.SetEvents keeps. Any goroutine may call it.
func (w *Watcher) HotLines(zone report.ZoneID) (*HotLines, error) {
	h, err := w.hotZones(math.MaxInt)
	if err != nil {
		return nil, err
	}
	return h.Of(zone), nil
}

// hotZones returns the hottest lines of the zones with the most samples in the last seconds.
func (w *Watcher) hotZones(most int) (*report.HotZones, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lanes := w.session.AppendGoroutines(nil)
	states, err := w.window(lanes)
	if err != nil {
		return nil, err
	}
	return w.hotOf(states, lanes, most)
}

// hotOf returns the hottest lines of the zones with the most samples, and those of slow frames. The mutex is held.
func (w *Watcher) hotOf(states *States, lanes []report.LaneGoroutine, most int) (*report.HotZones, error) {
	if !states.clock.marked {
		return nil, errClock
	}
	var s process.Snapshot
	w.session.View().Snapshot(&s, process.SnapshotOptions{Brief: true})
	p := newPlacer(lanes, sampled.FunctionsOf(s.Zones))
	p.load = func(lane gather.LaneID) []gather.Event {
		return gather.AppendEvents(nil, lane, 0, platform.MaxTicks-1)
	}
	rate, since := platform.TicksPerSecond(), platform.Ticks(w.since.Load())
	all, slow := sampled.Counts{Outside: states.Unplaced}, w.slowest.frames()
	for i := range states.samples {
		q := &states.samples[i]
		at := states.clock.at(q.time, rate)
		if at < since {
			continue
		}
		zone, known := p.place(q, at)
		line := sampled.Innermost(q.stack, isOwn)
		all.Add(zone, line, 1, known)
		for k := range slow {
			if slow[k].begin <= at && at < slow[k].end {
				slow[k].Add(zone, line, 1, known)
			}
		}
	}
	h := &report.HotZones{Zones: all.Hottest(most), Samples: all.Samples, Outside: all.Outside}
	h.Frames = hotFrames(slow, states.clock.at(states.Begin, rate))
	w.texts.fill(h)
	return h, nil
}

// isOwn reports whether a line is outside the runtime and the profiler.
func isOwn(l sampled.Line) bool {
	return strings.HasSuffix(l.File, ".go") && !isRuntime(l.Function) &&
		!strings.HasPrefix(l.Function, "example.com/iprof/internal/measure") &&
		!strings.HasPrefix(l.Function, "example.com/iprof/platform")
}
