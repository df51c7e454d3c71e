//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// levels returns the panel of a program with frames before its sections, four sections of 250 frames, and one of a
// hostile name. Those of level 3 are slowest.
func levels(t *testing.T, history int) (*steps, *viewer.Panel) {
	s := newSteps(t, history, "update", "render")
	for range 60 {
		s.frame(2, 2)
	}
	for n, name := range []string{"level 1", "level 2", "level 3", "boss", "\x1b[31m\u202eend\xff"} {
		s.section = gather.SectionInfo{Number: uint64(n) + 3, Name: name}
		for i := range 250 {
			ms := 3 + float64(n%3) + float64(i%10)/10
			if n == 2 && i == 99 {
				ms = 31
			}
			s.frame(ms, 4)
		}
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	return s, p
}

// isSection returns whether a hit is a section of a number.
func isSection(number int) func(viewer.Hit) bool {
	return func(h viewer.Hit) bool { return h.Kind == hit.Section && h.Index == number }
}

// A click on a section selects its frames, and the history shows them. Once more ends that.
func TestAClickOnASectionSelectsItsFrames(t *testing.T) {
	s, p := levels(t, 2000)
	x, y := find(t, p, isSection(5))
	h := p.HitAt(x, y)
	viewer.Press(p, h)
	settled(t, p, 1280, 720, 1)
	want := report.Lens{Kind: report.LensRange, From: 560, To: 809}
	if i := s.View().Info(); s.View().Get().Lens != want || i.LensFrames != 250 {
		t.Errorf("got lens %+v of %d frames; want %+v of 250", s.View().Get().Lens, i.LensFrames, want)
	}
	if first, last := sight(p); first != 560 || last != 809 {
		t.Errorf("got frames %d to %d in sight; want those of the section", first, last)
	}
	viewer.Press(p, h)
	if l := s.View().Get().Lens; l.Kind != report.LensOff {
		t.Errorf("a second click: got lens %+v; want none", l)
	}
	p.Run("back")
	if l := s.View().Get().Lens; l != want {
		t.Errorf("back: got lens %+v; want that of the section", l)
	}
}

// A section lies over the columns of its frames, also in a history with room for more frames, and once if the whole run
// is in sight.
func TestSectionsLieOverTheirFrames(t *testing.T) {
	s := newSteps(t, 300, "update")
	for n, frames := range []int{20, 40} {
		s.section = gather.SectionInfo{Number: uint64(n) + 1, Name: fmt.Sprint("level ", n)}
		for range frames {
			s.frame(3)
		}
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	column := func(age int) (x0, x1 float32) { // of the history
		x0 = -1
		for _, a := range viewer.Areas(p) {
			for x := a.X0 + 0.5; a.Hit.Kind == hit.Graph && x < a.X1; x++ {
				if h := p.HitAt(x, a.Y1-2); h.Kind == hit.Graph && h.Age == age {
					if x0 < 0 {
						x0 = x
					}
					x1 = x
				}
			}
		}
		return x0, x1
	}
	seen := 0
	for _, a := range viewer.Areas(p) {
		if a.Hit.Kind != hit.Section {
			continue
		}
		seen++
		oldest, newest := 39, 0
		if a.Hit.Index == 1 {
			oldest, newest = 59, 40
		}
		x0, _ := column(oldest)
		_, x1 := column(newest)
		if max(a.X0-x0, x0-a.X0) > 3 || max(a.X1-x1, x1-a.X1) > 3 {
			t.Errorf("section %d: got it from %v to %v; want its columns, %v to %v", a.Hit.Index, a.X0, a.X1, x0, x1)
		}
	}
	if seen != 2 {
		t.Errorf("got %d bands of sections; want one for each of the 2", seen)
	}
}

// The list of sections has their statistics, and Enter selects the frames of one.
func TestTheListOfSections(t *testing.T) {
	s, p := levels(t, 2000)
	p.Run("sections")
	l := p.State()
	got := strings.Join(l.ListRow, " | ")
	if l.List != "sections" || l.Listed != 5 ||
		!strings.HasPrefix(got, "1060 | 250 | 8.45") || strings.ContainsAny(got, "\x1b\u202e") ||
		!utf8.ValidString(got) {
		t.Errorf("got list %q of %d rows, the first %q; want 5 sections, the newest first, its name escaped", l.List,
			l.Listed, got)
	}
	viewer.Press(p, viewer.Hit{Kind: hit.ListHeader, Index: 4}) // by the worst frame
	got = strings.Join(p.State().ListRow, " | ")
	if !strings.Contains(got, "35.0") || !strings.HasSuffix(got, "level 3") {
		t.Errorf("by the worst frame: got %q; want level 3 with 35 ms", got)
	}
	p.Run("select")
	if l := s.View().Get().Lens; l.From != 560 || l.To != 809 {
		t.Errorf("Enter: got lens %+v; want the frames of level 3", l)
	}
	p.Run("sections")
	if l := p.State().List; l != "" {
		t.Errorf("once more: got list %q; want none", l)
	}
}

// Of a section that the history has no longer, the numbers stay, and a note says so.
func TestASectionThatHasLeftTheHistory(t *testing.T) {
	s, p := levels(t, 400)
	x, y := find(t, p, isSection(3)) // in the band over the whole run
	viewer.Press(p, p.HitAt(x, y))
	l, note := s.View().Get().Lens, viewer.NoteOf(p)
	if l.Kind != report.LensOff || !strings.Contains(note, "left the history") {
		t.Errorf("got lens %+v and note %q; want none, and that its frames have left", l, note)
	}
	x, y = find(t, p, isSection(6))
	viewer.Press(p, p.HitAt(x, y))
	if note = viewer.NoteOf(p); !strings.Contains(note, "150 of its 250 frames") {
		t.Errorf("got note %q; want that 150 frames are there", note)
	}
}

// Steady drawing of many sections allocates nothing, and a run without sections has no band.
func TestBandsOfSections(t *testing.T) {
	s := newSteps(t, 1000, "update")
	for i := range 900 {
		s.frame(3)
		if s.section = (gather.SectionInfo{}); i > 10 {
			s.section = gather.SectionInfo{Number: uint64(i/3) + 1, Name: fmt.Sprint("wave ", i/3)}
		}
	}
	p := s.panel()
	l := settled(t, p, 1280, 720, 1)
	if got := testing.AllocsPerRun(20, func() {
		l.Reset()
		p.SetHover(300, 90) // another picture each time
		p.Draw(l, 1280, 720, 1)
	}); got > 0 {
		t.Errorf("got %v allocations a draw; want none", got)
	}
	bare := newSteps(t, 1000, "update")
	for range 400 {
		bare.frame(3)
	}
	p = bare.panel()
	settled(t, p, 1280, 720, 1)
	for y := float32(1); y < 720; y += 3 {
		for x := float32(1); x < 1280; x += 2 {
			if p.HitAt(x, y).Kind == hit.Section {
				t.Fatalf("without sections: got one at %v, %v", x, y)
			}
		}
	}
}

// The bands: over the whole run and over the columns in sight, one selected, names that are cut.
func TestPictureOfSections(t *testing.T) {
	_, p := levels(t, 2000)
	x, y := find(t, p, isSection(5))
	viewer.Press(p, p.HitAt(x, y))
	p.Run("history-out")
	p.Run("history-out")
	pictured(t, "sections", p)
}

// Only the section whose frames are selected, from its first to its last, has the colour of the selection.
func TestTheSelectedSectionHasItsColour(t *testing.T) {
	s, p := levels(t, 2000)
	colors := draw.PaletteOf(p.Options().Theme)
	selected := draw.Mix(colors.Accent, colors.Surface, 0.4)
	for lens, want := range map[report.Lens]int{
		{Kind: report.LensRange, From: 560, To: 809}: 2, {Kind: report.LensRange, From: 560, To: 808}: 0,
		{Kind: report.LensRange, From: 561, To: 809}: 0, {From: 560, To: 809}: 0, {}: 0,
	} {
		s.View().SetLens(lens)
		l := settled(t, p, 1280, 720, 1)
		got := 0
		for _, a := range viewer.Areas(p) {
			inside := func(b canvas.Rect) bool {
				return b.X0 >= a.X0 && b.X1 <= a.X1 && b.Y0 >= a.Y0 && b.Y1 <= a.Y1
			}
			if a.Hit.Kind == hit.Section && slices.ContainsFunc(boxesOf(l, selected), inside) {
				got++
			}
		}
		if got > want || want > 0 && got == 0 {
			t.Errorf("%+v: got %d sections in the colour of the selection; want %d", lens, got, want)
		}
	}
}
