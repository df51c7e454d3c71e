package text_test

import (
	"bytes"
	"io"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process"
)

var arrangements = map[string]struct {
	mode process.ReportMode
	a    process.Arrangement
}{
	"plain":   {},
	"grouped": {a: process.Arrangement{Grouping: process.GroupingPackage}},
	"grouped.hier": {process.ReportHierarchicalTime,
		process.Arrangement{Grouping: process.GroupingPackage, Filter: "D"}},
	// A call tree keeps its own structure.
	"grouped.calltree": {process.ReportCallTree, process.Arrangement{Grouping: process.GroupingPackage}},
	"filter":           {a: process.Arrangement{Filter: "SIC"}},
	"filter.calltree":  {process.ReportCallTree, process.Arrangement{Filter: "physics"}},
	"filter.none":      {a: process.Arrangement{Filter: "no such zone"}},
	"filter.hostile":   {a: process.Arrangement{Filter: "\x1b[31mnet"}},
	"compare":          {a: process.Arrangement{Compare: true}},
	"compare.by.delta": {process.ReportHierarchicalTime,
		process.Arrangement{Compare: true, Order: process.Order{Chosen: true, By: process.ColumnDelta}}},
	"by.count": {a: process.Arrangement{Order: process.Order{Chosen: true, By: process.ColumnCount,
		Ascending: true}}},
	"by.name": {a: process.Arrangement{Order: process.Order{Chosen: true, By: process.ColumnName,
		Ascending: true}}},
	"callers": {process.ReportCallGraph, process.Arrangement{CallersOnly: true}},
	"all": {a: process.Arrangement{Grouping: process.GroupingPackage, Filter: "i", Compare: true,
		Order: process.Order{Chosen: true, By: process.ColumnCount}}},
	"compare.callgraph": {process.ReportCallGraph, process.Arrangement{Compare: true}},
}

func TestArrangedReportGolden(t *testing.T) {
	for name, c := range arrangements {
		t.Run(name, func(t *testing.T) {
			var r process.Report
			sampledump.Arranged(c.mode, c.a).AppendReport(&r)
			var b bytes.Buffer
			if err := text.WriteReport(&b, &r, text.Options{Cursor: true}); err != nil {
				t.Fatal(err)
			}
			golden.Text(t, "arranged."+name+".golden", b.Bytes())
		})
	}
}

func TestArrangedMachineGolden(t *testing.T) {
	for _, name := range []string{"all", "filter.calltree"} {
		c := arrangements[name]
		s := sampledump.Arranged(c.mode, c.a)
		var r process.Report
		s.AppendReport(&r)
		for kind, write := range map[string]func(io.Writer) error{
			"csv": func(w io.Writer) error { return text.WriteCSV(w, &r) },
			"json": func(w io.Writer) error {
				return text.WriteJSON(w, &process.Dump{Report: s.Dump(process.DumpOptions{}).Report})
			},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
				golden.Text(t, "arranged."+name+"."+kind+".golden", b.Bytes())
			})
		}
	}
}
