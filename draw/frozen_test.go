package draw_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// frozen answers from one frame of a demo and makes no garbage, so that only the drawing is measured.
type frozen struct {
	*demo
	report process.Report
	series []process.Series
	tree   []process.TreeNode
}

func (f *frozen) AppendReport(dst *process.Report) {
	if f.report.Records == nil {
		f.demo.AppendReport(&f.report)
	}
	records, cols := append(dst.Records[:0], f.report.Records...), append(dst.Columns[:0], f.report.Columns...)
	*dst = f.report
	dst.Records, dst.Columns = records, cols
}

func (f *frozen) AppendReportOf(dst *process.Report, _ process.View) { f.AppendReport(dst) }

func (f *frozen) AppendTopSeries(dst []process.Series, n, most int, _ int32) []process.Series {
	if f.series == nil {
		f.series = f.demo.AppendTopSeries(nil, n, most, -1)
	}
	return append(dst, f.series[:min(most, len(f.series))]...)
}

func (f *frozen) AppendTree(dst []process.TreeNode, v process.View) []process.TreeNode {
	if f.tree == nil {
		f.tree = f.demo.AppendTree(nil, v)
	}
	return append(dst, f.tree...)
}

func (f *frozen) AppendPathHistory(dst []float32, path int32, frames int) []float32 {
	v := f.zones[path].self
	return append(dst, v[len(v)-frames:]...)
}

func (f *frozen) AppendZoneHistory(dst []float32, zone int32, frames int) []float32 {
	return f.AppendPathHistory(dst, zone, frames)
}

// BenchmarkDraw lays out a whole screen with 60 rows, and 300 frames of 12 zones.
func BenchmarkDraw(b *testing.B) { benchmarkDraw(b, func(*draw.Panel) {}) }

// BenchmarkDrawAll has all panels open besides: lines, memory, the zone card, differences, a sort and a filter.
func BenchmarkDrawAll(b *testing.B) {
	benchmarkDraw(b, func(p *draw.Panel) {
		p.ToggleLines()
		p.SetSecond(draw.SecondMemory)
		p.ToggleCard()
		p.PinBaseline()
		p.SortBy(draw.ColumnDelta)
		p.SetFilter("a")
	})
}

func benchmarkDraw(b *testing.B, open func(*draw.Panel)) {
	f := &frozen{demo: newDemo()}
	f.demo.view.Mode = process.HierarchicalTime
	f.demo.AppendReport(&f.report)
	for len(f.report.Records) < 60 {
		f.report.Records = append(f.report.Records, f.report.Records...)
	}
	f.report.Records = f.report.Records[:60]
	p := draw.NewPanel(f)
	p.SetMode(draw.Full)
	p.SetKeys(demoKeys)
	open(p)
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		p.Draw(&l, 1280, 1900, 1)
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}

// BenchmarkReport lays out what DrawGL draws: 60 rows.
func BenchmarkReport(b *testing.B) {
	d := newDemo()
	d.view.Mode = process.HierarchicalTime
	var r process.Report
	d.AppendReport(&r)
	r.Records = append(r.Records, r.Records...)
	r.Records = append(r.Records, r.Records...)[:60]
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		draw.AppendReport(&l, &r, 0, 0, 600, 1200, draw.ReportOptions{})
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}

// BenchmarkGraph lays out what DrawGraphGL draws: 300 frames of 12 zones.
func BenchmarkGraph(b *testing.B) {
	s := newDemo().AppendSeries(nil, demoFrames)[:12]
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		draw.AppendGraph(&l, s, 0, 0, 400, 3, 8, draw.GraphOptions{})
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}
