package runreport

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

const (
	// mostWork limits the sum of all zones' work by samples, in multiples of the process's processor time. A larger sum
	// means that many zones waited for a processor, each too short to show in samples.
	mostWork = 3

	waitingRun  = 0.05 // least share of processor time in a run; a program with less mostly waits
	littleCover = 0.5  // of the processor time; a program whose zones cover less says so first
	leastCover  = 50   // ms of processor time of which that is said
	seldom      = 3    // entries of a wait that is no pace
	longWait    = 0.1  // of the run
	nearly      = 0.05 // of a row's work; by so much the order of two functions changes between runs
	tiedNames   = 3    // in the first sentence
	tiedPart    = 0.25 // of the first row's work; one that can have less does not tie, however little is known
)

// headline returns the answer in one sentence.
func (r *Run) headline(s *sum) string {
	program := text.Name(r.Contents.Program)
	pause, first := r.pause(s)
	if len(s.rows) == 0 || s.Busy <= 0 {
		ran := duration(r.Dump.RunTime.Seconds() * 1000)
		if pause != "" {
			return pause
		}
		return fmt.Sprintf("%s ran %s; no function with a zone was entered", program, ran)
	}
	line := r.covered(s) + r.answer(s)
	switch {
	case pause == "":
	case first && r.pausing(s).Self > s.rows[0].Self-s.rows[0].Waited:
		line = pause + "; " + line
	default:
		line += "; " + pause
	}
	return line
}

// answer names the function with the most work.
func (r *Run) answer(s *sum) string {
	cpu, run := r.Dump.CPU.Seconds(), r.Dump.RunTime.Seconds()
	top := &s.rows[0]
	if at := slices.IndexFunc(s.rows, func(z row) bool { return !z.Unknown }); top.Unknown && at > 0 {
		if known := &s.rows[at]; known.work() > 1000*cpu/2 { // no other can have more
			return r.named(known, known.work()/(1000*cpu), duration(1000*cpu)+" of processor time")
		}
	}
	if most := s.longestWait(); s.Waiting && top.Unknown && cpu < waitingRun*run {
		return fmt.Sprintf("%s of %s was waiting, most of it in %s, called %s", percent(1-cpu/run), duration(run*1000),
			text.Cut(text.Name(most.Info.Name), nameCells), most.calls())
	}
	if unknown := top.Unknown || cpu > 0 && s.Worked > mostWork*1000*cpu; unknown || s.Worked <= 0 {
		line := s.passed(top, r.onAll(s.Busy))
		if unknown {
			line += "; the process had a processor for " + duration(1000*cpu)
		}
		return line
	}
	what := duration(s.Worked)
	if s.Waiting {
		what += " of work"
	}
	what += r.onAll(s.Worked)
	if first := s.tied(top); len(first) > 1 {
		return tie(first, what+" was", func(z *row) float64 { return z.work() / s.Worked })
	}
	return r.named(top, top.work()/s.Worked, what)
}

// work returns the part of a row's time that was work.
func (z *row) work() float64 { return z.Self - z.Waited }

// tied returns the rows that may have the most work, the one with most first.
func (s *sum) tied(top *row) (list []*row) {
	for i := range s.rows {
		if z := &s.rows[i]; z == top || z.mayReach(top) {
			list = append(list, z)
		}
	}
	slices.SortStableFunc(list, func(a, b *row) int { return cmp.Compare(b.work(), a.work()) })
	return list
}

// mayReach reports whether a row's work may be as much as that of top, or nearly is. If nothing is known of that, half
// the time is enough.
func (z *row) mayReach(top *row) bool {
	if top.Unknown {
		return 2*z.Self > top.Self
	}
	less := top.work() - z.work()
	above := z.Waited - max(z.Least, z.Waited-surely*z.WaitedOff)
	below := max(0, top.Most-top.Waited)
	off := math.Hypot(math.Hypot(below, above), surely*math.Hypot(top.Off, z.Off))
	large := z.work() > 0 && z.work()+above > tiedPart*top.work()
	return !z.Unknown && large && less < max(off, nearly*top.work())
}

// tie names the rows that tie, with their shares of something.
func tie(list []*row, what string, share func(z *row) float64) string {
	var parts []string
	for i, z := range list[:min(len(list), tiedNames)] {
		of := percent(share(z))
		if i == 0 {
			of += " of " + what
		}
		parts = append(parts, of+" "+text.Cut(text.Name(z.Info.Name), nameCells))
	}
	if more := len(list) - tiedNames; more > 0 {
		parts = append(parts, fmt.Sprint(more, " more"))
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last] + ": too close to say which is first"
}

// named is the answer with a row that has a share of something.
func (r *Run) named(top *row, share float64, what string) string {
	name := text.Cut(text.Name(top.Info.Name), nameCells)
	line := fmt.Sprintf("%s of %s was %s, called %s", percent(share), what, name, top.calls())
	if top.caller != "" {
		line += " by " + text.Cut(text.Name(top.caller), nameCells)
	}
	if hot, part := r.hottest(top.Info.Function); part > 0 {
		in := ""
		if aroundRound(hot.Function) != top.Info.Function {
			in = " in " + text.Cut(text.Name(lastPart(hot.Function)), nameCells)
		}
		line += fmt.Sprintf("; %s:%d%s alone has %s", filepath.Base(hot.File), hot.Line, in, percent(part*share))
	}
	return line
}

// onAll says of a sum over goroutines in milliseconds that it is one, if it is longer than the run.
func (r *Run) onAll(ms float64) string {
	if ms > 1000*r.Dump.RunTime.Seconds() {
		return " on all goroutines"
	}
	return ""
}

// passed returns the answer if the work in a row's time is unknown.
func (s *sum) passed(top *row, onAll string) string {
	what := duration(s.Busy) + onAll + " passed in"
	if first := s.tied(top); len(first) > 1 {
		slices.SortStableFunc(first, func(a, b *row) int { return cmp.Compare(b.Self, a.Self) })
		return tie(first, what, func(z *row) float64 { return z.Self / s.Busy })
	}
	line := fmt.Sprintf("%s of %s %s, called %s", percent(top.Self/s.Busy), what,
		text.Cut(text.Name(top.Info.Name), nameCells), top.calls())
	if top.caller != "" {
		line += " by " + text.Cut(text.Name(top.caller), nameCells)
	}
	return line
}

// longestWait returns the row that waited for the longest time.
func (s *sum) longestWait() row {
	return slices.MaxFunc(s.rows, func(a, b row) int { return cmp.Compare(a.Waited, b.Waited) })
}

// covered returns the beginning of the answer in a program that mostly works outside zones, else "".
func (r *Run) covered(s *sum) string {
	cpu := 1000 * (r.Dump.CPU - r.Notes.GC - r.Notes.Own).Seconds()
	if cpu < leastCover || s.Worked >= littleCover*cpu || s.rows[0].Unknown {
		return ""
	}
	return fmt.Sprintf("zones cover %s of %s of processor time; of that, ", percent(s.Worked/cpu), duration(cpu))
}

// pausing returns the wait for which the program as a whole stood still the longest: the goroutine that does most of
// its work was in it, only now and then, it is over, and nothing else used the processor for as long. It is nil if
// there is none.
func (r *Run) pausing(s *sum) (most *sampled.Row) {
	run, cpu := 1000*r.Dump.RunTime.Seconds(), 1000*r.Dump.CPU.Seconds()
	main, worked := r.mainWaits()
	if worked < s.Busy/2 {
		return nil
	}
	for i := range s.Idle {
		z := &s.Idle[i]
		if ms := main[z.Zone]; z.Count <= seldom && ms >= longWait*run && ms <= run-cpu+longWait*run &&
			(most == nil || z.Self > most.Self) {
			most = z
		}
	}
	return most
}

// mainWaits returns the times of the main goroutine's waits that are over, by zone, and in its other zones.
func (r *Run) mainWaits() (waits map[report.ZoneID]float64, worked float64) {
	waits = map[report.ZoneID]float64{}
	for i := range r.Dump.Lanes {
		l := &r.Dump.Lanes[i]
		if l.Name != mainLane {
			continue
		}
		for k := range l.Nodes {
			switch n := &l.Nodes[k]; {
			case n.Zone == 0 || r.own[n.Zone]:
			case !n.Idle:
				worked += n.Self
			case !n.Open && !r.open[placeOf(r.zone(n.Zone))]:
				waits[n.Zone] += n.Self
			}
		}
	}
	return waits, worked
}

// pause returns a clause with that wait, or "". first is true if it is a pause that the program takes, rather than a
// wait for what others do.
func (r *Run) pause(s *sum) (clause string, first bool) {
	z := r.pausing(s)
	if z == nil {
		return "", false
	}
	run := 1000 * r.Dump.RunTime.Seconds()
	clause = fmt.Sprintf("%s of %s was waiting: %s %s, %s", percent(z.Self/run), duration(run),
		text.Cut(waitingIn(z), nameCells), duration(z.Self), text.Name(z.Info.Site()))
	return clause, !strings.HasPrefix(z.Info.Name, "wait")
}

// waitingIn says in words which function waits, and for what.
func waitingIn(z *sampled.Row) string {
	function := functionOf(&z.Info)
	switch what := z.Info.Name; {
	case what == "sleep":
		return text.Name(function) + " sleeps"
	case strings.HasPrefix(what, "wait") && function != what:
		return text.Name(function + " waits" + strings.TrimPrefix(what, "wait"))
	default:
		return text.Name(what) + " waits"
	}
}
