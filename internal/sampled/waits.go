package sampled

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/process/report"
)

// What is known exactly decides. Zones measure elapsed time. A function that computes has waited for nothing: see
// gather.ZoneInfo.Computes. The other functions have no more of the process's processor time than is left. Only within
// these bounds do samples say how much of a function's time was work.

const (
	sampleMS = 10 // processor time between two samples
	fewest   = 10 // samples of the run that say anything about waits

	waitingPart = 0.1 // of all rows' time: columns and sentences show what waited
	surely      = 2   // standard errors
	unknownFrom = 3   // a row with so many times the processor time hardly worked
	checkedFrom = 5   // expected samples of a row that computes, to compare with those that it has
	scheduling  = 0.1 // of the processor time: the runtime's own, apart from the collector
)

// findWaits sets what waited in each row.
func (s *Sum) findWaits(r *Run) {
	cpu, away := 1000*r.Dump.CPU.Seconds(), 1000*r.Away.Seconds()
	if n := float64(r.Sampled); r.Partial || n < fewest || n*sampleMS < cpu/2 { // or they were lost
		s.bound(cpu, away)
		s.waitLeast(cpu)
	} else {
		counts := map[string]float64{}
		for _, l := range r.Samples {
			counts[l.Zone] += float64(l.Count)
		}
		s.calibrate(counts, cpu, away)
		s.timeMuted(r, counts)
		s.bound(cpu, away)
		s.estimate(counts, float64(r.Outside[Foreign]))
		s.limit(r, cpu)
		s.Worked = s.Busy
		for i := range s.Rows {
			z := &s.Rows[i]
			z.Most = min(z.Self, z.Waited+surely*z.WaitedOff)
			s.Worked -= z.take()
		}
		s.boundMost(s.Worked - s.inRows(r, cpu))
	}
	s.Waiting = s.Busy-s.Worked > waitingPart*s.Busy
}

// bound sets Row.Least. A row's work is at most the processor time that rows which compute leave. What passed away from
// a processor may be theirs.
func (s *Sum) bound(cpu, away float64) {
	left := cpu
	if away > 0 {
		for i := range s.Rows {
			if z := &s.Rows[i]; z.Info.Computes {
				left -= max(0, z.Self-surely*z.Off)
			}
		}
		left = min(cpu, max(0, left)+away)
	}
	for i := range s.Rows {
		if z := &s.Rows[i]; !z.Info.Computes && cpu > 0 {
			z.Least = max(0, z.Self-surely*z.Off-left-away)
		}
	}
}

// waitLeast is for runs without samples: a row has waited for what it had no processor. If one row is much longer than
// the processor time, the work of those that are longer than it is not known.
func (s *Sum) waitLeast(cpu float64) {
	s.Worked = s.Busy
	long := slices.ContainsFunc(s.Rows, func(z Row) bool { return z.Least > 0 && z.Self > unknownFrom*cpu })
	for i := range s.Rows {
		z := &s.Rows[i]
		if z.Least <= 0 || !long {
			continue
		}
		z.Waited, z.Unknown = z.Least, true
		s.Worked -= z.Self
	}
	if long {
		s.Worked = max(s.Worked, cpu)
	}
}

// calibrate finds the time that a sample stands for, and how far samples can be trusted, from the rows that compute:
// their time is known, and so is how many samples they should have. The processor's timers need not be independent of
// those of the program.
func (s *Sum) calibrate(counts map[string]float64, cpu, away float64) {
	s.unit = sampleMS * (cpu + away) / max(cpu, 1)
	var self, seen float64
	var checked []Row
	for i := range s.Rows {
		if z := s.Rows[i]; z.Info.Computes && z.Off == 0 && z.Self >= checkedFrom*s.unit {
			self, seen = self+z.Self, seen+counts[z.Info.Function]
			checked = append(checked, z)
		}
	}
	if seen >= fewest {
		s.unit = max(sampleMS, self/seen)
	}
	var off, wants, squares float64
	for _, z := range checked {
		want := z.Self / s.unit
		wants, squares = wants+want, squares+want*want
		off += (counts[z.Info.Function] - want) * (counts[z.Info.Function] - want)
	}
	if byChance := wants + surely*math.Sqrt(2*squares); off > byChance {
		s.bias = min(1, math.Sqrt((off-byChance)/squares))
	}
}

// estimate sets what waited in rows that may wait. Samples of foreign code may belong to any of them.
func (s *Sum) estimate(counts map[string]float64, foreign float64) {
	for i := range s.Rows {
		z := &s.Rows[i]
		if z.Info.Computes || z.Info.Function == "" {
			continue
		}
		n := counts[z.Info.Function]
		z.Waited = max(z.Least, z.Self-s.unit*(n+foreign), 0)
		z.WaitedOff = math.Hypot(math.Hypot(s.unit*scatter(n), s.bias*z.Self), z.Off)
		z.Unknown = foreign > 2*math.Sqrt(n+1)
	}
}

// scatter returns the standard error of a number of samples. Twice as much below and above it is not by chance, even
// for few.
func scatter(n float64) float64 { return math.Sqrt(n+1) + 0.5 }

// limit takes back what cannot have waited: all rows together had the processor time of the process, but for that
// outside zones. That of the collector and the profiler is known. Samples show how much goroutines without zones had.
func (s *Sum) limit(r *Run, cpu float64) {
	waited := 0.0
	least := 0.0
	all := 0.0
	out := 0.0
	for i := range s.Rows {
		z := &s.Rows[i]
		all, waited, least = all+z.Self, waited+z.Waited, least+z.Least
	}
	for name, n := range r.Outside {
		if name != "runtime" {
			out += float64(n)
		}
	}
	beside := 1000*r.Beside.Seconds() + scheduling*cpu + sampleMS*(out+surely*scatter(out))
	most := all - max(0, cpu-beside)
	if waited <= max(most, least) {
		return
	}
	part := max(0, most-least) / (waited - least)
	for i := range s.Rows {
		z := &s.Rows[i]
		less := (z.Waited - z.Least) * (1 - part)
		z.Waited, z.WaitedOff = z.Waited-less, max(z.WaitedOff, less)
	}
}

// take keeps only time that surely waited: time that samples show, or else time without a processor. It returns the
// time of the row that was no work.
func (z *Row) take() (idle float64) {
	if sure := z.Waited > surely*z.WaitedOff && z.Waited > waitingPart*z.Self; !sure {
		z.Waited, z.WaitedOff, z.Unknown = 0, 0, z.Self > unknownFrom*(z.Self-z.Least)
		if z.Least > waitingPart*z.Self {
			z.Waited = z.Least
		}
	}
	if z.Unknown {
		return z.Self
	}
	return z.Waited
}

// inRows returns the greatest processor time that all rows can have had.
func (s *Sum) inRows(r *Run, cpu float64) float64 {
	out := 0.0
	for name, n := range r.Outside {
		if name != "runtime" {
			out += float64(n)
		}
	}
	return max(0, cpu-1000*r.Beside.Seconds()-sampleMS*max(0, out-surely*scatter(out)))
}

// boundMost bounds what rows may have waited that have not surely waited. So much longer than the processor time is the
// work of all rows, and it is not known in which of them that time was no work.
func (s *Sum) boundMost(left float64) {
	for i := range s.Rows {
		if z := &s.Rows[i]; z.Waited == 0 {
			z.Most = min(z.Most, max(0, left))
		}
	}
}

// mostOrdered is the number of rows that samples may order.
const mostOrdered = 256

// order sorts the rows: by time without what surely waited, but behind rows that surely worked for longer as samples
// tell it. That a row with a large error stands between two rows does not keep them from changing places.
func (s *Sum) order() {
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Self-b.Least, a.Self-a.Least), cmp.Compare(b.Self, a.Self),
			cmp.Compare(b.Count, a.Count), strings.Compare(a.Info.Name, b.Info.Name))
	})
	rest := s.Rows[:min(len(s.Rows), mostOrdered)]
	for ; len(rest) > 1; rest = rest[1:] {
		at := 0
		for hasBefore(rest, &rest[at]) {
			at++
		}
		first := rest[at]
		copy(rest[1:at+1], rest[:at])
		rest[0] = first
	}
}

// hasBefore reports whether any of the rows is before one of them.
func hasBefore(rows []Row, z *Row) bool {
	for i := range rows {
		if rows[i].isBefore(z) {
			return true
		}
	}
	return false
}

// isBefore reports whether a row surely worked for longer than another one.
func (z *Row) isBefore(other *Row) bool {
	off := math.Hypot(z.WaitedOff, other.WaitedOff)
	return z.Self-z.Waited-(other.Self-other.Waited) > surely*off
}

// shares returns the share of self time that was spent waiting, by zone.
func (s *Sum) shares() map[report.ZoneID]float64 {
	waits := map[report.ZoneID]float64{}
	for i := range s.Rows {
		z := &s.Rows[i]
		if z.Measured > 0 && !z.Info.Computes && (z.Waited > 0 || z.Sampled) {
			waits[z.Zone] = max(0, 1-(z.Self-z.Waited)/z.Measured)
		}
	}
	return waits
}
