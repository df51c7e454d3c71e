package runreport

import (
	"fmt"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
)

const (
	shownWaits = 3    // rows of waits
	leastWait  = 0.01 // of the run; shorter waits have no row
)

// writeRows writes the zones with the most self time, and the longest waits. lines is the greatest number of lines.
func (r *Run) writeRows(b *page, s *sum, lines int) {
	waits := r.waits(s)
	if len(s.rows)+len(waits) == 0 {
		return
	}
	n := min(len(s.rows), shownRows, max(lines-1-len(waits), fewestRows))
	for n > fewestRows && s.rows[n-1].Self < smallShare*s.Busy {
		n--
	}
	waits = waits[:min(len(waits), max(lines-1-n, 1))]
	head := "    self    share      calls     a call  function"
	if s.Waiting {
		head = "    self  waited   share      calls     a call  function"
	}
	if n < len(s.rows) {
		head += fmt.Sprintf(" (%d of %d; all: -full)", n, len(s.rows))
	}
	b.strong(text.Cut(head, b.o.Width))
	for i := range s.rows[:n] {
		fmt.Fprintln(b, text.Cut(s.line(&s.rows[i]), b.o.Width))
	}
	for i := range waits {
		fmt.Fprintln(b, text.Cut(s.waitLine(&waits[i]), b.o.Width))
	}
}

// waits returns the waits that have a row.
func (r *Run) waits(s *sum) []sampled.Row {
	n := 0
	for n < min(len(s.Idle), shownWaits) && s.Idle[n].Self >= leastWait*1000*r.Dump.RunTime.Seconds() {
		n++
	}
	return s.Idle[:n]
}

// line is the line of a row. An estimate with an error above a tenth has its error bar; an unknown one is "-".
func (s *sum) line(z *row) string {
	sign := " "
	self := duration(z.Self)
	call := "-"
	off := ""
	if z.Estimated != gather.EstimatedNone {
		sign = "~"
	}
	if z.Count > 0 {
		call = duration(z.Self / z.Count)
	}
	switch {
	case z.Off > 0 && z.Off >= z.Self:
		self, call = "-", "-"
	case 2*z.Off > wideError*z.Self:
		off = "  +-" + duration(2*z.Off)
	}
	waited := "-"
	if z.Waited > 0 && self != "-" {
		waited = percent(z.Waited / z.Self)
		if off := 100 * surely * z.WaitedOff / z.Self; off >= 1 {
			waited = fmt.Sprintf("%.0f+-%.0f %%", 100*z.Waited/z.Self, off)
		}
	}
	worked, share := z.Self-z.Waited, "-"
	if !z.Unknown && self != "-" && s.Worked+worked > 0 {
		share = percent(worked / max(s.Worked, worked))
	}
	return s.columns(sign+fmt.Sprintf("%8s", self), waited, share, z.Count, call) + text.Name(z.Info.Name) + "  " +
		z.Info.Site() + off
}

// surely is the number of standard errors after +-.
const surely = 2

// waitLine is the line of a wait.
func (s *sum) waitLine(z *sampled.Row) string {
	call, name := "-", z.Info.Name
	if z.Count > 0 {
		call = duration(z.Self / z.Count)
	}
	if function := functionOf(&z.Info); function != name {
		name = function + ": " + name
	}
	return s.columns(fmt.Sprintf("%9s", duration(z.Self)), "100 %", "wait", z.Count, call) + text.Name(name) + "  " +
		z.Info.Site()
}

// columns is the beginning of a line.
func (s *sum) columns(self, waited, share string, count float64, call string) string {
	if s.Waiting {
		self += fmt.Sprintf(" %7s", waited)
	}
	return fmt.Sprintf("%s %7s %10s %10s  ", self, share, grouped(count), call)
}

// functionOf returns the name of a zone's function, without its package.
func functionOf(z *gather.ZoneInfo) string {
	function := lastPart(z.Function)
	if _, name, ok := strings.Cut(function, "."); ok {
		return name
	}
	return function
}
