package text_test

import (
	"bytes"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

var arrangements = map[string]struct {
	mode report.ReportMode
	a    report.Arrangement
}{
	"plain":   {},
	"grouped": {a: report.Arrangement{Grouping: report.GroupingPackage}},
	"grouped.hier": {report.ReportHierarchicalTime,
		report.Arrangement{Grouping: report.GroupingPackage, Filter: "D"}},
	// A call tree keeps its own structure.
	"grouped.calltree": {report.ReportCallTree, report.Arrangement{Grouping: report.GroupingPackage}},
	"filter":           {a: report.Arrangement{Filter: "SIC"}},
	"filter.calltree":  {report.ReportCallTree, report.Arrangement{Filter: "physics"}},
	"filter.none":      {a: report.Arrangement{Filter: "no such zone"}},
	"filter.hostile":   {a: report.Arrangement{Filter: "\x1b[31mnet"}},
	"compare":          {a: report.Arrangement{Compare: true}},
	"compare.by.delta": {report.ReportHierarchicalTime,
		report.Arrangement{Compare: true, Order: report.Order{Chosen: true, By: report.ColumnDelta}}},
	"by.count": {a: report.Arrangement{Order: report.Order{Chosen: true, By: report.ColumnCount,
		Ascending: true}}},
	"by.name": {a: report.Arrangement{Order: report.Order{Chosen: true, By: report.ColumnName,
		Ascending: true}}},
	"callers": {report.ReportCallGraph, report.Arrangement{CallersOnly: true}},
	"all": {a: report.Arrangement{Grouping: report.GroupingPackage, Filter: "i", Compare: true,
		Order: report.Order{Chosen: true, By: report.ColumnCount}}},
	"compare.callgraph": {report.ReportCallGraph, report.Arrangement{Compare: true}},
}

func TestArrangedReportGolden(t *testing.T) {
	for name, c := range arrangements {
		t.Run(name, func(t *testing.T) {
			var r report.Report
			sampledump.Arranged(c.mode, c.a).View().AppendReport(&r)
			var b bytes.Buffer
			must.Do(t, text.WriteReport(&b, &r, text.Options{Cursor: true}))
			golden.Text(t, "arranged."+name+".golden", b.Bytes())
		})
	}
}

func TestArrangedMachineGolden(t *testing.T) {
	for _, name := range []string{"all", "filter.calltree"} {
		c := arrangements[name]
		s := sampledump.Arranged(c.mode, c.a)
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			must.Do(t, text.WriteJSON(&b, &report.Dump{Report: s.Dump(report.DumpOptions{}).Report}))
			golden.Text(t, "arranged."+name+".json.golden", b.Bytes())
		})
	}
}
