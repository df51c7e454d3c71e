package viewer_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// noisy writes frames of eight zones below one, each of which takes from half to one and a half of its usual time. The
// usual times are close to each other.
func noisy(t *testing.T, s *process.Session, random *rand.Rand, from, to uint64) {
	t.Helper()
	for i := from; i < to; i++ {
		begin := platform.Ticks(i) * 20_000_000
		f := &gather.Frame{Index: i, Begin: begin, End: begin + 20_000_000, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}}}
		nodes := []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1}}
		for z := range 8 {
			f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("part ", z)})
			self := platform.Ticks((1e6 + 40_000*float64(z)) * (0.5 + random.Float64()))
			nodes = append(nodes, gather.Node{ID: gather.NodeID(z + 2), Zone: gather.ZoneID(z + 2), Parent: 1, Depth: 1,
				Count: 1, Self: self})
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: f.End, Nodes: nodes}}
		must.Do(t, s.WriteFrame(f))
	}
}

// barsInOrder returns the zones of the bars of a level of the call structure, from left to right.
func barsInOrder(p *viewer.Panel, y float32) (zones []report.ZoneID) {
	for x := float32(0); x < 1280; x++ {
		if h := p.HitAt(x, y); h.Kind == hit.Icicle && !slices.Contains(zones, h.Zone) {
			zones = append(zones, h.Zone)
		}
	}
	return zones
}

// The callees of a noisy zone do not swap in ten pictures of one second. One that has been clearly greater for seconds
// goes before the others.
func TestSiblingsDoNotSwap(t *testing.T) {
	s, random := process.NewSession(), rand.New(rand.NewPCG(4, 50))
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	s.View().SetAverage(report.AverageInstant)
	at := uint64(0)
	for ; at < 400; at += 6 {
		noisy(t, s, random, at, at+6)
		settled(t, p, 1280, 720, 1)
	}
	y := float32(0)
	for ; y < 720; y++ {
		if len(barsInOrder(p, y)) == 8 {
			break
		}
	}
	var first []report.ZoneID
	var last *image.RGBA
	changed := 0
	for range 10 {
		noisy(t, s, random, at, at+6)
		at += 6
		m := paint(t, p, 1280, 720, 1)
		order := barsInOrder(p, y+4)
		if first == nil {
			first = order
		}
		if !slices.Equal(order, first) {
			t.Errorf("got the bars %v; want %v as before", order, first)
		}
		for i := 0; last != nil && i < len(m.Pix); i += 4 {
			if !slices.Equal(m.Pix[i:i+4], last.Pix[i:i+4]) {
				changed++
			}
		}
		last = m
	}
	t.Logf("%.1f %% of the pixels change from one picture to the next", 100*float64(changed)/float64(9*1280*720))
}
