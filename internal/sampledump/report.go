package sampledump

import (
	"strconv"
	"time"

	"example.com/iprof/process"
)

// Flat returns a report by self time with all signs, states and columns that a row can have.
func Flat() *process.Report {
	r := frameReport("16.67 ms  60.0 fps  sort self  newest frame")
	r.Warnings = []string{"measuring costs 5.2 % of the frame"}
	r.Verdict = verdict(18341, 121.7, 105, 4, 4, "decode", "load")
	r.Columns = []process.Column{process.ColumnSelf, process.ColumnHier, process.ColumnCount, process.ColumnHierPercent}
	r.Records = []process.Record{
		record("lighting", 3.12499, 3.875, 1, process.MarkOpen),
		record("gbuffer", 2.41, 2.41, 1, process.MarkNone),
		record("decode", 1.9, 2.2, 3.5, process.MarkOpen),
		record("decode", 0.75, 0.75, 12, process.MarkNone),
		record("intersect", 0.3449, 9.5, 4096, process.MarkOpen),
		record("swap buffers", 0.25, 0.25, 1, process.MarkNone),
		record("waiting for the network", 0, 16.67, 0, process.MarkNone),
	}
	r.Records[2].Site, r.Records[3].Site = "png.go:31", "ogg.go:88"
	r.Records[3].Costly = true
	r.Records[4].Depth = 13
	r.Records[5].Idle = true
	r.Records[6].Open, r.Records[6].Idle = true, true
	for _, v := range Values(0) {
		r.Values = append(r.Values, v.FrameValue)
	}
	return r
}

// CallGraph returns the call graph of the worked example in IProf's manual: two parents, a routine, three children.
func CallGraph() *process.Report {
	r := frameReport("16.67 ms  60.0 fps  call graph of my_routine  3 frames ago")
	r.View.Mode = process.ReportCallGraph
	r.Columns = []process.Column{process.ColumnSelf, process.ColumnHier, process.ColumnCount}
	r.Records = []process.Record{
		record("my_parent1", 0.75, 2.25, 20, process.MarkOpen),
		record("my_parent2", 1.75, 5.75, 25, process.MarkOpen),
		record("my_routine", 2.5, 8, 45, process.MarkFocus),
		record("my_child1", 2.5, 3, 60, process.MarkOpen),
		record("my_child2", 1.5, 1.5, 45, process.MarkNone),
		record("my_child3", 1, 1, 10, process.MarkNone),
	}
	for i := range r.Records {
		r.Records[i].Indent, r.Records[i].Group = 2, process.GroupChild
		if i < 2 {
			r.Records[i].Group = process.GroupParent
		}
	}
	r.Records[2].Indent, r.Records[2].Group = 0, process.GroupFocus
	r.Cursor = 2
	return r
}

// Records returns a report of n rows with all columns filled.
func Records(n int) *process.Report {
	r := frameReport("16.67 ms  60.0 fps  sort self  newest frame")
	for c := range process.NumColumns {
		r.Columns = append(r.Columns, process.Column(c))
	}
	for i := range n {
		rec := record("zone_"+strconv.Itoa(i), 0, 0, 0, process.Mark(i%3))
		rec.Mask = process.AllColumns
		for c := range rec.Values {
			rec.Values[c] = Ms(int64(i*7919 + c*104729))
		}
		rec.Indent, rec.Depth = i%6, i%4
		r.Records = append(r.Records, rec)
	}
	return r
}

// HostileReport returns a report in which every text is hostile.
func HostileReport() *process.Report {
	r := Records(len(HostileNames))
	r.Verdict = verdict(7, 40, 20, 1, 1, HostileNames[12], HostileNames[16])
	r.Title, r.Warnings = HostileNames[11], []string{HostileNames[0], HostileNames[12]}
	for i := range r.Records {
		r.Records[i].Name = HostileNames[i]
		r.Records[i].Site = HostileNames[(i+1)%55]
		r.Values = append(r.Values, process.FrameValue{Name: HostileNames[i], Kind: process.ValueCount,
			Value: float64(i)})
	}
	return r
}

func frameReport(title string) *process.Report {
	return &process.Report{Title: title, Frame: process.FrameInfo{Index: 18342, Length: 16.67, Busy: 14.2, FPS: 60,
		Budget: time.Second / 60, Frames: 18343}}
}

// record returns a row with self, hier, count and the percentage of a 16.67 ms frame.
func record(name string, self, hier, count float64, mark process.Mark) process.Record {
	rec := process.Record{Name: name, Path: -1, Mark: mark,
		Mask: process.ColumnsOf(process.ColumnSelf, process.ColumnHier, process.ColumnCount, process.ColumnHierPercent)}
	rec.Values[process.ColumnSelf] = self
	rec.Values[process.ColumnHier] = hier
	rec.Values[process.ColumnCount] = count
	rec.Values[process.ColumnHierPercent] = 100 * hier / 16.67
	return rec
}
