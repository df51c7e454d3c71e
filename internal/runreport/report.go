package runreport

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/auto"
	"example.com/iprof/draw/text"
)

// Options say how the short report looks and what it says of the build.
type Options struct {
	Width  int    // cells of a line; 0 is 80
	Color  bool   // for a terminal
	Frames bool   // the program has frames
	Left   int    // functions without a zone because they were muted in earlier runs
	Where  string // the sentence at the end that says where the capture is; "" is none
}

const (
	shownRows   = 10
	shownLines  = 3
	shownGroups = 4
	largeShare  = 0.2 // of the busy time: a zone with more by itself has its hottest lines shown
)

// Write writes the run on one screen, the answer first. It returns the first error of w.
func (r *Run) Write(w io.Writer, o Options) error {
	if o.Width == 0 {
		o.Width = 80
	}
	b := &page{o: o}
	s := r.sum()
	r.ended(b)
	b.strong(r.headline(s))
	r.writeGroups(b, s)
	r.writeRows(b, s)
	for i := range s.rows {
		if s.rows[i].self > largeShare*s.busy && i < 2 {
			r.writeLines(b, s.rows[i].info.Function, true)
		}
	}
	r.writeRoutes(b)
	if r.HasFrames(o.Frames) {
		_ = text.WriteFrames(b, r.frames())
	}
	r.writeMuted(b, s)
	if o.Where != "" {
		fmt.Fprintln(b, o.Where)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// page is the text so far.
type page struct {
	bytes.Buffer
	o Options
}

// strong writes a line that stands out on a terminal.
func (p *page) strong(line string) {
	if p.o.Color {
		line = "\x1b[1m" + line + "\x1b[0m"
	}
	fmt.Fprintln(p, line)
}

// headline is the answer in one sentence.
func (r *Run) headline(s *sum) string {
	program := text.Name(r.Contents.Program)
	if len(s.rows) == 0 || s.busy <= 0 {
		ran := duration(r.Dump.RunTime.Seconds() * 1000)
		return fmt.Sprintf("%s ran %s; no function with a zone was entered", program, ran)
	}
	top := &s.rows[0]
	line := fmt.Sprintf("%s of %s was %s, called %s", percent(top.self/s.busy), duration(s.busy),
		text.Name(top.info.Name), times(top.count))
	if top.caller != "" {
		line += " by " + text.Name(top.caller)
	}
	if hot, share := r.hottest(top.info.Function); share > 0 {
		line += fmt.Sprintf("; %s:%d alone has %s", filepath.Base(hot.File), hot.Line, percent(share*top.self/s.busy))
	}
	return line
}

// hottest returns the line with the most samples in a zone, and its share of them.
func (r *Run) hottest(zone string) (hot auto.Sample, share float64) {
	all := 0
	for _, l := range r.inZone(zone) {
		if all += l.Count; l.Count > hot.Count {
			hot = l
		}
	}
	if all < leastSamples {
		return hot, 0
	}
	return hot, float64(hot.Count) / float64(all)
}

// leastSamples is the fewest samples in a zone that say anything about its lines.
const leastSamples = 5

// inZone returns the samples in a zone's function, outside the zones below it; "" is all.
func (r *Run) inZone(zone string) (list []auto.Sample) {
	for _, l := range r.samples() {
		if zone == "" || l.Zone == zone {
			list = append(list, l)
		}
	}
	return list
}

// writeGroups writes for how long each group of goroutines ran and what it waited for.
func (r *Run) writeGroups(b *page, s *sum) {
	line := fmt.Sprintf("ran %s", duration(r.Dump.RunTime.Seconds()*1000))
	if cpu := r.Dump.CPU.Seconds() * 1000; cpu > 0 {
		line += ", processor " + duration(cpu)
		line += fmt.Sprintf(", profiler %.1f %% of it", min(100, 100*s.profiler/cpu))
	}
	fmt.Fprintln(b, line)
	for i := range s.groups {
		g := &s.groups[i]
		if i == shownGroups {
			more := counted(len(s.groups)-i, "more group of goroutines", "more groups of goroutines")
			fmt.Fprintf(b, "  and %s\n", more)
			return
		}
		if g.life <= 0 || len(s.groups) == 1 && len(g.waited) == 0 {
			continue
		}
		line := fmt.Sprintf("  %s: %s of %s ran", text.Name(g.name), percent(g.ran/g.life), duration(g.life))
		if g.goroutines > 1 {
			line += fmt.Sprintf(" in %d goroutines", g.goroutines)
		}
		for n, what := range g.longest() {
			if n == 2 {
				break
			}
			line += fmt.Sprintf(", %s %s", percent(g.waited[what]/g.life), text.Name(what))
		}
		fmt.Fprintln(b, text.Cut(line, b.o.Width))
	}
}

// longest returns what a group waited for, the longest first.
func (g *group) longest() []string {
	names := slices.Sorted(maps.Keys(g.waited))
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := g.waited[a], g.waited[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return names
}

// writeRows writes the zones that take the most time by themselves.
func (r *Run) writeRows(b *page, s *sum) {
	if len(s.rows) == 0 {
		return
	}
	b.strong("    self    share      calls     a call  function")
	for i := range s.rows[:min(len(s.rows), shownRows)] {
		z := &s.rows[i]
		sign := " "
		if z.estimated {
			sign = "~"
		}
		call := "-"
		if z.count > 0 {
			call = duration(z.self / z.count)
		}
		line := fmt.Sprintf("%s%8s %7s %10s %10s  %s  %s", sign, duration(z.self), percent(z.self/max(s.busy, z.self)),
			grouped(z.count), call, text.Name(z.info.Name), z.info.Site())
		fmt.Fprintln(b, text.Cut(line, b.o.Width))
	}
	if more := len(s.rows) - shownRows; more > 0 {
		fmt.Fprintf(b, "  and %s; -full shows all\n", counted(more, "more function", "more functions"))
	}
}

// writeLines writes the lines with the most samples in a zone, or in all.
func (r *Run) writeLines(w io.Writer, zone string, cut bool) {
	list, all := r.inZone(zone), 0
	for _, l := range list {
		all += l.Count
	}
	if all < leastSamples {
		return
	}
	if zone != "" {
		fmt.Fprintf(w, "lines of %s, by %d samples:\n", text.Name(zone), all)
	} else {
		fmt.Fprintf(w, "hottest lines, by %d samples:\n", all)
	}
	for _, l := range list[:min(len(list), shownLines)] {
		place := fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
		line := fmt.Sprintf("%8s  %-18s %s", percent(float64(l.Count)/float64(all)), text.Name(place),
			text.Name(sourceLine(l.File, l.Line)))
		if l.Function != zone {
			line += "  in " + text.Name(lastPart(l.Function))
		}
		if cut {
			line = text.Cut(line, 80)
		}
		fmt.Fprintln(w, line)
	}
}

// lastPart returns a function's name with only the last element of the import path.
func lastPart(function string) string { return function[strings.LastIndexByte(function, '/')+1:] }

// sourceLine returns the text of a line of a file, without the white space around it; "" if it cannot be read.
func sourceLine(name string, line int) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		if line--; line == 0 {
			return strings.Join(strings.Fields(s.Text()), " ")
		}
	}
	return ""
}

// writeMuted says what has no exact times, or no zone, and which flag changes that.
func (r *Run) writeMuted(b *page, s *sum) {
	var parts []string
	if n := len(r.Notes.Muted); n > 0 {
		names := make([]string, 0, 3)
		for _, z := range r.Notes.Muted[:min(n, cap(names))] {
			names = append(names, text.Name(z.Name))
		}
		some := strings.Join(names, ", ")
		if n > len(names) {
			some += ", …"
		}
		parts = append(parts, fmt.Sprintf("muted, as calls are too short to measure: %d (%s)", n, some))
	}
	if b.o.Left > 0 {
		parts = append(parts, fmt.Sprintf("left out since earlier runs: %d", b.o.Left))
	}
	if len(parts) > 0 {
		fmt.Fprintln(b, text.Cut(strings.Join(parts, "; ")+"; -all measures all", b.o.Width))
	}
}

// duration formats milliseconds in the unit that people read.
func duration(ms float64) string {
	switch {
	case ms >= 9_999.5:
		return fmt.Sprintf("%.0f s", ms/1000)
	case ms >= 999.5:
		return fmt.Sprintf("%.2f s", ms/1000)
	case ms >= 99.95:
		return fmt.Sprintf("%.0f ms", ms)
	case ms >= 0.9995:
		return fmt.Sprintf("%.1f ms", ms)
	case ms >= 0.0995:
		return fmt.Sprintf("%.0f us", ms*1000)
	case ms >= 0.0009995:
		return fmt.Sprintf("%.1f us", ms*1000)
	}
	return fmt.Sprintf("%.0f ns", max(0, ms)*1e6)
}

// percent formats a share.
func percent(share float64) string {
	if share > 0 && share < 0.0995 {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*min(1, max(0, share)))
}

// grouped formats a number with commas.
func grouped(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func times(n float64) string {
	switch grouped(n) {
	case "1":
		return "once"
	case "2":
		return "twice"
	}
	return grouped(n) + " times"
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
