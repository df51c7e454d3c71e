// Package process analyses frames. It keeps a history of the frames that package [gather] measured, and makes reports,
// trees and series of them. Renderers only format these. Package [report], below this one, has the types of reports:
// views, columns, rows, verdicts. A few of its names are here, too.
//
//	s := process.Default()
//	s.SetReportMode(report.ReportCallGraph)
//	for !done {
//		step()     // zones all over
//		s.Update() // ends the frame and takes it in
//		s.AppendReport(&r) // r is a report.Report
//		for _, row := range r.Records {
//			fmt.Println(row.Name, row.Values[report.ColumnHier])
//		}
//	}
//
// Sums are exact: frames keep their ticks, sums are of whole ticks, and only results are in milliseconds. Lanes are
// merged by path. A path is a distinct stack of zones. A log keeps the records of each lane in each of the newest
// frames. A report of an old frame or of one lane is computed from the log on request, and costs nothing before.
//
// A [Session] holds the history and the view. [Default] returns the session of the program. Averages decay by time, not
// by frame. After a step of the input, [report.AverageShort] settles to 90 % in 0.8 s and [report.AverageLong] in 2.5
// s, at any frame rate. The first frame of a zone already gives its true value.
package process
