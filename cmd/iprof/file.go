package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// inJSON are the functions of commands with -json.
var inJSON = map[string]func(io.Writer, *process.Session, *opened) error{
	"top": topJSON, "tree": treeJSON, "frames": framesJSON, "verdicts": verdictsJSON,
}

// inPart are the commands that show averages and chosen frames: they do not need a long file in a session as a whole.
var inPart = map[string]bool{"top": true, "verdicts": true, "tree": true, "frames": true}

// rowsBy are the keys of the rows of commands that write rows, the usual one first.
var rowsBy = map[string][]string{"top": tables.Times.By, "tree": {"path"}, "verdicts": tables.Verdicts.By}

// show returns a command that writes a capture with the function write.
func show(name string, write func(io.Writer, *process.Session, *opened) error) func(args []string) int {
	return func(args []string) int {
		f := newFlags(name)
		output := f.String("o", "-", "write to `FILE`; - is standard output")
		asJSON := f.Bool("json", false, "write one JSON object")
		all := f.Bool("all", false, "show all frames of a black box's file, not only the one that triggered it")
		full, pick := new(bool), selection{}
		if inPart[name] {
			pick.addTo(f, rowsBy[name])
		}
		if name == "html" {
			full = f.Bool("full", false, "write the whole viewer and the capture in one file, of 5 MB and more")
		}
		if err := parseFlags(f, args); err != nil {
			return usageStatus(err)
		}
		write, ok, say := write, true, *asJSON && name == "html"
		if *asJSON && !say {
			write, ok = inJSON[name]
		}
		if say && *output == "-" {
			return fail(errNoFile)
		}
		if f.NArg() == 2 && *output == "-" {
			stderr.Printf("iprof: %s shows one capture; to write it to a file: iprof %[1]s -o %s %s; "+
				"to compare two: iprof diff %[3]s %[2]s\n", name, shownText(f.Arg(1)), shownText(f.Arg(0)))
			return 2
		}
		if f.NArg() != 1 || !ok {
			stderr.Printf("usage: iprof %s [flags] CAPTURE, as: iprof %[1]s game.iprof\n", name)
			return 2
		}
		if *full {
			return fullPage(f.Arg(0), *output, say)
		}
		by := read(open)
		if inPart[name] && !(*asJSON && name == "tree" && !pick.rows()) { // else it writes the whole object
			by = openNewest
		}
		sums := pick.by != "" && pick.by != rowsBy[name][0]
		if sums && name == "top" {
			by = openTwice(pick.judges())
		}
		var frames uint64
		code := showFile(by, f.Arg(0), *output, func(w io.Writer, s *process.Session, c *opened) error {
			c.HasFrame, c.pick, frames = c.HasFrame && !*all && !pick.chosen(), pick, c.Frames
			if sums && name == "verdicts" {
				return c.writeBlamed(w, s, *asJSON)
			}
			if sums {
				return c.writeSums(w, s, tables.Times, *asJSON)
			}
			return write(w, s, c)
		})
		if say && code == 0 {
			return status(written{File: *output, Frames: frames}.print(stdout))
		}
		return code
	}
}

// read is the function by which a command reads a capture: open or openNewest.
type read func(name string) (*process.Session, *opened, error)

func showFile(by read, path, output string, write func(io.Writer, *process.Session, *opened) error) int {
	if err := beforeReading(path, output); err != nil {
		return fail(err)
	}
	session, contents, err := by(path)
	if err != nil {
		return fail(err)
	}
	defer contents.close()
	if output == "-" {
		return status(write(stdout, session, contents))
	}
	return status(outfile.Write(output, func(w io.Writer) error {
		return write(printed.To(w), session, contents)
	}))
}

// topReport returns the zones in the order of their self time. Values are means of all frames, or of the frame that
// triggered a black box.
func topReport(s *process.Session, c *opened) (*report.Report, error) {
	r := &report.Report{WantCalls: true}
	if c.HasFrame && s.View().ShowFrame(c.Frame) {
		s.View().SetReportMode(report.ReportSelfTime)
		s.View().SetAverage(report.AverageInstant)
	} else if err := c.show(s, report.View{Mode: report.ReportSelfTime}); err != nil {
		return nil, err
	}
	s.View().AppendReport(r)
	return r, nil
}

// top writes the zones in the order of their self time.
func top(w io.Writer, s *process.Session, c *opened) error {
	if c.HasFrame && s.View().ShowFrame(c.Frame) {
		return hitch(w, s, c, report.ReportSelfTime)
	}
	r, err := topReport(s, c)
	if err != nil {
		return err
	}
	describeCapture(w, s, c)
	if d := c.disturbed(s); d != nil && d.Frames > 0 {
		words := report.DisturbedWords(d.Frames, d.Among)
		fmt.Fprintln(w, strings.Replace(words, "frame", s.View().Info().Kind.Frame(), 1))
	}
	if err := c.pick.writeRows(w, s, r); err != nil {
		return err
	}
	return c.slowCallLine(w, r)
}

// hitch writes the session's shown frame and its verdict.
func hitch(w io.Writer, s *process.Session, c *opened, mode report.ReportMode) error {
	s.View().SetReportMode(mode)
	s.View().SetAverage(report.AverageInstant)
	describeCapture(w, s, c)
	fmt.Fprintf(w, "this is frame %d; -all shows all frames\n", c.Frame)
	r := &report.Report{WantCalls: true}
	s.View().AppendReport(r)
	return text.WriteReport(w, r, text.Options{Zone: s.Zone})
}

// slowCallLine names the command that shows the slow call behind a p99: the one with the greatest excess.
func (c *opened) slowCallLine(w io.Writer, r *report.Report) error {
	if len(r.SlowCalls) == 0 {
		return nil
	}
	worst := slices.MaxFunc(r.SlowCalls, func(a, b *report.SlowCall) int { return cmp.Compare(a.Excess(), b.Excess()) })
	link := c.link(worst.Frame, worst.Name)
	if link == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "the slowest, in the viewer: %s; Shift+Q there lists those of a zone\n", link)
	return err
}

func tree(w io.Writer, s *process.Session, c *opened) error {
	if c.HasFrame && s.View().ShowFrame(c.Frame) {
		return hitch(w, s, c, report.ReportCallTree)
	}
	if c.pick.rows() {
		r, err := c.treeReport(s)
		if err != nil {
			return err
		}
		describeCapture(w, s, c)
		return c.pick.writeRows(w, s, r)
	}
	d := s.Dump(report.DumpOptions{NoFrames: true})
	if err := c.ofAllFrames(d, s); err != nil {
		return err
	}
	describeCapture(w, s, c)
	return text.WriteTree(w, d, text.Options{})
}

// page writes an HTML page.
func page(w io.Writer, s *process.Session, c *opened) error {
	return html.Write(w, s.Dump(report.DumpPage), html.Options{Link: c.link})
}

// treeJSON writes the whole capture as JSON, or the rows of the call tree that the user chose.
func treeJSON(w io.Writer, s *process.Session, c *opened) error {
	if !c.pick.rows() {
		return text.WriteJSON(w, s.Dump(report.DumpOptions{}))
	}
	r, err := c.treeReport(s)
	if err != nil {
		return err
	}
	return writeReport(w, s, c, r)
}

// treeReport returns the call tree of the chosen frames.
func (c *opened) treeReport(s *process.Session) (*report.Report, error) {
	r := new(report.Report)
	if err := c.show(s, report.View{Mode: report.ReportCallTree}); err != nil {
		return nil, err
	}
	s.View().AppendReport(r)
	return r, nil
}

// slowest lists the slowest frames, and the sections.
func slowest(w io.Writer, s *process.Session, c *opened) error {
	list, left, err := c.slowestFrames(s)
	if err != nil {
		return err
	}
	describeCapture(w, s, c)
	fmt.Fprintf(w, "%10s %10s %10s %10s\n", "frame", "ms", "busy ms", "blocked")
	for _, f := range list {
		if _, err := fmt.Fprintf(w, "%10d %10.2f %10.2f %10.2f\n", f.Index, f.Length, f.Busy, f.Blocked); err != nil {
			return err
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "frames %d of %d\n", len(list), len(list)+left)
	}
	sections, dropped := c.sectionsOf(s)
	return writeSections(w, sections, dropped)
}

func describeCapture(w io.Writer, s *process.Session, c *opened) {
	state := ""
	if !c.Complete {
		state = "; cut off at its end"
	}
	from := ""
	if !c.Start.IsZero() {
		from = c.Start.Format(" from 2006-01-02 15:04:05")
	}
	frames := printed.Count(c.Frames, "frame")
	switch c.Frames {
	case 0:
		frames = "no frame: the program ended none (iprof.Update ends one)"
	case 1:
		frames = "1 frame"
	}
	fmt.Fprint(w, shownText(c.Program))
	for _, known := range []string{c.GoVersion, c.Machine} {
		if known != "" && known != importer.NotKnown {
			fmt.Fprint(w, ", ", shownText(known))
		}
	}
	if kind := s.View().Info().Kind; c.Frames > 0 && !kind.HasFrames() {
		frames = kind.String()
	}
	fmt.Fprintf(w, ": %s%s%s\n", frames, from, state)
	if c.Reason != "" {
		fmt.Fprintf(w, "written by %s\n", text.Name(writer(c.Reason)))
	}
	if c.LeftOut > 0 {
		fmt.Fprintf(w, "triggers without a file since the previous file: %d\n", c.LeftOut)
	}
}

// writer returns the reason of a file with what wrote it. Package iproftest names itself.
func writer(reason string) string {
	if strings.HasPrefix(reason, "iproftest: ") {
		return reason
	}
	return "a black box: " + reason
}

// mostText is the greatest width of a printed text from a file, in terminal cells.
const mostText = 100

// shownText makes a text from a file safe to print on one line.
func shownText(s string) string { return text.Cut(string(printed.Of(s)), mostText) }
