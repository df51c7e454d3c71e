package viewer

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/list"
)

// sectionColumns returns the columns of the list of sections.
func sectionColumns() []list.Column {
	return []list.Column{
		{Heading: "frame", Tip: "its first frame", Width: 84, Number: true},
		{Heading: "frames", Tip: "how many it has", Width: 84, Number: true},
		{Heading: "average", Tip: "of what its frames took, without idle time", Width: 96, Number: true},
		{Heading: "p99", Tip: "99 of 100 of its frames took no longer", Width: 96, Number: true, Time: true},
		{Heading: "worst", Tip: "its longest frame", Width: 96, Number: true},
		{Heading: "section", Tip: "its name, as the program gave it"},
	}
}

// sectionsOf returns the sections of a run, oldest first, and how many older ones were dropped.
func sectionsOf(s *process.Session) (list []report.Section, dropped uint64) {
	var now process.Snapshot
	s.Snapshot(&now, process.SnapshotOptions{Overview: true})
	return now.Overview.Sections, now.Overview.SectionsDropped
}

// listSections lists the sections of the program, or closes the list.
func listSections(s *process.Session, p *Panel) {
	if p.listKindIs(listOfSections) || s == nil {
		return
	}
	all, dropped := sectionsOf(s)
	reading := readingOf(s.Info().Tick)
	rows := make([]list.Row, len(all))
	for i := range all {
		of := &all[i]
		rows[i] = list.Row{Frame: of.From, At: int(of.Number),
			Keys: []float64{float64(of.From), float64(of.Frames), of.Mean, of.P99, of.Worst, 0},
			Words: []string{strconv.FormatUint(of.From, 10), strconv.FormatUint(of.Frames, 10), reading(of.Mean),
				reading(of.P99), reading(of.Worst), text.Name(of.Name)}}
	}
	p.change(func() {
		l := p.show(listOfSections, "sections", sectionColumns(), rows, 0)
		l.Note, l.None = fmt.Sprintf("%d until now; Enter selects the frames of one", len(rows)),
			`the program has no sections: iprof.Section("level 3") begins one`
		if dropped > 0 {
			l.Note += fmt.Sprintf("; %d older ones are not kept", dropped)
		}
	})
}

// selectSection selects the frames of a section, or none if they are selected.
func (p *Panel) selectSection(number uint64) {
	s := p.session
	if s == nil {
		return
	}
	p.mu.Lock()
	first, of, found := p.shown.Overview.First, report.Section{}, false
	for _, o := range p.shown.Overview.Sections {
		if o.Number == number {
			of, found = o, true
		}
	}
	p.mu.Unlock()
	lens := report.Lens{Kind: report.LensRange, From: of.From, To: of.To}
	before := s.View()
	switch {
	case !found:
		p.Note("that section is no longer kept")
		return
	case of.Last < first:
		p.Note("its frames have left the history")
		return
	case before.Lens == lens:
		lens = report.Lens{}
	case of.First < first:
		p.Note(fmt.Sprintf("%d of its %d frames are in the history", of.Last+1-first, of.Frames))
	}
	s.SetLens(lens)
	p.Remember(before)
	if lens.Kind != report.LensOff {
		p.change(func() { p.strip.Show(&p.shown, int(max(of.First, first)), int(of.Last)+1) })
	}
}

// sectionsLine prints the sections. With a name it selects the frames of the newest one that is named so.
func (t *Typed) sectionsLine() error {
	all, dropped := sectionsOf(t.Session)
	tick := t.Session.Info().Tick
	for i := len(all) - 1; i >= 0 && t.Rest != ""; i-- {
		if s := &all[i]; strings.EqualFold(text.Name(s.Name), t.Rest) {
			t.Session.SetLens(report.Lens{Kind: report.LensRange, From: s.From, To: s.To})
			t.printSection(s, tick)
			return nil
		}
	}
	switch {
	case t.Rest != "":
		return fmt.Errorf("there is no section %q; the word sections lists them", t.Rest)
	case len(all) == 0:
		t.Printf("no sections")
	case dropped > 0:
		t.Printf("%d older sections are not kept", dropped)
	}
	for i := range all {
		t.printSection(&all[i], tick)
	}
	return nil
}

func (t *Typed) printSection(s *report.Section, tick float64) {
	t.Printf("frames %d to %d: %s, average %s, p99 %s, worst %s: %s", s.From, s.To, countFrames(int(s.Frames)),
		text.Reading(s.Mean, tick), text.Reading(s.P99, tick), text.Reading(s.Worst, tick), text.Name(s.Name))
}
