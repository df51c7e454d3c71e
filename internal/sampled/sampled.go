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

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Sample is a place where the CPU profiler found the program.
type Sample struct {
	Zone     string // the innermost function with a zone on the stack, as ZoneInfo.Function; "" is none
	Around   string // the next one outside it that is not muted
	Function string // the innermost function of the program, inlined or not; of the standard library if there is none
	File     string // full path
	Line     int
	Count    int `json:",omitempty"` // samples
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
}

// Sum is a run in numbers. Times are in milliseconds.
type Sum struct {
	Busy    float64 // in zones, without what waits and without the profiler
	Worked  float64 // Busy without the waits shown by samples
	Waiting bool    // samples showed that a good part of Busy was spent waiting, so shares are of Worked
	Own     float64 // in the profiler's zones
	Rows    []Row   // by self time without waits
	Waits   float64 // in zones that only wait
	Outside float64 // in no zone
}

// Row is a zone that works.
type Row struct {
	Zone      report.ZoneID
	Info      gather.ZoneInfo
	Self      float64
	Waited    float64 // part of Self without a processor, by samples
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
		case IsOwn(&info):
			s.Own += z.Self
		case z.Idle:
			s.Waits += z.Self
		case z.Count > 0 || z.Self > 0:
			s.Busy += z.Self
			s.Rows = append(s.Rows, Row{Zone: z.Zone, Info: info, Self: z.Self, Measured: z.Self, Count: z.Count,
				Estimated: z.Estimated, Off: off[z.Zone]})
		}
	}
	shares = s.useSamples(r)
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Self-b.Waited, a.Self-a.Waited), cmp.Compare(b.Self, a.Self),
			cmp.Compare(b.Count, a.Count), strings.Compare(a.Info.Name, b.Info.Name))
	})
	return s, shares
}

const (
	sampleMS    = 10 // processor time between two samples
	fewest      = 10 // samples of the run that say anything about waits
	waitingPart = 0.1
)

// useSamples corrects the rows by the samples, if there are enough. It returns the share of self time that was spent
// waiting, by zone.
func (s *Sum) useSamples(r *Run) (waits map[report.ZoneID]float64) {
	s.Worked = s.Busy
	cpu := r.Dump.CPU.Seconds() * 1000
	if n := float64(r.Sampled); n < fewest || n*sampleMS < cpu/2 { // they were lost
		waits = s.findLongWaits(cpu)
	} else {
		sampled := map[string]float64{}
		for _, l := range r.Samples {
			sampled[l.Zone] += float64(l.Count)
		}
		s.timeMuted(r, sampled)
		waits = s.findWaits(sampled, float64(r.Outside[Foreign]))
	}
	s.Waiting = s.Busy-s.Worked > waitingPart*s.Busy
	return waits
}

// findLongWaits is findWaits without samples: a row much longer than the processor time of the process has waited. Then
// all other rows longer than that have waited, too. Their work is unknown, but at most the processor time.
func (s *Sum) findLongWaits(cpu float64) map[report.ZoneID]float64 {
	waits := map[report.ZoneID]float64{}
	if cpu <= 0 || !slices.ContainsFunc(s.Rows, func(z Row) bool { return z.Self > 3*cpu }) {
		return waits
	}
	for i := range s.Rows {
		if z := &s.Rows[i]; z.Self > cpu {
			z.Waited, z.Unknown = z.Self-cpu, true
			waits[z.Zone] = z.Waited / z.Self
			s.Worked -= z.Self
		}
	}
	s.Worked = max(s.Worked, cpu)
	return waits
}

// timeMuted gives muted zones the time that samples show, where that is surer than the estimate, or more: no zone works
// longer than it lasts, and few long entries among many short ones are in no burst. It was measured as time of the
// functions around them, and is no more than that.
func (s *Sum) timeMuted(r *Run, sampled map[string]float64) {
	rows := map[string]*Row{}
	for i := range s.Rows {
		rows[s.Rows[i].Info.Function] = &s.Rows[i]
	}
	delete(rows, "") // not known
	for _, z := range rows {
		n := sampled[z.Info.Function]
		off := sampleMS * math.Sqrt(n+1)
		surer := off < z.Off || sampleMS*n-z.Self > 2*math.Hypot(off, z.Off)
		if surer && r.isMuted(z.Info) {
			z.Sampled, z.Off = true, off
		}
	}
	s.settle(r, sampled, rows)
	s.Worked = s.Busy
}

// settle takes the time that samples add to muted rows from the enclosing measured rows, or gives time back. Rows
// without an enclosing row take it from the time outside zones.
func (s *Sum) settle(r *Run, sampled map[string]float64, rows map[string]*Row) {
	outer, below := mostlyAround(r.Samples), r.below(rows)
	for _, l := range append(unsampled(below, sampled), r.Samples...) {
		inner := rows[l.Zone]
		if inner == nil || !inner.Sampled {
			continue
		}
		name := cmp.Or(l.Around, below[l.Zone])
		for level := 0; level < mostAround && rows[name] != nil && rows[name].Sampled; level++ {
			name = cmp.Or(outer[name], below[name])
		}
		more := sampleMS*sampled[l.Zone] - inner.Measured
		s.give(inner, rows[name], more*float64(l.Count)/max(sampled[l.Zone], 1))
	}
}

// give gives a muted row time of the one around it, as much as that has, or gives it back if it is less than 0. Around
// is nil outside zones.
func (s *Sum) give(inner, around *Row, ms float64) {
	switch {
	case around == nil:
		ms = min(ms, s.Outside)
		s.Outside -= ms
		s.Busy += ms
	case around.Sampled:
		return
	default:
		ms = min(ms, around.Self)
		around.Self -= ms
		around.Off = inner.Off
	}
	inner.Self += ms
}

// below returns for the muted rows that samples time the function around most of them in the tree.
func (r *Run) below(rows map[string]*Row) map[string]string {
	most, around := map[string]float64{}, map[string]string{}
	for i := range r.Dump.Merged {
		n := &r.Dump.Merged[i]
		name := r.zone(n.Zone).Function
		if z := rows[name]; n.Parent >= 0 && z != nil && z.Sampled && n.Self >= most[name] {
			most[name], around[name] = n.Self, r.zone(r.Dump.Merged[n.Parent].Zone).Function
		}
	}
	return around
}

// unsampled returns the muted rows that no sample is in, each as one of no time in the function around it.
func unsampled(below map[string]string, sampled map[string]float64) (list []Sample) {
	for name, around := range below {
		if sampled[name] == 0 {
			list = append(list, Sample{Zone: name, Around: around, Count: 1})
		}
	}
	slices.SortFunc(list, func(a, b Sample) int { return strings.Compare(a.Zone, b.Zone) })
	return list
}

// mostAround is the greatest number of enclosing muted functions to skip.
const mostAround = 16

// mostlyAround returns for each function the one around it in most samples.
func mostlyAround(samples []Sample) map[string]string {
	counts, outer := map[[2]string]int{}, map[string]string{}
	for _, l := range samples {
		counts[[2]string{l.Zone, l.Around}] += l.Count
	}
	for pair, n := range counts {
		known, there := outer[pair[0]]
		best := counts[[2]string{pair[0], known}]
		if !there || n > best || n == best && pair[1] < known {
			outer[pair[0]] = pair[1]
		}
	}
	return outer
}

// findWaits sets the part of each row's self time without a processor, and returns its share by zone. Zones measure
// elapsed time, samples measure processor time. A difference within the samples' scatter counts as 0. Samples of
// foreign code may belong to any zone, so the time that they cover is no wait.
func (s *Sum) findWaits(sampled map[string]float64, foreign float64) map[report.ZoneID]float64 {
	waits := map[report.ZoneID]float64{}
	for i := range s.Rows {
		z := &s.Rows[i]
		n := sampled[z.Info.Function]
		all := n + foreign
		if most := sampleMS * (all + 2*math.Sqrt(all+1) + 1); z.Info.Function != "" && z.Self-3*z.Off > 1.5*most {
			z.Waited = z.Self - sampleMS*all
			z.Unknown = foreign > 2*math.Sqrt(n+1)
			s.Worked -= z.Self - sampleMS*n
		}
		if idle := 1 - (z.Self-z.Waited)/z.Measured; z.Measured > 0 && (z.Waited > 0 || z.Sampled) {
			waits[z.Zone] = max(0, idle)
		}
	}
	return waits
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
