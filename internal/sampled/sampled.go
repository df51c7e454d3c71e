// Package sampled splits the time in a program's zones into work and waiting, by samples of Go's CPU profiler. It reads
// a dump, so a program may ask it while it runs, and a report when it has ended.
//
//	s, shares := (&sampled.Run{Dump: dump, Samples: samples, Sampled: n}).Sum()
package sampled

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Sample is a place where the CPU profiler found the program.
type Sample struct {
	Zone     string // the innermost function with a zone on the stack, as ZoneInfo.Function; "" is none
	Around   string // the next one outside it that is not muted
	Function string // the innermost function of the program, inlined or not; of the standard library if there is none
	File     string // full path
	Line     int    // 0 where the zone begins: that is the call and the zone itself, and none of the program's lines
	Count    int    `json:",omitempty"` // samples
}

// Foreign stands in Run.Outside in place of a package for code of other languages, or code generated at run time. The
// runtime does not know its callers.
const Foreign = "code that is not Go"

// Run holds the measurements of a program's run, or of a running program so far. Its methods are read-only.
type Run struct {
	Dump    *report.Dump      // with Merged
	Samples []Sample          // without those of only the runtime
	Sampled int               // samples in all
	Outside map[string]int    // of these, in no function with a zone, by the outermost package, or Foreign
	Muted   []gather.ZoneInfo // functions that were muted
	Partial bool              // the samples are of a part of the run, so they say nothing of waits
	Beside  time.Duration     // processor time known to be outside zones: of the collector and of the profiler
	Away    time.Duration     // threads of the process were ready and had no processor; 0 if that is not known
}

// Sum is a run in numbers. Times are in milliseconds.
type Sum struct {
	Busy    float64 // in zones, without what waits and without the profiler
	Worked  float64 // Busy without the waits shown by samples
	Waiting bool    // samples showed that a good part of Busy was spent waiting, so shares are of Worked
	Own     float64 // in the profiler's zones
	Rows    []Row   // by work, as far as that is known: see Row.Waited
	Waits   float64 // in zones that only wait
	Idle    []Row   // these zones, the longest first
	Outside float64 // in no zone

	unit float64 // time that a sample stands for
	bias float64 // share of a row's time by which samples are off, beyond chance
}

// Row is a zone that works.
type Row struct {
	Zone      report.ZoneID
	Info      gather.ZoneInfo
	Self      float64
	Waited    float64 // part of Self that is no work; 0 for a function that computes
	Least     float64 // at least this part of Self had no processor: the process had it for less than the rest
	Most      float64 // at most this part of Self was no work, as far as that is known; at least Waited
	WaitedOff float64 // standard error of Waited, as far as samples tell it
	Sampled   bool    // it is muted, and Self is by the samples
	Unknown   bool    // the work in Self is unknown, at most Self-Waited
	Measured  float64 // Self before the samples
	Count     float64
	Estimated gather.Estimated
	Off       float64 // standard error of Self, if it is estimated
}

// Leave leaves out the samples of before, which r has, too.
func (r *Run) Leave(before *Run) {
	counts := map[Sample]int{}
	for _, s := range before.Samples {
		n := s.Count
		s.Count = 0
		counts[s] += n
	}
	r.Samples = slices.Clone(r.Samples)
	for i := range r.Samples {
		s := &r.Samples[i]
		place := *s
		place.Count = 0
		n := min(counts[place], s.Count)
		s.Count, counts[place] = s.Count-n, counts[place]-n
	}
	r.Samples = slices.DeleteFunc(r.Samples, func(s Sample) bool { return s.Count == 0 })
	r.Sampled -= before.Sampled
	r.Outside = maps.Clone(r.Outside)
	for name, n := range before.Outside {
		r.Outside[name] -= n
	}
}

// IsOwn reports whether a zone is the profiler's.
func IsOwn(z *gather.ZoneInfo) bool {
	const module = "example.com/iprof/"
	rest, own := strings.CutPrefix(strings.TrimPrefix(z.Function, "iprofrun/"), module)
	return own && !strings.HasPrefix(rest, "auto.") && !strings.HasPrefix(rest, "examples/") &&
		!strings.HasPrefix(rest, "internal/workload")
}

// Sum adds the run up. It also returns the share of self time that was spent waiting, by zone.
func (r *Run) Sum() (s *Sum, shares map[report.ZoneID]float64) {
	s = new(Sum)
	off := r.standardErrors()
	for _, z := range r.Dump.ZoneTotals() {
		info := r.zone(z.Zone)
		switch {
		case z.Zone == 0:
			s.Outside = max(z.Self, 0)
		case IsOwn(&info) && !z.Idle:
			s.Own += z.Self
		case z.Idle: // also of a host: the wait for the display
			s.Waits += z.Self
			s.Idle = append(s.Idle, Row{Zone: z.Zone, Info: info, Self: z.Self, Measured: z.Self, Count: z.Count,
				Estimated: z.Estimated, Off: off[z.Zone]})
		case z.Count > 0 || z.Self > 0:
			s.Busy += z.Self
			s.Rows = append(s.Rows, Row{Zone: z.Zone, Info: info, Self: z.Self, Measured: z.Self, Count: z.Count,
				Estimated: z.Estimated, Off: off[z.Zone]})
		}
	}
	s.noteMuted(r)
	s.findWaits(r)
	s.order()
	slices.SortStableFunc(s.Idle, func(a, b Row) int { return cmp.Compare(b.Self, a.Self) })
	return s, s.shares()
}

// isMuted reports whether a zone was muted in this run.
func (r *Run) isMuted(z gather.ZoneInfo) bool {
	same := func(m gather.ZoneInfo) bool { return m.File == z.File && m.Name == z.Name }
	return slices.ContainsFunc(r.Muted, same)
}

// standardErrors returns the standard errors of the zones' estimated self times.
func (r *Run) standardErrors() map[report.ZoneID]float64 {
	off := map[report.ZoneID]float64{}
	for i := range r.Dump.Merged {
		if n := &r.Dump.Merged[i]; n.StandardError > 0 {
			off[n.Zone] = math.Hypot(off[n.Zone], n.StandardError)
		}
	}
	return off
}

func (r *Run) zone(id report.ZoneID) gather.ZoneInfo {
	if int(id) < len(r.Dump.Zones) {
		return r.Dump.Zones[id]
	}
	return gather.ZoneInfo{}
}
