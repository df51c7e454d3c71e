// Package report has the plain data and the words of reports: what a view chooses, the rows and columns, the frame
// shown, trees, comparisons, verdicts and dumps. Package process fills them, and the renderers format
// them. Nothing here knows a session.
//
//	var r report.Report
//	process.Default().AppendReport(&r)
//	for i := range r.Len() {
//		row, _ := r.Line(i)
//		fmt.Println(row.Name, row.Values[report.ColumnHier])
//	}
package report
