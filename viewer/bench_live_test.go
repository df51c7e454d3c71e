//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// liveZones are the zones of the benchmark's program: ten systems with fifty jobs.
var liveZones [60]gather.Zone

// liveFrame runs a frame of 5,010 scopes on 210 paths.
func liveFrame() {
	for i := range 10 {
		system := liveZones[i].Begin()
		for j := range 5 {
			job := liveZones[10+i*5+j].Begin()
			for k := range 99 {
				liveZones[10+(i*5+j+1+k%3*7)%50].Begin().End()
			}
			job.End()
		}
		system.End()
	}
}

// newLive returns a session of this program with a full history, and its panel with a timeline.
func newLive() (step func(), p *viewer.Panel, list *draw.List) {
	for i := range liveZones {
		liveZones[i].Name = fmt.Sprint([]string{"system ", "update item ", "draw batch "}[(i+8)/18%3], i)
	}
	gather.SetEvents(1 << 16)
	s := process.NewSession()
	s.SetReportMode(process.ReportHierarchicalTime)
	step = func() { liveFrame(); s.Update() }
	for range 310 {
		step()
	}
	p, list = viewer.PanelFor(s), &draw.List{}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	viewer.SetHints(p, demoKeys)
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	return step, p, list
}

// BenchmarkDrawLive lays out a whole screen of the frame that has just ended: 300 frames of 12 zones, 60 rows, and a
// timeline of 5,000 scopes. Unlike the other benchmarks it draws from a session, and includes the time of the session's
// snapshot. draw-ns/op is the time of the Draw, without that of the frame itself.
func BenchmarkDrawLive(b *testing.B) {
	step, p, l := newLive()
	defer gather.SetEvents(0)
	var took, least time.Duration
	b.ReportAllocs()
	for b.Loop() {
		step()
		begin := time.Now()
		l.Reset()
		p.Draw(l, 1280, 1900, 1)
		d := time.Since(begin)
		if took += d; least == 0 || d < least {
			least = d
		}
	}
	b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "draw-ns/op")
	b.ReportMetric(float64(least.Nanoseconds()), "draw-ns-min")
	b.ReportMetric(float64(l.Quads()), "quads")
}
