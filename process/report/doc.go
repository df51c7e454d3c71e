// Package report has the plain data and the words of reports: what a [View] chooses, the [Record] and the [Column], the
// frame shown, trees, the [Comparison], the [Verdict] and the [Dump]. Package [example.com/iprof/process] fills a
// [Report], and the renderers format it. Nothing here knows a session.
//
//	var r report.Report
//	process.Default().AppendReport(&r)
//	for i := range r.Len() {
//		row, _ := r.Line(i)
//		fmt.Println(row.Name, row.Values[report.ColumnHier])
//	}
package report
