package exectrace_test

import (
	"runtime/debug"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

var (
	kept    [][]*int
	garbage []*int
)

// A frame that allocates faster than the collector marks has to mark, too.
func TestACollectorAssist(t *testing.T) {
	needZones(t)
	defer debug.SetGCPercent(debug.SetGCPercent(2))
	for range 40 { // pointers that every collection has to follow
		list := make([]*int, 1<<17)
		for i := range list {
			list[i] = new(int)
		}
		kept = append(kept, list)
	}
	defer func() { kept, garbage = nil, nil }()
	g := newGame(t)
	for range 20 { // until it worked for the collector for a third of the frame
		verdict, _ := g.slow(gather.StateAssist, func() {
			for begin := time.Now(); time.Since(begin) < g.long(); {
				garbage = make([]*int, 1<<14)
				for i := range garbage {
					garbage[i] = new(int)
				}
			}
		})
		if f := g.session.AppendFrames(nil, 1)[0]; g.assisted() > 0.3*float64(f.Length) {
			g.expect(verdict, "; it worked for the garbage collector for ")
			return
		}
		g.session.Resume()
	}
	t.Error("the collector never took help for a third of a frame")
}

// assisted returns for how many ms the newest frame worked for the collector.
func (g *game) assisted() (ms float64) {
	for _, q := range g.session.AppendStates(nil, 0) {
		if q.Lane == measure.OwnLane() && q.Kind == gather.StateAssist {
			ms += float64(q.End-q.Begin) / platform.TicksPerSecond() * 1000
		}
	}
	return ms
}
