package tables

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// open is a call that has not ended.
type open struct {
	zone   gather.ZoneID
	path   int32
	begin  platform.Ticks
	inside platform.Ticks // time of calls in it
}

// calls adds the calls that ended in a frame.
func (r *reading) calls(f *gather.Frame, chosen bool) {
	if r.eachEvent(f, func(l *lane, e *gather.Event) { r.event(l, e, chosen) }); !r.evented && chosen {
		r.slowCalls(f)
	}
}

// eachEvent calls do with each event of a frame, lane by lane.
func (r *reading) eachEvent(f *gather.Frame, do func(l *lane, e *gather.Event)) {
	events, from := r.in.Events(), f.Begin
	if r.until > 0 && r.until < f.Begin {
		from = r.until
	}
	r.until = f.End
	r.evented = r.evented || events != nil
	for i := range f.Lanes {
		l := &f.Lanes[i]
		of := r.lane(l.ID, l.Name)
		if of.frame != f.Index {
			of.frame, of.ended = f.Index, 0
		}
		if events == nil {
			continue
		}
		r.events = events.AppendEvents(r.events[:0], l.ID, from, f.End-1) // the next frame has those at its border
		for k := range r.events {
			do(of, &r.events[k])
		}
	}
}

// mostDeep bounds the levels of calls.
const mostDeep = 1 << 16

// enter adds the call that an event begins to the open ones of its lane.
func (p *paths) enter(list []open, e *gather.Event) []open {
	level := int(e.Level)
	for len(list) < level { // the beginnings of those around it are not in the file
		list = append(list, open{})
	}
	path := int32(0)
	if level > 0 {
		path = list[level-1].path
	}
	return append(list[:level], open{zone: e.Zone, path: p.below(path, e.Zone), begin: e.Time})
}

// event takes the beginning or the end of a call.
func (r *reading) event(l *lane, e *gather.Event, chosen bool) {
	level := int(e.Level)
	switch {
	case level < 0 || level >= mostDeep:
		return
	case !e.End:
		l.open = r.paths.enter(l.open, e)
		return
	}
	l.ended++
	if level >= len(l.open) {
		return
	}
	o := l.open[level]
	l.open = l.open[:level]
	if o.zone != e.Zone {
		return
	}
	length := e.Time - o.begin
	if level > 0 {
		l.open[level-1].inside += length
	}
	if chosen && l.taken {
		r.addCall(l, &o, length)
	}
}

// addCall adds a call that has ended.
func (r *reading) addCall(l *lane, o *open, length platform.Ticks) {
	ids := &r.choice.IDs
	if ids.Call > 0 && ids.Call != l.ended {
		return
	}
	t := fact{zone: o.zone, path: o.path, lane: l, frame: r.frame.Index}
	t.values = [7]float64{float64(length) / r.perMS, float64(length-o.inside) / r.perMS,
		float64(o.begin-r.frame.Begin) / r.perMS}
	if report.IsRoute(r.zones[o.zone].Name) {
		t.route = o.zone
	}
	if r.kind.single && r.by == r.kind.By[0] {
		t.id = IDs{Frame: t.frame, Lane: l.id, Call: l.ended}.String()
	}
	r.add(&t)
}

// slowCalls adds the slow calls of a frame without events. Sums by zone have the counted calls: see counted.
func (r *reading) slowCalls(f *gather.Frame) {
	for i := range f.SlowCalls {
		c := &f.SlowCalls[i]
		if int(c.Zone) >= len(r.zones) || !r.kind.single || r.by != r.kind.By[0] {
			continue
		}
		t := fact{zone: c.Zone, path: r.paths.below(0, c.Zone), lane: r.lane(c.Lane, ""), frame: f.Index}
		own := c.End - c.Begin
		for k := range c.Parts {
			if p := &c.Parts[k]; p.Level == 0 {
				own -= p.Time
			}
		}
		t.values = [7]float64{float64(c.End-c.Begin) / r.perMS, float64(own) / r.perMS,
			float64(c.Begin-f.Begin) / r.perMS}
		r.add(&t)
	}
}

// counted adds the calls that zones have counted, of a capture without events: of all its frames.
func (r *reading) counted(in *framefile.Reader) {
	source := in.Calls()
	if r.evented || source == nil || !slices.Contains([]string{"zone", "route", "package", "line"}, r.by) {
		if !r.evented && len(r.list) > 0 {
			r.note("only slow calls are in the capture: iprof.SetEvents(1 << 16) in the program records all")
		}
		return
	}
	for _, c := range source.AppendCalls(nil) {
		t := fact{zone: c.Zone, lane: r.lane(c.Lane, "")}
		if int(c.Zone) >= len(r.zones) || c.Count == 0 {
			continue
		}
		if report.IsRoute(r.zones[c.Zone].Name) {
			t.route = c.Zone
		}
		if g := r.groupOf(&t); r.takes(&t) && g != nil {
			g.addCounted(&c, r.perMS)
		}
	}
	if r.choice.Takes != nil || r.choice.IDs.framed {
		r.note("the calls are of all frames: iprof.SetEvents(1 << 16) in the program records each with its frame")
	}
}

// addCounted adds the counted calls of a stack. Their self time is not known.
func (g *group) addCounted(c *gather.Calls, perMS float64) {
	g.count += float64(c.Count)
	g.sums[0] += float64(c.Sum) / perMS
	g.sums[1] = math.NaN()
	g.least, g.most = min(g.least, c.Min()/perMS), max(g.most, c.Max()/perMS)
	if g.lengths == nil {
		return
	}
	for _, b := range c.Buckets {
		at := platform.Ticks((float64(b.Low) + float64(b.Width)/2) / perMS * nanos)
		same := histogram.Histogram{}
		same.Add(at)
		same.Buckets[0].Count, same.Count = b.Count, b.Count
		g.lengths.Merge(&same)
	}
}
