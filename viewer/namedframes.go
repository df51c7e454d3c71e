package viewer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/list"
	"example.com/iprof/viewer/internal/listing"
)

// This file handles names of frames: sections of the program, and comments of the user.

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

// sectionsOf returns the sections of a run, oldest first, and the number of older ones dropped.
func sectionsOf(v *process.View) (list []report.Section, dropped uint64) {
	var now process.Snapshot
	v.Snapshot(&now, process.SnapshotOptions{Overview: true})
	return now.Overview.Sections, now.Overview.SectionsDropped
}

// listSections lists the sections of the program, or closes the list.
func listSections(s *process.Session, p *Panel) {
	if listKindIs(p, listOfSections) || s == nil {
		return
	}
	all, dropped := sectionsOf(p.view)
	reading := listing.Reading(p.view.Info().Tick)
	rows := make([]list.Row, len(all))
	for i := range all {
		of := &all[i]
		rows[i] = list.Row{Frame: of.From, At: int(of.Number),
			Keys: []float64{float64(of.From), float64(of.Frames), of.Mean, of.P99, of.Worst, 0},
			Words: []string{strconv.FormatUint(of.From, 10), strconv.FormatUint(of.Frames, 10), reading(of.Mean),
				reading(of.P99), reading(of.Worst), text.Name(of.Name)}}
	}
	p.change(func() {
		l := &p.listed
		l.show(listOfSections, "sections", sectionColumns(), rows, 0)
		l.List.Note, l.None = fmt.Sprintf("%d until now; Enter selects the frames of one", len(rows)),
			`the program has no sections: iprof.Section("level 3") begins one`
		if dropped > 0 {
			l.List.Note += fmt.Sprintf("; %d older ones are not kept", dropped)
		}
	})
}

// selectSection selects the frames of a section. If they are selected, it clears the selection.
func (h *historyPart) selectSection(number uint64) {
	s := h.session
	if s == nil {
		return
	}
	h.mu.Lock()
	first, of, found := h.scene.Overview.First, report.Section{}, false
	for _, o := range h.scene.Overview.Sections {
		if o.Number == number {
			of, found = o, true
		}
	}
	h.mu.Unlock()
	lens := report.Lens{Kind: report.LensRange, From: of.From, To: of.To}
	before := h.view.Get()
	switch {
	case !found:
		h.Note("that section is no longer kept")
		return
	case of.Last < first:
		h.Note("its frames have left the history")
		return
	case before.Lens == lens:
		lens = report.Lens{}
	case of.First < first:
		h.Note(fmt.Sprintf("the history has %d of its %s", of.Last+1-first, printed.Count(of.Frames, "frame")))
	}
	h.view.SetLens(lens)
	h.remember(before)
	if lens.Kind != report.LensOff {
		h.change(func() { h.Show(&h.scene, int(max(of.First, first)), int(of.Last)+1) })
	}
}

// sectionsLine prints the sections. With a name it selects the frames of the newest section of that name.
func (t *Line) sectionsLine() error {
	all, dropped := sectionsOf(t.Panel.view)
	tick := t.Panel.view.Info().Tick
	for i := len(all) - 1; i >= 0 && t.Rest != ""; i-- {
		if s := &all[i]; strings.EqualFold(text.Name(s.Name), t.Rest) {
			t.Panel.view.SetLens(report.Lens{Kind: report.LensRange, From: s.From, To: s.To})
			printSection(t, s, tick)
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
		printSection(t, &all[i], tick)
	}
	return nil
}

func printSection(t *Line, s *report.Section, tick float64) {
	t.Printf("frames %d to %d: %s, average %s, p99 %s, worst %s: %s", s.From, s.To, printed.Count(s.Frames, "frame"),
		text.Reading(s.Mean, tick), text.Reading(s.P99, tick), text.Reading(s.Worst, tick), text.Name(s.Name))
}

// commented returns the frames for a comment: the selected range, else the shown frame, on which it pauses.
func commented(v *process.View) (from, to uint64) {
	if l := v.Get().Lens; l.Kind == report.LensRange {
		return min(l.From, l.To), max(l.From, l.To)
	}
	v.Session().Pause()
	i := v.Info().Index
	return i, i
}

// framesWords names the frames of a comment.
func framesWords(from, to uint64) string {
	if from == to {
		return fmt.Sprintf("frame %d", from)
	}
	return fmt.Sprintf("frames %d to %d", from, to)
}

// askComment asks for a comment on the frames shown.
func askComment(s *process.Session, p *Panel) {
	if s == nil || p.view.Info().Frames == 0 {
		p.Note("there is no frame yet")
		return
	}
	o := p.Options()
	if o.Ask == nil {
		p.Note("this program asks for no text: see Panel.Options, or type the command comment")
		return
	}
	from, to := commented(p.view)
	was := ""
	for _, c := range o.Comments {
		if c.From == from && c.To == to {
			was = c.Text
		}
	}
	o.Ask("Your comment on "+framesWords(from, to)+". Enter keeps it; without a text it is removed.", was,
		func(text string) { setComment(p, report.Comment{From: from, To: to, Text: text}) })
}

// setComment adds a comment, and removes an old one on the same frames. With an empty text it only removes.
func setComment(p *Panel, c report.Comment) {
	c.Text = measure.CopyName(strings.TrimSpace(c.Text))
	var list []report.Comment
	var changed func([]report.Comment)
	had, full := false, false
	p.Change(func(o *Options) {
		list = slices.DeleteFunc(slices.Clone(o.Comments), func(old report.Comment) bool {
			return old.From == c.From && old.To == c.To
		})
		had = len(list) < len(o.Comments)
		full = c.Text != "" && len(list) >= report.MaxComments
		if full {
			return
		}
		if c.Text != "" {
			list = append(list, c)
		}
		o.Comments, changed = list, o.Commented
	})
	words := "comment on " + framesWords(c.From, c.To)
	switch {
	case full:
		p.Note(fmt.Sprintf("%d comments are the most", report.MaxComments))
		return
	case c.Text != "":
		p.Note(words + " kept; Alt+M lists all")
	case had:
		p.Note(words + " removed")
	default:
		return
	}
	if changed != nil {
		changed(list)
	}
}

// clampComments drops invalid comments, cuts texts, and sorts by frames.
func clampComments(list []report.Comment) []report.Comment {
	if len(list) == 0 {
		return nil
	}
	list = slices.DeleteFunc(slices.Clone(list), func(c report.Comment) bool { return c.Text == "" || c.From > c.To })
	list = list[:min(len(list), report.MaxComments)]
	for i := range list { // usually sorted already; a generic sort would make the page larger
		c, at := list[i], i
		c.Text = measure.CopyName(c.Text)
		for ; at > 0 && (list[at-1].From > c.From || list[at-1].From == c.From && list[at-1].To > c.To); at-- {
			list[at] = list[at-1]
		}
		list[at] = c
	}
	return list
}

// goToComment shows the frame of a comment, or selects its range.
func (h *historyPart) goToComment(at int) {
	s, list := h.session, h.Options().Comments
	if s == nil || at < 0 || at >= len(list) {
		return
	}
	c, before := list[at], h.view.Get()
	s.Pause()
	if !h.view.ShowFrame(c.To) {
		h.Note(fmt.Sprintf("frame %d has left the history", c.To))
	}
	if c.From < c.To {
		h.view.SetLens(report.Lens{Kind: report.LensRange, From: c.From, To: c.To})
	}
	h.remember(before)
}

// commentLine comments on the frames shown, or removes that comment. Without an argument it prints all.
func (t *Line) commentLine() error {
	switch list := t.Panel.Options().Comments; {
	case t.Rest == "" && len(list) == 0:
		t.Printf("no comments")
	case t.Rest == "":
		for _, c := range list {
			t.Printf("%s: %s", framesWords(c.From, c.To), text.Name(c.Text))
		}
	case t.Panel.view.Info().Frames == 0:
		return fmt.Errorf("there is no frame yet")
	default:
		from, to := commented(t.Panel.view)
		said := t.Rest
		if said == "none" {
			said = ""
		}
		setComment(t.Panel, report.Comment{From: from, To: to, Text: said})
		t.Printf("%s: %s", framesWords(from, to), text.Name(cmp.Or(said, "no comment")))
	}
	return nil
}
