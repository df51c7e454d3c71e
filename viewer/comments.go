package viewer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// commented returns the frames that a comment would be on: the selected range, else the frame shown, which then stays.
func commented(s *process.Session) (from, to uint64) {
	if l := s.View().Lens; l.Kind == report.LensRange {
		return min(l.From, l.To), max(l.From, l.To)
	}
	s.Pause()
	i := s.Info().Index
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
	if s == nil || s.Info().Frames == 0 {
		p.Note("there is no frame yet")
		return
	}
	o := p.Options()
	if o.Ask == nil {
		p.Note("this program asks for no text: see Panel.Options, or type the command comment")
		return
	}
	from, to := commented(s)
	was := ""
	for _, c := range o.Comments {
		if c.From == from && c.To == to {
			was = c.Text
		}
	}
	o.Ask("Your comment on "+framesWords(from, to)+". Enter keeps it; without a text it is removed.", was,
		func(text string) { p.setComment(report.Comment{From: from, To: to, Text: text}) })
}

// setComment puts a comment in the place of one on the same frames. Without a text it only removes that.
func (p *Panel) setComment(c report.Comment) {
	c.Text = gather.CopyName(strings.TrimSpace(c.Text))
	var list []report.Comment
	var changed func([]report.Comment)
	had, full := false, false
	p.Change(func(o *Options) {
		list = slices.DeleteFunc(slices.Clone(o.Comments), func(old report.Comment) bool {
			return old.From == c.From && old.To == c.To
		})
		had = len(list) < len(o.Comments)
		if full = c.Text != "" && len(list) >= report.MostComments; full {
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
		p.Note(fmt.Sprintf("%d comments are the most", report.MostComments))
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

// clampComments drops what is no comment, cuts texts, and sorts by frames.
func clampComments(list []report.Comment) []report.Comment {
	if len(list) == 0 {
		return nil
	}
	list = slices.DeleteFunc(slices.Clone(list), func(c report.Comment) bool { return c.Text == "" || c.From > c.To })
	list = list[:min(len(list), report.MostComments)]
	for i := range list {
		list[i].Text = gather.CopyName(list[i].Text)
	}
	slices.SortStableFunc(list, func(a, b report.Comment) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return list
}

// goToComment shows the frame of a comment, or selects its range.
func (p *Panel) goToComment(at int) {
	s, list := p.session, p.Options().Comments
	if s == nil || at < 0 || at >= len(list) {
		return
	}
	c, before := list[at], s.View()
	s.Pause()
	if !s.ShowFrame(c.To) {
		p.Note(fmt.Sprintf("frame %d has left the history", c.To))
	}
	if c.From < c.To {
		s.SetLens(report.Lens{Kind: report.LensRange, From: c.From, To: c.To})
	}
	p.Remember(before)
}

// commentLine comments on the frames shown, or removes that comment. Without an argument it prints all.
func (t *Typed) commentLine() error {
	switch list := t.Panel.Options().Comments; {
	case t.Rest == "" && len(list) == 0:
		t.Printf("no comments")
	case t.Rest == "":
		for _, c := range list {
			t.Printf("%s: %s", framesWords(c.From, c.To), text.Name(c.Text))
		}
	case t.Session.Info().Frames == 0:
		return fmt.Errorf("there is no frame yet")
	default:
		from, to := commented(t.Session)
		said := t.Rest
		if said == "none" {
			said = ""
		}
		t.Panel.setComment(report.Comment{From: from, To: to, Text: said})
		t.Printf("%s: %s", framesWords(from, to), text.Name(cmp.Or(said, "no comment")))
	}
	return nil
}
