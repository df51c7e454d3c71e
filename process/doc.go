// Package process analyses frames: it keeps a history of what package gather measured, and answers with reports, trees and
// series that renderers only format.
//
//	s := process.Default()
//	s.SetReportMode(process.CallGraph)
//	for !done {
//		step()     // zones all over
//		s.Update() // ends the frame and takes it in
//		s.AppendReport(&report)
//		for _, r := range report.Records {
//			fmt.Println(r.Name, r.Values[process.ColumnHier])
//		}
//	}
//
// Everything is exact: a frame's ticks are kept as they came, sums are of whole ticks, and only what is handed out is in
// milliseconds. What lanes did is merged by path, that is by distinct stack of zones; a log keeps each lane's part of each
// of the newest frames, so a report of an old frame or of one lane is computed when somebody looks and costs nothing before.
//
// Averages decay by time, not by frame: in a step of the input the Short one settles to 90 % in 0.8 s and the Long one in
// 2.5 s, at any frame rate, and a zone's first frame already gives its true value.
package process
