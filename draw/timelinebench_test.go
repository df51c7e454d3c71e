package draw_test

import (
	"fmt"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// timedFrozen is a frozen demo with a timeline, which may be another frame's each time.
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

func (f *timedFrozen) AppendReport(dst *process.Report) {
	f.frozen.AppendReport(dst)
	dst.Frame.Frames += f.moves
}

func (f *timedFrozen) AppendTimelineLanes(dst []process.TimelineLane, age int) []process.TimelineLane {
	return f.timed.AppendTimelineLanes(dst, age)
}

func (f *timedFrozen) AppendTimelineFrames(dst []process.TimelineFrame, _, _, _ int) []process.TimelineFrame {
	return append(dst, process.TimelineFrame{End: float64(f.memory[f.at()].Length)})
}

func (f *timedFrozen) AppendTimelineRange(dst []process.TimelineScope, lane uint64, age, older, newer int) []process.TimelineScope {
	return append(dst, f.timed.scopes...)
}

// BenchmarkTimeline lays the timeline out. A new frame is put in order first; of the same frame another part is looked at.
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
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	var l draw.List
	paint := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	paint()
	without := l.Quads()
	p.SetTimeline(draw.TimelineLarge)
	paint()
	n, quads := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		s.step()
		p.ZoomTimeline(float32(200+n*37%1000), []float64{1, 1, 1, -1, -1, -1}[n%6])
		paint()
		n, quads = n+1, max(quads, l.Quads()-without)
	}
	b.ReportMetric(float64(quads), "quads")
}

// BenchmarkDrawTimeline lays out a whole screen with 60 rows, 300 frames of 12 zones, and a timeline of 5,000 scopes that are
// another frame's each time.
func BenchmarkDrawTimeline(b *testing.B) {
	f := &frozen{demo: newDemo()}
	f.demo.view.Mode = process.HierarchicalTime
	f.demo.AppendReport(&f.report)
	for len(f.report.Records) < 60 {
		f.report.Records = append(f.report.Records, f.report.Records...)
	}
	f.report.Records = f.report.Records[:60]
	s := &timedFrozen{frozen: f, timed: crowd(f.demo, 5000)}
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	p.SetKeys(demoKeys)
	p.SetTimeline(draw.TimelineShown)
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		p.Draw(&l, 1280, 1900, 1)
		s.step()
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}
