// Package report has the plain data and the words of reports: the [View], the [Record] and the [Column], the frame
// shown, trees, the [Comparison], the [Verdict] and the [Dump]. Package [example.com/iprof/process] fills a [Report],
// and the renderers format it. This package does not depend on sessions.
//
//	var r report.Report
//	process.Default().View().AppendReport(&r)
//	for i := range r.Len() {
//		row, _ := r.Line(i)
//		fmt.Println(row.Name, row.Values[report.ColumnHier])
//	}
package report
