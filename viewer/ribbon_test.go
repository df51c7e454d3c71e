package viewer_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// longRun returns the panel of a program with late frames of two causes.
func longRun(t *testing.T, history int) (*steps, *viewer.Panel) {
	s := newSteps(t, history, "update", "compact", "pathfind")
	for i := range 4000 {
		compact, path := 1.0, 1.0
		if i%500 == 499 {
			compact = 40
		}
		if i%777 == 300 {
			path = 30 + float64(i)/100
		}
		s.frame(6, compact, path)
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	return s, p
}

func ribbonHit(h viewer.Hit) bool { return h.Kind == hit.Ribbon }

// sight returns the numbers of the first and the last frame that the history shows.
func sight(p *viewer.Panel) (first, last uint64) {
	columns := viewer.Past(p).Columns
	return columns[0].From, columns[len(columns)-1].To - 1
}

// The window on the whole run follows the mouse, and its edges resize it.
func TestTheRibbonsWindowIsDragged(t *testing.T) {
	_, p := longRun(t, 4000)
	x0, y := find(t, p, ribbonHit)
	x1 := x0
	for p.HitAt(x1, y).Kind == hit.Ribbon {
		x1++
	}
	x0, x1 = x0+5, x1-5 // the reach of the edges
	at := func(frame float32) float32 { return x0 + frame/4000*(x1-x0) }
	drag := func(from, to float32) (first, last uint64) {
		viewer.StartRibbon(p, at(from))
		viewer.DragRibbon(p, at(to))
		viewer.EndRibbon(p)
		settled(t, p, 1280, 720, 1)
		return sight(p)
	}
	near := func(what string, got, want uint64) {
		t.Helper()
		if got+12 < want || got > want+12 {
			t.Errorf("%s: got frame %d; want about %d", what, got, want)
		}
	}
	first, last := drag(1000, 1000)
	near("a press", first, 850)
	near("a press", last, 1150)
	first, last = drag(1000, 2000)
	near("a drag", first, 1850)
	near("a drag", last, 2150)
	first, last = drag(1850, 500)
	near("a drag of the left edge", first, 500)
	near("a drag of the left edge", last, 2150)
	first, last = drag(2150, 3000)
	near("a drag of the right edge", first, 500)
	near("a drag of the right edge", last, 3000)
	first, last = drag(1500, 9000)
	near("a drag beyond the end", first, 1500)
	near("a drag beyond the end", last, 4000)
}

// A click on a cause selects its frames, and the keys walk through them alone.
func TestKeysWalkTheFramesOfACause(t *testing.T) {
	s, p := longRun(t, 4000)
	for i, want := range map[int][]uint64{0: {3999, 3499, 2999}, 1: {3408, 2631, 1854}} {
		s.View().SetFrame(0)
		settled(t, p, 1280, 720, 1)
		x, y := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.LateGroup && h.Index == i })
		viewer.Press(p, p.HitAt(x, y))
		for _, frame := range want {
			if i == 0 && frame == 3999 { // it is shown
				continue
			}
			p.Run("previous-late")
			settled(t, p, 1280, 720, 1)
			if got := s.View().Info().Index; got != frame {
				t.Errorf("cause %d: got frame %d; want %d", i, got, frame)
			}
		}
		p.Run("next-late")
		if got := s.View().Info().Index; got != want[1] {
			t.Errorf("cause %d, back: got frame %d; want %d", i, got, want[1])
		}
		settled(t, p, 1280, 720, 1)
		viewer.Press(p, p.HitAt(x, y)) // none is selected
	}
}

// A live history that was moved shows the same frames while others come in. At the newest frame it follows.
func TestAMovedHistoryStaysWhereItIs(t *testing.T) {
	s, p := longRun(t, 20_000)
	p.Run("history-older")
	settled(t, p, 1280, 720, 1)
	first, last := sight(p)
	if last >= 3999 {
		t.Fatalf("moved: got frames up to %d", last)
	}
	for range 100 {
		s.frame(6, 1, 1)
		settled(t, p, 1280, 720, 1)
	}
	if a, b := sight(p); a != first || b != last {
		t.Errorf("after 100 frames: got frames %d to %d; want %d to %d", a, b, first, last)
	}
	p.Run("live")
	settled(t, p, 1280, 720, 1)
	s.frame(6, 1, 1)
	settled(t, p, 1280, 720, 1)
	if _, b := sight(p); b != 4100 {
		t.Errorf("live: got frames up to %d; want the newest, 4100", b)
	}
}

// The keys zoom to all frames and back, and none is lost.
func TestKeysZoomTheHistory(t *testing.T) {
	_, p := longRun(t, 4000)
	p.Run("history-whole")
	settled(t, p, 1280, 720, 1)
	if first, last := sight(p); first != 0 || last != 3999 {
		t.Errorf("whole: got frames %d to %d; want all", first, last)
	}
	find(t, p, graphOf(3999-3408)) // a spike
	p.Run("history-in")
	settled(t, p, 1280, 720, 1)
	if got := viewer.Past(p).Frames; got != 2560 {
		t.Errorf("zoomed in: got %d frames; want 0.64 of all", got)
	}
	p.Run("history-out")
	settled(t, p, 1280, 720, 1)
	if got := viewer.Past(p).Frames; got != 4000 {
		t.Errorf("zoomed out: got %d frames; want all", got)
	}
}

// What the ribbon says of late frames comes from all frames, and its drawing allocates nothing.
func TestTheRibbonNamesCauses(t *testing.T) {
	_, p := longRun(t, 300)
	got := map[string]report.LateGroup{}
	for _, g := range viewer.OverviewOf(p).Groups {
		got[g.Name] = g
	}
	if c := got["compact"]; c.Count != 8 || c.Every != 500 {
		t.Errorf("compact: got %+v; want 8, every 500 frames", c)
	}
	if c := got["pathfind"]; c.Count != 5 || !c.Rising {
		t.Errorf("pathfind: got %+v; want 5, rising", c)
	}
}

// A frame that was long because it waited is not over budget. The ribbon says no more than that.
func TestTheRibbonJudgesByTheBudget(t *testing.T) {
	for over, want := range map[float64]string{1: "all 400 frames: none is over budget", 40: "all 400 frames"} {
		s := newSteps(t, 400, "update", "wait for the GPU")
		s.zones[2].Idle = true
		for i := range 400 {
			if i == 300 {
				s.frame(over, 60)
				continue
			}
			s.frame(1, 10)
		}
		p := s.panel()
		settled(t, p, 1280, 720, 1)
		if words := wordsOf(p, 1280, 720); !slices.Contains(words, want) {
			t.Errorf("after %v ms of work: got %q; want %q", over, words, want)
		}
	}
}

// Groups of late frames look different, also when their names are cut, or are the same.
func TestGroupsOfLateFramesHaveDifferentNames(t *testing.T) {
	const service = "example.com/shop/internal/orders/service.Handle"
	names := []string{service + "TheFirstOfAllOrders", service + "AllOrders", "read", "read",
		service + "OneOrderOfTheDayAllOrders", service + "OneOrderOfANightAllOrders"}
	s := newSteps(t, 1000, names...)
	for i := range s.zones {
		s.zones[i].File, s.zones[i].Line = "/src/shop/orders.go", 10*i
	}
	s.zones[6].Line = s.zones[5].Line // not even their places differ
	for i := range 800 {
		ms := []float64{1, 1, 1, 1, 1, 1}
		if i > 100 && i%10 == 0 {
			ms[i/10%6] = 40 + float64(i%7)
		}
		s.frame(ms...)
	}
	p := s.panel()
	settled(t, p, 2600, 1080, 1)
	shown := map[string]bool{}
	words := settled(t, p, 2600, 1080, 1).AppendWords(nil)
	for i, w := range words {
		before, _, found := strings.Cut(w.Text, "x, every")
		if !found || i == 0 || words[i-1].Baseline != w.Baseline {
			continue
		}
		name := words[i-1].Text + " " + strings.TrimRight(before, "0123456789")
		if shown[name] {
			t.Errorf("two groups are shown as %q", name)
		}
		shown[name] = true
	}
	if len(shown) != 6 {
		t.Errorf("got groups %v; want six", shown)
	}
}

// When older frames have been read, those in sight stay, though all have other numbers.
func TestTheFramesInSightStayWhenOlderOnesAreRead(t *testing.T) {
	whole, newest := newSteps(t, 4000, "update"), newSteps(t, 4000, "update")
	for i := range 3000 {
		ms := 5 + float64(i%7)
		whole.frame(ms)
		if newest.next = uint64(i); i >= 2000 {
			newest.frame(ms)
		}
	}
	p := newest.panel()
	newest.Pause()
	newest.View().SetFrame(500)
	settled(t, p, 1280, 720, 1)
	was := viewer.Past(p).Columns[0].Index
	newest.Adopt(whole.Session)
	settled(t, p, 1280, 720, 1)
	if is := viewer.Past(p).Columns[0].Index; is != was {
		t.Errorf("frame %d is at the left edge; want still %d", is, was)
	}
}
