package sampledump

import (
	"strconv"
	"time"

	"example.com/iprof/process/report"
)

// Flat returns a report by self time with all signs, states and columns that a row can have.
func Flat() *report.Report {
	r := frameReport("16.67 ms  60.0 fps  sort self  newest frame")
	r.Warnings = []string{"measuring costs 5.2 % of the frame"}
	r.Verdict = verdict(18341, 121.7, 105, 4, 4, "decode", "load")
	r.Columns = []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnHierPercent}
	r.Records = []report.Record{
		record("lighting", 3.12499, 3.875, 1, report.SignOpen),
		record("gbuffer", 2.41, 2.41, 1, report.SignNone),
		record("decode", 1.9, 2.2, 3.5, report.SignOpen),
		record("decode", 0.75, 0.75, 12, report.SignNone),
		record("intersect", 0.3449, 9.5, 4096, report.SignOpen),
		record("swap buffers", 0.25, 0.25, 1, report.SignNone),
		record("waiting for the network", 0, 16.67, 0, report.SignNone),
	}
	r.Records[2].Site, r.Records[3].Site = "png.go:31", "ogg.go:88"
	r.Records[3].Costly = true
	r.Records[4].Depth = 13
	r.Records[5].Idle = true
	r.Records[6].Open, r.Records[6].Idle = true, true
	r.Values = []report.FrameValue{
		{Name: "heap allocated", Kind: report.ValueHeap, Unit: report.UnitBytes, Value: 24311, Mean: 24500.5,
			Max: 28990, Total: 17654321},
		{Name: "collector pauses", Kind: report.ValueHeap, Unit: report.UnitMilliseconds, Mean: 0.0032, Max: 0.08,
			Total: 2.4},
		{Name: "shots", Kind: report.ValueCount, Value: 17, Mean: 12.25, Max: 40, Total: 9077},
		{Name: "temperature", Kind: report.ValueLevel, Value: 36.6, Mean: 36.625, Max: 37, Total: 36.6},
	}
	return r
}

// CallGraph returns the call graph of the worked example in IProf's manual: two parents, a routine, three children.
func CallGraph() *report.Report {
	r := frameReport("16.67 ms  60.0 fps  call graph of my_routine  3 frames ago")
	r.View.Mode = report.ReportCallGraph
	r.Columns = []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount}
	r.Records = []report.Record{
		record("my_parent1", 0.75, 2.25, 20, report.SignOpen),
		record("my_parent2", 1.75, 5.75, 25, report.SignOpen),
		record("my_routine", 2.5, 8, 45, report.SignFocus),
		record("my_child1", 2.5, 3, 60, report.SignOpen),
		record("my_child2", 1.5, 1.5, 45, report.SignNone),
		record("my_child3", 1, 1, 10, report.SignNone),
	}
	for i := range r.Records {
		r.Records[i].Indent, r.Records[i].Group = 2, report.GroupChild
		if i < 2 {
			r.Records[i].Group = report.GroupParent
		}
	}
	r.Records[2].Indent, r.Records[2].Group = 0, report.GroupFocus
	r.Cursor = 2
	return r
}

// Records returns a report of n rows with all columns filled.
func Records(n int) *report.Report {
	r := frameReport("16.67 ms  60.0 fps  sort self  newest frame")
	for c := range report.NumColumns {
		r.Columns = append(r.Columns, report.Column(c))
	}
	for i := range n {
		rec := record("zone_"+strconv.Itoa(i), 0, 0, 0, report.Sign(i%3))
		rec.Mask = report.AllColumns
		for c := range rec.Values {
			rec.Values[c] = Ms(int64(i*7919 + c*104729))
		}
		rec.Indent, rec.Depth = i%6, i%4
		r.Records = append(r.Records, rec)
	}
	return r
}

// HostileReport returns a report in which every text is hostile.
func HostileReport() *report.Report {
	r := Records(len(HostileNames))
	r.Verdict = verdict(7, 40, 20, 1, 1, HostileNames[12], HostileNames[16])
	r.Title, r.Warnings = HostileNames[11], []string{HostileNames[0], HostileNames[12]}
	for i := range r.Records {
		r.Records[i].Name = HostileNames[i]
		r.Records[i].Site = HostileNames[(i+1)%55]
		r.Values = append(r.Values, report.FrameValue{Name: HostileNames[i], Kind: report.ValueCount,
			Value: float64(i)})
	}
	return r
}

func frameReport(title string) *report.Report {
	return &report.Report{Title: title, Frame: report.FrameInfo{Index: 18342, Length: 16.67, Busy: 14.2, FPS: 60,
		Budget: time.Second / 60, Frames: 18343}}
}

// record returns a row with self, hier, count and the percentage of a 16.67 ms frame.
func record(name string, self, hier, count float64, sign report.Sign) report.Record {
	rec := report.Record{Name: name, Path: -1, Sign: sign,
		Mask: report.ColumnsOf(report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnHierPercent)}
	rec.Values[report.ColumnSelf] = self
	rec.Values[report.ColumnHier] = hier
	rec.Values[report.ColumnCount] = count
	rec.Values[report.ColumnHierPercent] = 100 * hier / 16.67
	return rec
}
