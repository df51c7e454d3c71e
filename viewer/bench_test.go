package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// frozen is a source with one frame of a demo. It allocates nothing, so that only the drawing is measured.
type frozen struct {
	*demo
	report report.Report
	series []report.Series
	tree   []report.TreeNode
}

func (f *frozen) AppendReport(dst *report.Report) {
	if f.report.Records == nil {
		f.demo.AppendReport(&f.report)
	}
	r := &f.report // field by field, as dst has memory of its own besides
	dst.View = r.View
	dst.Frame = r.Frame
	dst.Title = r.Title
	dst.Warnings = r.Warnings
	dst.Sorted = r.Sorted
	dst.Cursor = r.Cursor
	dst.Baseline = r.Baseline
	dst.Records, dst.Columns = append(dst.Records[:0], r.Records...), append(dst.Columns[:0], r.Columns...)
}

func (f *frozen) AppendReportOf(dst *report.Report, _ report.View) { f.AppendReport(dst) }

func (f *frozen) AppendTopSeries(dst []report.Series, n, most int, _ report.ZoneID) []report.Series {
	if f.series == nil {
		f.series = f.demo.AppendTopSeries(nil, n, most, -1)
	}
	return append(dst, f.series[:min(most, len(f.series))]...)
}

func (f *frozen) AppendTree(dst []report.TreeNode, v report.View) []report.TreeNode {
	if f.tree == nil {
		f.tree = f.demo.AppendTree(nil, v)
	}
	return append(dst, f.tree...)
}

func (f *frozen) AppendPathHistory(dst []float32, path int32, frames int) []float32 {
	v := f.zones[path].self
	return append(dst, v[len(v)-frames:]...)
}

func (f *frozen) AppendZoneHistory(dst []float32, zone report.ZoneID, frames int) []float32 {
	return f.AppendPathHistory(dst, int32(zone), frames)
}

// BenchmarkDraw lays out a whole screen with 60 rows, and 300 frames of 12 zones.
func BenchmarkDraw(b *testing.B) { benchmarkDraw(b, func(*viewer.Panel) {}) }

// BenchmarkDrawAll lays out a screen with lines, memory, the zone card, differences, a sort and a filter, too.
func BenchmarkDrawAll(b *testing.B) {
	benchmarkDraw(b, func(p *viewer.Panel) {
		p.Run("lines")
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
		p.Run("card")
		p.Run("baseline")
		viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnDelta)})
		viewer.SetFilter(p, "a")
	})
}

func benchmarkDraw(b *testing.B, open func(*viewer.Panel)) {
	f := &frozen{demo: newDemo()}
	f.demo.view.Mode = report.ReportHierarchicalTime
	f.demo.AppendReport(&f.report)
	for len(f.report.Records) < 60 {
		f.report.Records = append(f.report.Records, f.report.Records...)
	}
	f.report.Records = f.report.Records[:60]
	p := viewer.PanelOf(f)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.SetKeys(usualKeys())
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
	d.view.Mode = report.ReportHierarchicalTime
	var r report.Report
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
