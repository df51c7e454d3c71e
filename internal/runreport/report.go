package runreport

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/sampled"
)

// Options choose the look of the short report, and give it facts of the build.
type Options struct {
	Width  int    // cells of a line; 0 is 80, and Uncut any
	Color  bool   // for a terminal
	Frames bool   // the program has frames
	Left   int    // functions without a zone because earlier runs muted them
	Where  string // the last sentence, which names the capture; "" is none
}

// Uncut is the Width of a file or a pipe: no line is cut.
const Uncut = 1 << 30

const (
	screen      = 23 // lines, and one for the shell's prompt
	shownRows   = 10 // if they fit
	fewestRows  = 5
	smallShare  = 0.001 // of the time; smaller rows are left out after the first five
	shownLines  = 3
	nameCells   = 36 // of a name in the first sentence
	shownGroups = 3
	leastCPU    = 10  // ms; the profiler's start dominates a smaller time
	wideError   = 0.1 // of a time: show larger error bars
	largeShare  = 0.2 // of the busy time: show the hottest lines of zones with more self time
)

// Write writes the run on one screen, the answer first. It returns the first error of w.
func (r *Run) Write(w io.Writer, o Options) error {
	if o.Width == 0 {
		o.Width = 80
	}
	b, end := &page{o: o}, &page{o: o}
	s := r.sum()
	if r.ended(b, o.Width); r.Dump.RunTime <= 0 && !r.Notes.Ended {
		_, err := w.Write(b.Bytes())
		return err
	}
	if frame := r.worstFrame(); r.HasFrames(o.Frames) && frame != "" {
		b.strong(wrap(frame, o.Width))
	}
	b.strong(wrap(r.headline(s), o.Width))
	r.writeGroups(b, s)
	for i := range s.rows {
		z := &s.rows[i]
		if z.Self-z.Waited > largeShare*s.Worked && i < 2 && z.Info.Function != "" {
			r.writeLines(end, z.Info.Function, o.Width)
		}
	}
	r.writeOutside(end)
	r.writeMuted(end)
	if o.Where != "" {
		fmt.Fprintln(end, o.Where)
	}
	lines := bytes.Count(b.Bytes(), newline) + bytes.Count(end.Bytes(), newline)
	r.writeRows(b, s, screen-1-lines)
	b.Write(end.Bytes())
	r.writeRoutes(b)
	if r.HasFrames(o.Frames) {
		r.writeFrames(b, false)
	}
	_, err := w.Write(b.Bytes())
	return err
}

var newline = []byte{'\n'}

// wrap breaks a line that is too wide after its last sentence that fits, or else at a space.
func wrap(line string, width int) string {
	if text.Cut(line, width) == line {
		return line
	}
	at := strings.LastIndex(line[:min(len(line), width)], " ")
	if end := strings.LastIndex(line[:min(len(line), width)], "; "); end > 0 {
		at = end + 1
	}
	if at <= len(indent) {
		return line
	}
	return line[:at] + "\n" + wrap(indent+line[at+1:], width)
}

const indent = "  " // of the lines after the first one of a sentence

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

// calls returns a row's number of calls in words.
func (z *row) calls() string { return times(z.Count) }

// hottest returns the line with the most samples in a zone, and its share of them.
func (r *Run) hottest(zone string) (hot sampled.Sample, share float64) {
	all := 0
	for _, l := range r.inZone(zone) {
		if all += l.Count; l.Count > hot.Count && l.Line > 0 {
			hot = l
		}
	}
	if all < leastSamples {
		return hot, 0
	}
	return hot, float64(hot.Count) / float64(all)
}

// leastSamples is the fewest samples in a zone for a statement on its lines.
const leastSamples = 5

// inZone returns the samples in a zone's function, outside the zones below it; "" is all.
func (r *Run) inZone(zone string) (list []sampled.Sample) {
	for _, l := range r.sampled().Hottest() {
		if l.Zone = aroundRound(l.Zone); zone == "" || l.Zone == zone {
			list = append(list, l)
		}
	}
	return list
}

// writeGroups writes the running time of each group of goroutines and the causes of its waits.
func (r *Run) writeGroups(b *page, s *sum) {
	line := fmt.Sprintf("ran %s", duration(r.Dump.RunTime.Seconds()*1000))
	if r.rested() {
		line += " of " + duration(r.Lasted.Seconds()*1000)
	}
	if cpu := r.Dump.CPU.Seconds() * 1000; cpu > 0 {
		if line += ", processor " + duration(cpu); cpu >= leastCPU {
			line += ", profiler " + s.profiler.of(cpu, "it")
		}
	}
	if away := r.Notes.Away.Seconds() * 1000; away >= leastCPU {
		line += "; waited for a processor "
		if !r.Notes.Ended { // iprof run has read it up to a second earlier
			line += "at least "
		}
		line += duration(away) // all threads together, as the processor time
	}
	fmt.Fprintln(b, wrap(line, b.o.Width))
	list := slices.DeleteFunc(slices.Clone(s.groups), func(g group) bool { return g.life <= 0 })
	if len(list) == 0 || len(list) == 1 && len(list[0].waited) == 0 {
		return
	}
	head := "    life     ran  goroutines"
	if slices.ContainsFunc(list, func(g group) bool { return g.goroutines > 1 }) {
		head += "; life, self: sums"
	}
	if len(list) > shownGroups {
		head += fmt.Sprintf(" (%d of %d groups; all: -full)", shownGroups, len(list))
	}
	b.strong(head)
	for i := range list[:min(len(list), shownGroups)] {
		g := &list[i]
		line := fmt.Sprintf("%8s %7s  ", duration(g.life), percent(g.ran/g.life))
		if g.goroutines > 1 {
			line += fmt.Sprintf("%d of ", g.goroutines)
		}
		line += text.Name(g.name)
		for n, what := range g.longest() {
			if part := g.waited[what] / g.life; n < 2 && part >= 0.01 {
				line += fmt.Sprintf(", %s %s", percent(part), waitedFor(what))
			}
		}
		fmt.Fprintln(b, text.Cut(line, b.o.Width))
	}
}

// waitedFor returns a cause of waiting in words.
func waitedFor(what string) string {
	if strings.HasPrefix(what, "in ") {
		return "waits " + text.Name(what)
	}
	return text.Name(what)
}

// longest returns the causes of a group's waits, the longest first.
func (g *group) longest() []string {
	names := slices.Sorted(maps.Keys(g.waited))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(g.waited[b], g.waited[a]) })
	return names
}

// writeLines writes the lines with the most samples in a zone, or in all.
func (r *Run) writeLines(w io.Writer, zone string, width int) {
	list, all := r.inZone(zone), 0
	for _, l := range list {
		all += l.Count
	}
	if all < leastSamples {
		return
	}
	if zone != "" {
		fmt.Fprintf(w, "lines of %s, by %s:\n", text.Name(zone), printed.Count(all, "sample"))
	} else {
		fmt.Fprintf(w, "hottest lines, by %s:\n", printed.Count(all, "sample"))
	}
	list = slices.DeleteFunc(list, func(l sampled.Sample) bool { return l.Line == 0 })
	for _, l := range list[:min(len(list), shownLines)] {
		place := fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
		line := fmt.Sprintf("%8s  %s  ", percent(float64(l.Count)/float64(all)), text.Name(place))
		if aroundRound(l.Function) != zone {
			line += "in " + text.Name(lastPart(l.Function)) + ": "
		}
		if source := sourceLine(l.File, l.Line); source != "" {
			line += text.Name(source)
		}
		fmt.Fprintln(w, text.Cut(strings.TrimRight(line, " "), width))
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

// writeOutside writes the packages with processor time outside of zones, if it is much.
func (r *Run) writeOutside(b *page) {
	packages, all := slices.Sorted(maps.Keys(r.Notes.Outside)), 0
	for _, name := range packages {
		all += r.Notes.Outside[name]
	}
	if all < leastSamples || float64(all) < largeShare*float64(r.Notes.Sampled) {
		return
	}
	slices.SortStableFunc(packages, func(a, b string) int { return r.Notes.Outside[b] - r.Notes.Outside[a] })
	line := fmt.Sprintf("outside zones: %s of the processor time (", r.ofSamples(all))
	for _, name := range packages[:min(len(packages), shownLines)] {
		line += fmt.Sprintf("%s %s, ", text.Name(name), r.ofSamples(r.Notes.Outside[name]))
	}
	fmt.Fprintln(b, text.Cut(strings.TrimSuffix(line, ", ")+")", b.o.Width))
}

func (r *Run) ofSamples(n int) string { return percent(float64(n) / float64(r.Notes.Sampled)) }

// writeMuted names functions without exact times or without a zone, and the flag that changes that.
func (r *Run) writeMuted(b *page) {
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
		parts = append(parts, fmt.Sprintf("muted, because their calls are too short to measure: %d (%s)", n, some))
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
	return printed.Noun(grouped(n), "time")
}
