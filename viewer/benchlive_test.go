//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
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
func newLive() (step func(), s *process.Session, p *viewer.Panel, list *draw.List) {
	for i := range liveZones {
		liveZones[i].Name = fmt.Sprint([]string{"system ", "update item ", "draw batch "}[(i+8)/18%3], i)
	}
	gather.SetEvents(1 << 16)
	s = process.NewSession()
	s.View().SetReportMode(report.ReportHierarchicalTime)
	step = func() { liveFrame(); s.Update() }
	for range 310 {
		step()
	}
	p, list = viewer.PanelFor(s), &draw.List{}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.SetKeys(usualKeys())
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	return step, s, p, list
}

// Drawing each new frame of a running program allocates nothing, however its overhead differs from frame to frame.
func TestDrawingNewFramesAllocatesNothing(t *testing.T) {
	var now atomic.Int64
	platform.SetClock(func() int64 { return now.Add(100) }, 1e9)
	defer platform.SetClock(nil, 0)
	frame, s, p, l := newLive()
	s.View().SetAverage(report.AverageInstant)
	measure.Calibrate()
	defer gather.SetEvents(0)
	var shown report.Report
	frames, warned := 0, 0
	step := func() {
		now.Add(1e7 + int64(frames%16)*2e5)
		frames++
		frame()
		l.Reset()
		p.Draw(l, 1280, 1900, 1)
	}
	for range 2 * 16 {
		step()
		if s.View().AppendReport(&shown); len(shown.Warnings) > 0 {
			warned++
		}
	}
	if warned == 0 {
		t.Fatal("no frame had a warning about overhead; want some")
	}
	got := allocstest.PerRun(3*16, step)
	if platform.Assembly && got != 0 { // without, the zones of the frame allocate: they ask for their stack
		t.Errorf("got %v allocations a draw; want 0", got)
	}
}

// BenchmarkDrawLive lays out a whole screen of the frame that has just ended: 300 frames of 12 zones, 60 rows, and a
// timeline of 5,000 scopes. Unlike the other benchmarks it draws from a session, and includes the time of the session's
// snapshot. draw-ns/op is the time of the Draw, without that of the frame itself. The first draws, which make the
// glyphs and grow the rows to their size, are left out. Without -benchtime 3000x it may show an allocation: the
// sketches of the session's statistics grow with the first frames (-memprofile). No Draw allocates:
// TestDrawingNewFramesAllocatesNothing.
func BenchmarkDrawLive(b *testing.B) {
	step, _, p, l := newLive()
	defer gather.SetEvents(0)
	for range 300 {
		step()
		l.Reset()
		p.Draw(l, 1280, 1900, 1)
	}
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
