//go:build !iprof_off

package viewer_test

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// isRow reports whether a hit is a row of a table or a list.
func isRow(h viewer.Hit) bool {
	return h.Kind == hit.Record || h.Kind == hit.Package || h.Kind == hit.ListRow
}

// rowsOn returns the places of the rows of a table or a list from top to bottom, and fails unless they have one width
// and one height, and follow each other without a gap.
func rowsOn(t *testing.T, p *viewer.Panel) (rows []canvas.Area) {
	t.Helper()
	for _, a := range viewer.Areas(p) {
		if isRow(a.Hit) {
			rows = append(rows, a)
		}
	}
	slices.SortFunc(rows, func(a, b canvas.Area) int { return cmp.Compare(a.Y0, b.Y0) })
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if a.X0 != b.X0 || a.X1 != b.X1 || a.Y1 != b.Y0 || math.Abs(float64(a.Height()-b.Height())) > 1 {
			t.Errorf("row %d at %v, the next at %v; want one width and height, and no gap", i-1, a.Rect, b.Rect)
		}
	}
	return rows
}

// boxesOf returns the boxes of a colour.
func boxesOf(l *draw.List, ink color.NRGBA) (all []canvas.Rect) {
	for i := 0; i+4 <= len(l.V); i += 4 {
		v, to := &l.V[i], &l.V[i+2]
		if (color.NRGBA{R: v.R, G: v.G, B: v.B, A: v.A}) == ink && v.U == to.U && v.V == to.V {
			all = append(all, canvas.Box(v.X, v.Y, to.X, to.Y))
		}
	}
	return all
}

// In a window of any height, a list shows as many rows as fit, from the one scrolled to, and its bar has the place and
// the share of these rows among all.
func TestRowsOfAList(t *testing.T) {
	s := newSteps(t, 1000, "work")
	const n = 40
	for i := range n {
		s.marks = append(s.marks, gather.MarkInfo{Time: 1, Text: "mark", Lane: 1})
		s.frame(5 + float64(i%3))
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	p.Run("marks")
	for _, scale := range []float32{1, 2} {
		for height := float32(400); height < 1100; height += 47 {
			for _, first := range []int{0, 3, n} {
				viewer.Scroll(p, -n)
				viewer.Scroll(p, first)
				rowsInSight(t, p, settled(t, p, 1280*scale, height*scale, scale), scale, first, n)
			}
		}
	}
}

// rowsInSight checks a list of n rows that was scrolled to a row, and its bar.
func rowsInSight(t *testing.T, p *viewer.Panel, l *draw.List, scale float32, first, n int) {
	t.Helper()
	rows := rowsOn(t, p)
	if len(rows) == 0 {
		t.Fatal("got no rows")
	}
	from, to, last := rows[0].Hit.Index, rows[len(rows)-1].Hit.Index, rows[len(rows)-1]
	if want := min(first, n-len(rows)); from != want || to != want+len(rows)-1 {
		t.Errorf("got rows %d to %d; want them from %d on", from, to, want)
	}
	bars := boxesOf(l, draw.Fade(draw.PaletteOf(p.Options().Theme).TextFaint, 0.6))
	if len(rows) == n {
		if len(bars) > 0 {
			t.Errorf("got a bar with all rows in sight")
		}
		return
	}
	if len(bars) != 1 {
		t.Fatalf("got bars %v; want one", bars)
	}
	bar, way := bars[0], float64(last.Y1-rows[0].Y0+10*scale) // half a row has no room
	share, down := float64(bar.Height())/way, float64(bar.Y0-rows[0].Y0)/way
	if want := float64(len(rows)) / float64(n); math.Abs(share-want) > 0.06 && bar.Height() > 9*scale {
		t.Errorf("got a bar of %.2f of its way; want %.2f", share, want)
	}
	if want := float64(from) / float64(n); math.Abs(down-want) > 0.06 {
		t.Errorf("got a bar at %.2f of its way; want %.2f", down, want)
	}
	if bar.X1 > rows[0].X1+5*scale || bar.X0 < rows[0].X1-scale {
		t.Errorf("got a bar at %v; want it at the right of the rows up to %v", bar, rows[0].X1)
	}
}

// On every screen the rows have one height.
func TestRowsAreRuled(t *testing.T) {
	for _, c := range screens() {
		t.Run(c.name, func(t *testing.T) {
			p := c.open(t)
			for _, scale := range []float32{1, 1.3} {
				settled(t, p, c.width*scale, c.height*scale, scale)
				rowsOn(t, p)
			}
		})
	}
}

// onLanes returns the panel of a program whose zone "work" took some time on each goroutine.
func onLanes(t *testing.T, ticks ...platform.Ticks) (*process.Session, *viewer.Panel) {
	t.Helper()
	s := process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1e9, End: 20e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}}}
	for i, v := range ticks {
		l := gather.LaneFrame{ID: gather.LaneID(i + 1), Name: string(rune('a' + i)), Updater: i == 0, End: f.End,
			Nodes: []gather.Node{{Parent: -1, Self: f.End - v}}}
		if v > 0 {
			l.Nodes = append(l.Nodes, gather.Node{ID: 1, Zone: 1, Count: 1, Self: v})
		}
		f.Lanes = append(f.Lanes, l)
	}
	must.Do(t, s.WriteFrame(f))
	s.Pause()
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	return s, p
}

// The command chooses the goroutine with the most time of the zone, and all again.
func TestOnlyTheGoroutineItRanOnLongest(t *testing.T) {
	for _, ticks := range [][]platform.Ticks{{2e6, 5e6, 3e6}, {5e6, 2e6}, {0, 1e6}, {1e6, 4e6, 9e6}} {
		s, p := onLanes(t, ticks...)
		settled(t, p, 1280, 720, 1)
		s.View().SetCursorZone(1)
		p.Run("own-lane")
		want := 0
		for i, v := range ticks {
			if v > ticks[want] {
				want = i
			}
		}
		if got := int(s.View().Get().Lane); got != want+1 {
			t.Errorf("%v: got goroutine %d; want %d", ticks, got, want+1)
		}
		if note := viewer.NoteOf(p); note != "only "+string(rune('a'+want)) {
			t.Errorf("%v: got the note %q", ticks, note)
		}
		if p.Run("own-lane"); s.View().Get().Lane != 0 {
			t.Errorf("%v: once more: got goroutine %d; want all", ticks, s.View().Get().Lane)
		}
	}
}
