package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer"
)

// timedFrozen is a frozen demo with a timeline. The timeline may be of another frame each time.
type timedFrozen struct {
	*frozen
	timed *timed
	moves uint64
	still bool
}

func (f *timedFrozen) step() {
	if !f.still {
		f.moves++
	}
}

func (f *timedFrozen) AppendReport(dst *report.Report) {
	f.frozen.AppendReport(dst)
	dst.Frame.Frames += f.moves
}

func (f *timedFrozen) AppendTimelineLanes(dst []timeline.Lane, age int) []timeline.Lane {
	return f.timed.AppendTimelineLanes(dst, age)
}

func (f *timedFrozen) AppendTimelineFrames(dst []timeline.Frame, _, _, _ int) []timeline.Frame {
	return append(dst, timeline.Frame{End: float64(f.memory[f.at()].Length)})
}

func (f *timedFrozen) AppendTimelineRange(
	dst []timeline.Scope, lane report.LaneID, age, older, newer int,
) []timeline.Scope {
	return append(dst, f.timed.scopes...)
}

// BenchmarkTimeline lays the timeline out: each time a new frame, which must be sorted first, or another part of the
// same frame.
func BenchmarkTimeline(b *testing.B) {
	for _, scopes := range []int{5000, 1_000_000} {
		for _, fresh := range []bool{false, true} {
			name := fmt.Sprintf("scopes=%d/frame=same", scopes)
			if fresh {
				name = fmt.Sprintf("scopes=%d/frame=new", scopes)
			}
			b.Run(name, func(b *testing.B) { benchmarkTimeline(b, scopes, fresh) })
		}
	}
}

func benchmarkTimeline(b *testing.B, scopes int, fresh bool) {
	d := &frozen{demo: newDemo()}
	s := &timedFrozen{frozen: d, timed: crowd(d.demo, scopes), still: !fresh}
	p := viewer.NewPanel(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	var l draw.List
	paint := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	paint()
	without := l.Quads()
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
	paint()
	n, quads := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		s.step()
		viewer.Zoom(p, float32(200+n*37%1000), []float64{1, 1, 1, -1, -1, -1}[n%6])
		paint()
		n, quads = n+1, max(quads, l.Quads()-without)
	}
	b.ReportMetric(float64(quads), "quads")
}

// BenchmarkDrawTimeline lays out a whole screen with 60 rows, 300 frames of 12 zones, and a timeline of 5,000 scopes of
// another frame each time.
func BenchmarkDrawTimeline(b *testing.B) {
	f := &frozen{demo: newDemo()}
	f.demo.view.Mode = report.ReportHierarchicalTime
	f.demo.AppendReport(&f.report)
	for len(f.report.Records) < 60 {
		f.report.Records = append(f.report.Records, f.report.Records...)
	}
	f.report.Records = f.report.Records[:60]
	s := &timedFrozen{frozen: f, timed: crowd(f.demo, 5000)}
	p := viewer.NewPanel(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	viewer.SetHints(p, demoKeys)
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		p.Draw(&l, 1280, 1900, 1)
		s.step()
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}

// BenchmarkTimelineMillion lays out 1,000,000 scopes, which have been read, at every zoom from all of them to a single
// one, with and without a zone under the mouse. The time is that of the whole screen.
func BenchmarkTimelineMillion(b *testing.B) {
	for _, hover := range []bool{false, true} {
		b.Run(fmt.Sprintf("hover=%v", hover), func(b *testing.B) {
			d := &frozen{demo: newDemo()}
			s := &timedFrozen{frozen: d, timed: crowd(d.demo, 1_000_000), still: true}
			p := viewer.NewPanel(s)
			p.Change(func(o *viewer.Options) { o.Mode, o.Timeline = viewer.PanelFull, viewer.TimelineLarge })
			if hover {
				p.SetHover(640, 420)
			}
			var l draw.List
			paint := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
			n := 0
			step := func() {
				viewer.Zoom(p, 631, float64(1-n/60%2*2))
				n++
				paint()
			}
			for range 240 {
				step()
			}
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}
