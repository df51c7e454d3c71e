package exectrace

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// HotLines are the lines that a zone was in, from samples. The zone's time is exact, this is not: a sample every 10 ms
// of processor time (see Watcher.SampleAt), put to the zone that was innermost on its goroutine at that moment. Both
// clocks agree to about a microsecond, so only samples that close to the begin or the end of a scope may be the
// neighbour's. Where the events of that moment are overwritten, the functions of the sample say in which zone it was:
// see HotLines.ByStack.
type HotLines = process.HotLines

// HotLine is a line of the program with samples in a zone.
type HotLine = process.HotLine

const mostHot, mostFunctions = 16, 8

// HotLines returns the hottest lines of a zone in the last seconds. It needs Sample, and the events of the lanes that
// gather.SetEvents keeps. Any goroutine may call it.
func (w *Watcher) HotLines(zone process.ZoneID) (*HotLines, error) {
	h, err := w.hotZones(math.MaxInt)
	if err != nil {
		return nil, err
	}
	return h.Of(zone), nil
}

// hotZones returns the hottest lines of the zones with the most samples in the last seconds.
func (w *Watcher) hotZones(most int) (*process.HotZones, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lanes := w.session.AppendGoroutines(nil)
	states, err := w.window(lanes)
	if err != nil {
		return nil, err
	}
	if !states.clock.marked {
		return nil, errClock
	}
	h := &process.HotZones{Outside: states.Unplaced}
	owner := map[uint64]gather.LaneID{}
	for _, l := range lanes {
		owner[l.Goroutine] = l.Lane
	}
	rate, since := platform.TicksPerSecond(), platform.Ticks(w.since.Load())
	counts, events := map[process.ZoneID]*hotCount{}, map[gather.LaneID]*opened{}
	zones := w.zonesByFunction()
	for i := range states.samples {
		q := &states.samples[i]
		at := states.clock.at(q.Time, rate)
		if at < since {
			continue
		}
		lane := owner[q.Goroutine]
		if events[lane] == nil {
			events[lane] = &opened{events: gather.AppendEvents(nil, lane, 0, platform.MaxTicks-1)}
		}
		in, known := events[lane].at(at)
		if !known {
			in = zones.of(q.Stack)
		}
		if in <= 0 {
			h.Outside++
			continue
		}
		h.Samples++
		if counts[in] == nil {
			counts[in] = &hotCount{lines: map[Line]int{}}
		}
		counts[in].add(q, known)
	}
	h.Zones = hottest(counts, most)
	w.fillTexts(h)
	return h, nil
}

// hotCount counts the samples of a zone.
type hotCount struct {
	samples, byStack int
	lines            map[Line]int
}

func (c *hotCount) add(q *Sample, known bool) {
	if c.samples++; !known {
		c.byStack++
	}
	c.lines[ownLine(q.Stack)]++
}

// hottest lists the zones with the most samples.
func hottest(counts map[process.ZoneID]*hotCount, most int) (list []HotLines) {
	for zone, c := range counts {
		list = append(list, HotLines{Zone: zone, Samples: c.samples, ByStack: c.byStack})
	}
	slices.SortFunc(list, func(a, b HotLines) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Zone, b.Zone))
	})
	list = list[:min(len(list), most)]
	for i := range list {
		take(&list[i], counts[list[i].Zone].lines)
	}
	return list
}

// take lists the lines and the functions with the most samples.
func take(h *HotLines, found map[Line]int) {
	functions := map[string]int{}
	for line, n := range found {
		h.Lines = append(h.Lines, HotLine{Function: line.Function, File: line.File, Line: line.Line, Samples: n})
		functions[line.Function] += n
	}
	slices.SortFunc(h.Lines, func(a, b HotLine) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	h.Lines = slices.Clip(h.Lines[:min(len(h.Lines), mostHot)])
	for name, n := range functions {
		h.Functions = append(h.Functions, process.HotFunction{Function: name, Samples: n})
	}
	slices.SortFunc(h.Functions, func(a, b process.HotFunction) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), strings.Compare(a.Function, b.Function))
	})
	h.Functions = slices.Clip(h.Functions[:min(len(h.Functions), mostFunctions)])
}

// ownLine returns the innermost line of a stack that is not the runtime's or the profiler's.
func ownLine(stack []Line) Line {
	for _, l := range stack {
		ours := strings.HasPrefix(l.Function, "example.com/iprof/gather") ||
			strings.HasPrefix(l.Function, "example.com/iprof/platform")
		if strings.HasSuffix(l.File, ".go") && !isRuntime(l.Function) && !ours {
			return l
		}
	}
	if len(stack) > 0 {
		return stack[0]
	}
	return Line{}
}

// opened follows the zones of a lane through its events.
type opened struct {
	events []gather.Event
	next   int
	stack  []gather.ZoneID
}

// at returns the innermost zone at a time, 0 for none. It is not known before the first event. Times must not decrease
// from call to call.
func (o *opened) at(t platform.Ticks) (zone gather.ZoneID, known bool) {
	for o.next < len(o.events) && o.events[o.next].Time <= t {
		e := &o.events[o.next]
		o.next++
		level := min(int(max(e.Level, 0)), 1<<10)
		for len(o.stack) < level {
			o.stack = append(o.stack, 0) // begun before the events
		}
		if o.stack = o.stack[:level]; !e.End {
			o.stack = append(o.stack, e.Zone)
		}
	}
	if o.next == 0 {
		return 0, false
	}
	if len(o.stack) == 0 {
		return 0, true
	}
	zone = o.stack[len(o.stack)-1]
	return zone, zone > 0
}

// functionZones are the zones of each function, for samples whose events were overwritten.
type functionZones map[string][]functionZone

type functionZone struct {
	zone process.ZoneID
	line int // where it begins
}

// zonesByFunction lists the zones that begin at one place.
func (w *Watcher) zonesByFunction() functionZones {
	var s process.Snapshot
	w.session.Snapshot(&s, process.SnapshotOptions{Brief: true})
	zones := functionZones{}
	for i := range s.Zones {
		if z := &s.Zones[i]; z.Function != "" && !z.Idle {
			zones[z.Function] = append(zones[z.Function], functionZone{process.ZoneID(i), z.Line})
		}
	}
	return zones
}

// of returns the zone of the innermost function with one, 0 if there is none: the last that begins above the line that
// the function was at. A zone that ended before the end of its function looks as if it went on.
func (f functionZones) of(stack []Line) (zone process.ZoneID) {
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
