package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// noted returns a panel of a program whose user comments on frames, and what was asked and said last.
func noted(t *testing.T) (s *steps, p *viewer.Panel, answer func(string), said *[]report.Comment) {
	s = newSteps(t, 1000, "update", "render")
	for i := range 600 {
		s.frame(3+float64(i%20)/10, 4)
	}
	p, said = s.panel(), new([]report.Comment)
	var done func(string)
	p.Change(func(o *viewer.Options) {
		o.Ask = func(words, was string, f func(string)) { done = f }
		o.Commented = func(all []report.Comment) { *said = all }
	})
	settled(t, p, 1280, 720, 1)
	return s, p, func(text string) {
		t.Helper()
		done = nil
		if p.Run("comment"); done == nil {
			t.Fatal("nothing is asked")
		}
		done(text)
	}, said
}

// Comments are on the frame shown or the selected range, replace each other, and go without a text.
func TestCommentsOnFrames(t *testing.T) {
	s, p, answer, said := noted(t)
	s.View().ShowFrame(400)
	answer("  first\tone ")
	answer("better")
	s.View().SetLens(report.Lens{Kind: report.LensRange, From: 380, To: 350})
	answer("a slow part")
	want := "[{350 380 a slow part} {400 400 better}]"
	if got := fmt.Sprint(p.Options().Comments); got != want || len(*said) != 2 {
		t.Errorf("got %s, told %v; want %s", got, *said, want)
	}
	settled(t, p, 1280, 720, 1)
	s.View().SetLens(report.Lens{})
	s.View().ShowFrame(500)
	x, y := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Comment && h.Index == 0 })
	viewer.Press(p, p.HitAt(x, y))
	if l := s.View().Get().Lens; l.From != 350 || l.To != 380 {
		t.Errorf("a click on the flag of a range: got lens %+v; want 350 to 380", l)
	}
	p.Run("marks")
	l := p.State()
	if got := strings.Join(l.ListRow, "|"); l.Listed != 2 || got != "400||you|better" {
		t.Errorf("got %d rows, the first %q; want the two comments", l.Listed, got)
	}
	s.View().SetLens(report.Lens{})
	p.Run("select")
	if got := s.View().Info().Index; got != 400 {
		t.Errorf("Enter: got frame %d; want 400", got)
	}
	p.Run("marks")
	answer("")
	if got := p.Options().Comments; len(got) != 1 || len(*said) != 1 {
		t.Errorf("without a text: got %v; want one left", got)
	}
}

// The command of a line adds a comment on the frame shown, prints all, and removes one.
func TestCommentsOfALine(t *testing.T) {
	s := newSteps(t, 1000, "update")
	c, _ := viewer.PanelFor(s.Session).Command("comment")
	run := func(rest, want string) {
		t.Helper()
		var said strings.Builder
		wrong, failed := c.Run(s.Session, &said, rest)
		got := said.String()
		if wrong != nil {
			got += wrong.Error()
		}
		if got != want || failed != nil {
			t.Errorf("comment %s: got %q, %v; want %q", rest, got, failed, want)
		}
	}
	run("", "no comments\n")
	run("too slow", "there is no frame yet")
	for range 20 {
		s.frame(4)
	}
	s.View().ShowFrame(7)
	run("too slow", "frame 7: too slow\n")
	s.View().ShowFrame(9)
	run("a\tb", `frame 9: a\x09b`+"\n")
	run("", "frame 7: too slow\n"+`frame 9: a\x09b`+"\n")
	run("none", "frame 9: no comment\n")
	run("", "frame 7: too slow\n")
}

// The number of comments and their texts are bounded.
func TestCommentsAreBounded(t *testing.T) {
	s, p, answer, _ := noted(t)
	p.Change(func(o *viewer.Options) {
		for i := range uint64(report.MaxComments + 5) {
			o.Comments = append(o.Comments, report.Comment{From: i + 7, To: i + 7, Text: "x"})
		}
		o.Comments[3].From = 99 // behind its end
	})
	if n := len(p.Options().Comments); n != report.MaxComments {
		t.Errorf("got %d comments; want %d", n, report.MaxComments)
	}
	s.View().ShowFrame(3)
	answer("one more")
	n, note := len(p.Options().Comments), viewer.NoteOf(p)
	if n != report.MaxComments || !strings.Contains(note, "are the most") {
		t.Errorf("got %d comments and note %q; want no more", n, note)
	}
	s.View().ShowFrame(7)
	answer(strings.Repeat("long ", 1000))
	if n := len(p.Options().Comments[0].Text); n > report.LongestComment || n < 1000 {
		t.Errorf("got a text of %d bytes; want it cut to %d", n, report.LongestComment)
	}
}

// The flags: of a frame, of a range, at the edge, of hostile text; and the list with marks and comments.
func TestPictureOfComments(t *testing.T) {
	s, p, answer, _ := noted(t)
	s.Mark("level loaded")
	for _, frame := range []uint64{599, 420} {
		s.View().ShowFrame(frame)
		answer("too slow since the new shadows \x1b[31m\u202e\xff")
	}
	s.View().SetLens(report.Lens{Kind: report.LensRange, From: 480, To: 520})
	answer("the boss appears")
	s.View().SetLens(report.Lens{})
	s.View().ShowFrame(440)
	p.Run("marks")
	pictured(t, "comments", p)
}

// The tip of a flag has the comment in lines, escaped and cut.
func TestTheTipOfAComment(t *testing.T) {
	s, p, answer, _ := noted(t)
	s.View().ShowFrame(400)
	answer("\x1b[31mred \n\n " + strings.Repeat("very long words ", 200))
	settled(t, p, 1280, 720, 1)
	x, y := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Comment })
	p.SetHover(x+1, y+1)
	settled(t, p, 1280, 720, 1)
	title, words := viewer.Tip(p)
	lines := strings.Split(words, "\n")
	if title != "your comment" || len(lines) != 12 || len(lines[3]) > 60 || !strings.HasSuffix(words, " …") ||
		strings.Contains(words, "\x1b") {
		t.Errorf("got tip %q of %d lines:\n%s\nwant it cut to 12 lines, and escaped", title, len(lines), words)
	}
}
