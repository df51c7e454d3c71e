package sampled

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/process/report"
)

// noteMuted notes the rows around a muted wait: the time of the wait is in theirs, so they may have waited.
func (s *Sum) noteMuted(r *Run) {
	around := map[report.ZoneID]bool{}
	for i := range r.Dump.Merged {
		n := &r.Dump.Merged[i]
		if z := r.zone(n.Zone); n.Parent >= 0 && z.Idle && r.isMuted(z) {
			around[r.Dump.Merged[n.Parent].Zone] = true
		}
	}
	for i := range s.Rows {
		if z := &s.Rows[i]; around[z.Zone] {
			z.Info.Computes = false
		}
	}
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
		off := s.unit * math.Sqrt(n+1)
		surer := off < z.Off || s.unit*n-z.Self > 2*math.Hypot(off, z.Off)
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
		more := s.unit*sampled[l.Zone] - inner.Measured
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
