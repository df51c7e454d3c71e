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

// HotLine is a line of the program with samples in a zone.
type HotLine = report.HotLine

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
	p := newPlacer(lanes, functionsOf(s.Zones))
	p.load = func(lane gather.LaneID) []gather.Event {
		return gather.AppendEvents(nil, lane, 0, platform.MaxTicks-1)
	}
	rate, since := platform.TicksPerSecond(), platform.Ticks(w.since.Load())
	all, slow := sampled.Counts{Outside: states.Unplaced}, w.slowest.frames()
	for i := range states.samples {
		q := &states.samples[i]
		at := states.clock.at(q.Time, rate)
		if at < since {
			continue
		}
		zone, known := p.place(q, at)
		line := ownLine(q.Stack)
		all.Add(zone, line, known)
		for k := range slow {
			if slow[k].begin <= at && at < slow[k].end {
				slow[k].Add(zone, line, known)
			}
		}
	}
	h := &report.HotZones{Zones: all.Hottest(most), Samples: all.Samples, Outside: all.Outside}
	h.Frames = hotFrames(slow, states.clock.at(states.Begin, rate))
	w.texts.fill(h)
	return h, nil
}

// ownLine returns a sample in the innermost line of a stack outside the runtime and the profiler.
func ownLine(stack []Line) HotLine {
	for _, l := range stack {
		ours := strings.HasPrefix(l.Function, "example.com/iprof/internal/measure") ||
			strings.HasPrefix(l.Function, "example.com/iprof/platform")
		if strings.HasSuffix(l.File, ".go") && !isRuntime(l.Function) && !ours {
			return HotLine{Function: l.Function, File: l.File, Line: l.Line, Samples: 1}
		}
	}
	if len(stack) > 0 {
		return HotLine{Function: stack[0].Function, File: stack[0].File, Line: stack[0].Line, Samples: 1}
	}
	return HotLine{Samples: 1}
}

// functionZones are the zones of each function, for samples whose events were overwritten.
type functionZones map[string][]functionZone

type functionZone struct {
	zone report.ZoneID
	line int // line where the zone begins
}

// functionsOf lists the zones that begin at one place by function.
func functionsOf(zones []gather.ZoneInfo) functionZones {
	list := functionZones{}
	for i := range zones {
		if z := &zones[i]; z.Function != "" && !z.Idle {
			list[z.Function] = append(list[z.Function], functionZone{report.ZoneID(i), z.Line})
		}
	}
	return list
}

// of returns a zone of the innermost function with zones, or 0: the last zone that begins above the function's line in
// the stack. If a zone ended before the end of its function, later lines of the function still count for it.
func (f functionZones) of(stack []Line) (zone report.ZoneID) {
	for i := range stack {
		last := -1
		for _, z := range f[stack[i].Function] {
			if z.line <= stack[i].Line && z.line > last {
				zone, last = z.zone, z.line
			}
		}
		if last >= 0 {
			return zone
		}
	}
	return 0
}
