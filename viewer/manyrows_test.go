package viewer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// manyRows returns a session with a zone for each row, each of another time in each frame, and its panel.
func manyRows(tb testing.TB, rows int) (step func(), s *process.Session, p *viewer.Panel) {
	s = process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{ID: 1, Parent: -1}}}}}
	for i := range rows {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes,
			gather.Node{ID: gather.NodeID(i + 2), Zone: gather.ZoneID(i + 1), Depth: 1, Count: 1})
	}
	r := rand.New(rand.NewPCG(1, 2))
	step = func() {
		f.Begin, f.End = f.End, f.End+platform.Ticks(16*time.Millisecond)
		f.Lanes[0].Begin, f.Lanes[0].End = f.Begin, f.End
		left := f.End - f.Begin
		for i := range f.Lanes[0].Nodes[1:] {
			n := &f.Lanes[0].Nodes[i+1]
			n.Self = platform.Ticks(r.IntN(int(2*(f.End-f.Begin)) / (3 * rows)))
			left -= n.Self
		}
		f.Lanes[0].Nodes[0].Self = left
		if err := s.WriteFrame(f); err != nil {
			tb.Fatal(err)
		}
		f.Index++
	}
	for range 310 {
		step()
	}
	p = viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	return step, s, p
}

// BenchmarkDrawManyRows lays out a screen of a new frame of 10,000 zones. The time is that of the Draw alone.
func BenchmarkDrawManyRows(b *testing.B) {
	for _, rows := range []int{60, 1000, 10000} {
		b.Run(fmt.Sprint("rows=", rows), func(b *testing.B) {
			step, _, p := manyRows(b, rows)
			var l draw.List
			var took time.Duration
			for range 30 {
				step()
				l.Reset()
				p.Draw(&l, 1280, 900, 1)
			}
			b.ReportAllocs()
			for b.Loop() {
				step()
				begin := time.Now()
				l.Reset()
				p.Draw(&l, 1280, 900, 1)
				took += time.Since(begin)
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "draw-ns/op")
		})
	}
}
