package desk

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// exportCommands adds a command for each format of other tools to a tab's panel. They have no keys; the menu of all
// commands lists them.
func (d *Desk) exportCommands(t *Tab) {
	for _, format := range exporter.Formats {
		if format.Name == exporter.Trace {
			continue
		}
		t.panel.AddCommand(viewer.Command{
			Name: "export-" + format.Name, Group: viewer.GroupOutput, Action: "export as " + format.Title,
			Words:  "export as " + format.Title + ": the frames and the goroutine that are shown, else all",
			Always: true, Do: func(*process.Session, *viewer.Panel) { d.export(t, &format) },
		})
	}
}

// export writes the chosen frames of a tab in the background: a long capture takes seconds. It names the file after the
// tab and the frames.
func (d *Desk) export(t *Tab, format *exporter.Format) {
	pick, name := chosenFrames(t.session)
	name = strings.TrimSuffix(strings.ReplaceAll(filepath.Base(t.name), ":", "-"), ".iprof") + name
	file, err := freeName(d.options.Out, name, format.Extension)
	if err != nil {
		d.announce(t, "not saved: "+err.Error())
		return
	}
	t.panel.Note("writing " + file)
	go func() {
		err := attempt(func() error {
			return outfile.Write(file, func(w io.Writer) error { return t.exportTo(w, format, &pick) })
		})
		if err != nil {
			d.announce(t, "not saved: "+err.Error())
		} else {
			d.wrote(file)
			d.announce(t, "saved "+file+counted(pick.Frames, pick.Overlaps))
		}
	}()
}

// announce shows a line in the window and prints it. Any goroutine may call it.
func (d *Desk) announce(t *Tab, line string) {
	t.panel.Note(line)
	fmt.Fprintln(d.options.Lines, line)
	d.host.Wake()
}

// exportTo reads the tab's capture, or the recording since the window opened, and writes it in a format.
func (t *Tab) exportTo(w io.Writer, format *exporter.Format, pick *exporter.Selection) error {
	from, to := io.Pipe()
	defer from.Close() // ends the goroutine
	go func() { to.CloseWithError(attempt(func() error { return t.saveCapture(to) })) }()
	pick.Account = t.budget.File()
	return format.Write(w, from, pick)
}

// counted gives in words the number of written frames, and the number of goroutine states cut for overlapping others.
func counted(frames, overlaps uint64) string {
	words := printed.Count(frames, "frame")
	if overlaps > 0 {
		words += ", " + printed.Count(overlaps, "overlapping state") + " cut"
	}
	return " (" + words + ")"
}

// chosenFrames returns the chosen frames and lane of a session, and an end for the file's name that names them. Without
// a choice it returns all frames.
func chosenFrames(s *process.Session) (pick exporter.Selection, name string) {
	view, info := s.View().Get(), s.View().Info()
	pick.Budget = s.FrameBudget()
	switch {
	case info.Lens.Kind == report.LensOff && (view.Age > 0 || view.Kept > 0):
		pick.Lens = report.Lens{Kind: report.LensRange, From: info.Index, To: info.Index}
		name = fmt.Sprintf("-frame-%d", info.Index)
	case info.Lens.Kind != report.LensOff && info.Lens.Kind != report.LensAll:
		pick.Lens = info.Lens
		name = "-frames-" + strings.NewReplacer(",", "-", ":", "-").Replace(info.Lens.Words())
	}
	_, _, pick.ByFrame = pick.Lens.Range()
	pick.Only = view.Lane
	if pick.Only != 0 {
		name += fmt.Sprintf("-goroutine-%d", pick.Only)
	}
	return pick, name
}
