package exectrace

import (
	"strings"

	"example.com/iprof/gather"
	"golang.org/x/exp/trace"
)

// begin begins a range: work of a goroutine for the collector, or a state of the whole program.
func (p *reader) begin(e *trace.Event, now int64) {
	r := e.Range()
	kind, reason := rangeOf(r.Name)
	switch g := scopeOf(e, &r); {
	case kind == gather.StateAssist && g != 0:
		p.assists[g]++
		p.turn(g, gather.StateRunning, gather.StateAssist, reason, now)
	case kind == gather.StateStopped || kind == gather.StateMarking:
		if _, known := p.stops[r.Name]; !known {
			p.stops[r.Name] = now
		}
	}
}

// end ends a range.
func (p *reader) end(e *trace.Event, now int64) {
	r := e.Range()
	kind, reason := rangeOf(r.Name)
	switch g := scopeOf(e, &r); {
	case kind == gather.StateAssist && g != 0:
		if p.assists[g]--; p.assists[g] <= 0 {
			delete(p.assists, g)
			p.turn(g, gather.StateAssist, gather.StateRunning, "", now)
		}
	case kind == gather.StateStopped || kind == gather.StateMarking:
		if begin, known := p.stops[r.Name]; known {
			p.add(State{Kind: kind, Begin: begin, End: now, Reason: reason})
			delete(p.stops, r.Name)
		}
	}
}

// scopeOf returns the goroutine of a range, 0 for the whole program.
func scopeOf(e *trace.Event, r *trace.Range) uint64 {
	g := e.Goroutine()
	if r.Scope.Kind == trace.ResourceGoroutine {
		g = r.Scope.Goroutine()
	}
	if g == trace.NoGoroutine {
		return 0
	}
	return uint64(g)
}

// rangeOf returns the kind of a range, and the reason. StateRunning stands for ranges that are not states.
func rangeOf(name string) (kind gather.StateKind, reason string) {
	switch {
	case strings.HasPrefix(name, "stop-the-world"):
		return gather.StateStopped, strings.Trim(strings.TrimPrefix(name, "stop-the-world"), " ()")
	case name == "GC concurrent mark phase":
		return gather.StateMarking, ""
	case name == "GC mark assist":
		return gather.StateAssist, "mark assist"
	case name == "GC incremental sweep":
		return gather.StateAssist, "sweep"
	}
	return gather.StateRunning, ""
}
