package viewer_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// newWaiting returns a session of frames with 14.9 ms of work and a wait for the display, beside a worker that waits
// for 180 ms. The waits take turns.
func newWaiting(t *testing.T, waits ...float64) *process.Session {
	t.Helper()
	s := process.NewSession()
	at := platform.Ticks(0)
	ms := func(v float64) platform.Ticks { return platform.Ticks(v * 1000) }
	for i := range 40 {
		vsync := waits[i%len(waits)]
		end := at + ms(14.9+vsync)
		f := &gather.Frame{Index: uint64(i), Begin: at, End: end, TicksPerSecond: 1e6,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "vsync", Idle: true}, {Name: "draw"}, {Name: "simulate"},
				{Name: "receive", Idle: true}},
			Lanes: []gather.LaneFrame{
				{ID: 1, Name: "main", Updater: true, Begin: at, End: end, Nodes: []gather.Node{{Parent: -1},
					{ID: 1, Zone: 1, Count: 1, Self: ms(vsync)}, {ID: 2, Zone: 2, Count: 1, Self: ms(10)},
					{ID: 3, Zone: 3, Count: 2, Self: ms(4.9)}}},
				{ID: 2, Name: "worker", Begin: at, End: end, Nodes: []gather.Node{{ID: 4, Parent: -1},
					{ID: 5, Zone: 4, Count: 1, Self: ms(180)}}}}}
		must.Do(t, s.WriteFrame(f))
		at = end
	}
	s.View().SetAverage(report.AverageInstant)
	return s
}

// waitingWords draws the full screen of the session and returns its texts.
func waitingWords(s *process.Session) (*viewer.Panel, []draw.Words) {
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	var l draw.List
	for range 60 {
		l.Reset()
		p.Draw(&l, 1280, 720, 1)
	}
	return p, l.AppendWords(nil)
}

// textColor returns the colour of a text, and whether it is there.
func textColor(words []draw.Words, text string) (color.NRGBA, bool) {
	for _, w := range words {
		if w.Text == text {
			return w.Color, true
		}
	}
	return color.NRGBA{}, false
}

// A frame of 148.6 ms is not green because its work is within budget: the header names both parts and says that it
// waited. A frame on time is green.
func TestTheHeadlineJudgesWaiting(t *testing.T) {
	_, late := waitingWords(newWaiting(t, 133.7))
	_, good := waitingWords(newWaiting(t, 1.7))
	amber, ok := textColor(late, "148.60")
	green, also := textColor(good, "16.60")
	if !ok || !also || amber == green {
		t.Errorf("lengths: got %v (%v) and %v (%v); want both, in different colours", amber, ok, green, also)
	}
	if _, ok := textColor(late, "14.90 busy + 133.70 waiting"); !ok {
		t.Errorf("got no text for the two parts in %v", late)
	}
	if _, ok := textColor(late, "waited"); !ok {
		t.Error(`a frame that waited past its budget: got no word "waited"`)
	}
	if _, ok := textColor(good, "waited"); ok {
		t.Error(`a frame on time: got the word "waited"`)
	}
}

// Zones that worked come first in every list, and zones that waited come last.
func TestIdleZonesComeLast(t *testing.T) {
	s := newWaiting(t, 133.7)
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportHierarchicalTime,
		report.ReportCallGraph, report.ReportCallGraphDescendants, report.ReportCallTree} {
		for _, recursion := range []report.Recursion{report.RecursionFlattened, report.RecursionSpread} {
			var r report.Report
			s.View().AppendReportOf(&r, report.View{Mode: mode, Recursion: recursion, Average: report.AverageInstant})
			var names []string
			for i := range r.Len() {
				row, _ := r.Line(i)
				if row.Zone != 0 {
					names = append(names, row.Name)
				}
			}
			if got := strings.Join(names, " "); got != "draw simulate receive vsync" {
				t.Errorf("mode %d, recursion %d: got %q; want idle zones last, the longer first", mode, recursion, got)
			}
		}
	}
}

// widthsOf returns the widths of the bars of the call structure, in steps of 2 pixels, by zone.
func widthsOf(p *viewer.Panel) map[report.ZoneID]int {
	width := map[report.ZoneID]int{}
	for y := float32(0); y < 720; y += 4 {
		row := map[report.ZoneID]int{}
		for x := float32(0); x < 1280; x += 2 {
			if h := p.HitAt(x, y); h.Kind == hit.Icicle {
				row[h.Zone]++
			}
		}
		for zone, n := range row {
			width[zone] = max(width[zone], n)
		}
	}
	return width
}

// Waits have the scale of what works in the call structure. Only work is shown if the user chooses so; then it has all
// of the width.
func TestWaitingHasTheScaleOfWork(t *testing.T) {
	p, _ := waitingWords(newWaiting(t, 133.7))
	width := widthsOf(p)
	if got := float64(width[1]) / float64(width[2]); got < 12.5 || got > 14.5 {
		t.Errorf("vsync, of 133.7 ms, beside draw, of 10: got %.2f times as wide; want 13.4", got)
	}
	p.Change(func(o *viewer.Options) { o.OnlyWork = true })
	_, words := waitingWords(p.Session())
	width = widthsOf(p)
	if width[1]+width[4] > 0 || width[2]+width[3] < 550 {
		t.Errorf("only work: got the widths %v; want none of 1 and 4, and all for 2 and 3", width)
	}
	if got := float64(width[2]) / float64(width[3]); got < 1.95 || got > 2.15 {
		t.Errorf("draw, of 10 ms, beside simulate, of 4.9: got %.2f times as wide; want 2.04", got)
	}
	said := slices.ContainsFunc(words, func(w draw.Words) bool { return strings.Contains(w.Text, "ms of waiting") })
	if !said {
		t.Error("only work: got no word about what is left out")
	}
}

// A waiting part that the scale of the history does not reach has its length in numbers. Many side by side have one.
// The numbers lie on no other text.
func TestCutWaitsHaveTheirNumber(t *testing.T) {
	among := func(cut map[int]float64) (waits []float64) {
		for i := range 40 {
			wait, ok := cut[i]
			if !ok {
				wait = 1.7
			}
			waits = append(waits, wait)
		}
		return waits
	}
	for name, test := range map[string]struct {
		waits []float64
		want  []string
	}{
		"none":         {among(nil), nil},
		"one":          {among(map[int]float64{20: 265.1}), []string{"280 ms"}},
		"two apart":    {among(map[int]float64{2: 133.7, 30: 265.1}), []string{"280 ms", "149 ms"}},
		"side by side": {among(map[int]float64{20: 265.1, 21: 133.7}), []string{"280 ms"}},
		"all":          {[]float64{133.7, 165.1}, []string{"180 ms"}},
		"at the end":   {among(map[int]float64{39: 265.1}), []string{"280 ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newWaiting(t, test.waits...)
			for _, size := range [][2]float32{{960, 540}, {1280, 720}} {
				p := viewer.PanelFor(s)
				p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
				var got []string
				for _, w := range settled(t, p, size[0], size[1], 1).AppendWords(nil) {
					if w.Face == draw.FaceTiny && strings.HasSuffix(w.Text, " ms") && w.Text != "0 ms" { // of the scale
						got = append(got, w.Text)
					}
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("%v: got the numbers %q; want %q", size, got, test.want)
				}
				apartOnScreen(t, p, size[0], size[1])
			}
		})
	}
}

// The table of a frame whose states are known says how long zones waited, and the tip says for what.
func TestTheTableSaysWhyZonesDidNotRun(t *testing.T) {
	s := blocked(t)
	s.Pause()
	p := onTimeline(s.View(), viewer.TimelineShown, 1100, 700, 1)
	settled(t, p, 1100, 700, 1)
	all := strings.Join(wordsOf(p, 1100, 700), "\n")
	for _, want := range []string{"waiting", "runnable", "3.10", "0.40"} {
		if !strings.Contains(all, "\n"+want+"\n") {
			t.Fatalf("got %q; want a cell %q", all, want)
		}
	}
	for y := float32(300); y < 700; y += 4 {
		for x := float32(300); x < 1000; x += 20 {
			p.SetHover(x, y)
			settled(t, p, 1100, 700, 1)
			if title, words := viewer.Tip(p); title == "physics" && strings.Contains(words, "waiting for mutex") {
				if want := "of 6.00 ms\n3.10 ms waiting for mutex\n0.40 ms waiting for a processor"; words != want {
					t.Errorf("got %q; want %q", words, want)
				}
				return
			}
		}
	}
	t.Fatal("found no tip of physics with reasons")
}

// waitedFrames is a session in which one of three frames has waits of all goroutines.
func waitedFrames(t *testing.T, gpu bool) *process.Session {
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	for i := range uint64(90) {
		f := &gather.Frame{Index: i, Begin: platform.Ticks(20 * i), End: platform.Ticks(20*i + 20),
			TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 20}}},
				{ID: 2, Device: gpu, Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 20}}}}}
		if i%3 == 0 {
			f.Memory.RunQueue, f.Memory.LockWait = 123400*time.Microsecond, 101200*time.Microsecond
		}
		must.Do(t, s.WriteFrame(f))
	}
	s.Pause()
	return s
}

// The waits of all goroutines stand in the header beside the length of the frames that have any. Nothing else moves.
func TestTheHeaderHasTheWaitsOfAllGoroutines(t *testing.T) {
	const waits = "runnable ~6.2 · locks ~5.1 goroutines"
	for _, gpu := range []bool{false, true} {
		s := waitedFrames(t, gpu)
		p := viewer.PanelFor(s)
		p.Change(func(o *viewer.Options) { o.Mode, o.Title = viewer.PanelFull, "game" })
		for _, width := range []float32{800, 960, 1280, 1920} {
			var before []draw.Words
			for age := 1; age < 7; age++ {
				s.View().ShowFrame(uint64(89 - age))
				words := slices.DeleteFunc(laidOut(p, width, 540).AppendWords(nil), func(w draw.Words) bool {
					return w.Baseline > 50 || strings.HasPrefix(w.Text, "frame ")
				})
				at := slices.IndexFunc(words, func(w draw.Words) bool { return w.Text == waits })
				if got := at >= 0; got != (age%3 == 2) {
					t.Fatalf("width %v, frame %d: got %v; want waits: %t", width, 89-age, words, age%3 == 2)
				}
				if at >= 0 {
					words = slices.Delete(words, at, at+1)
				}
				if before != nil && !slices.Equal(words, before) {
					t.Errorf("width %v, GPU %t: got %v\nwant %v", width, gpu, words, before)
				}
				before = words
			}
		}
	}
}
