// Package process analyses frames. It keeps a history of the frames that package [gather] measured, and makes reports,
// trees and series of them. Renderers only format these. Package [report], below this one, has the types of reports:
// views, columns, rows, verdicts. A few of its names are here, too.
//
//	s := process.Default()
//	v := s.View()
//	v.SetReportMode(report.ReportCallGraph)
//	for !done {
//		step()     // zones all over
//		s.Update() // ends the frame and takes it in
//		v.AppendReport(&r) // r is a report.Report
//		for _, row := range r.Records {
//			fmt.Println(row.Name, row.Values[report.ColumnHier])
//		}
//	}
//
// Sums are exact: frames keep their ticks, sums are of whole ticks, and only results are in milliseconds. Lanes are
// merged by path. A path is a distinct stack of zones. A log keeps the records of each lane in each of the newest
// frames. A report of an old frame or of one lane is computed from the log on request, and costs nothing before.
//
// A [Session] holds the history. A [View] reads it for one looker: it has the choice of a report, the cursor, folds and
// a baseline. [Default] returns the session of the program. Averages decay by time, not by frame. After a step of the
// input, [report.AverageShort] settles to 90 % in 0.8 s and [report.AverageLong] in 2.5 s, at any frame rate. The first
// frame of a zone already gives its true value.
//
// # Inside
//
//	gather.Frame -> Session: intake -> store: history -> values -> View: rows -> report.Report
//	                                -> totals, timeline, verdict
//
// A Session has the lock and these parts as named fields. Its methods, and those of its views, lock it and call one of
// the parts. No struct embeds another part. Each part knows only the parts below it:
//
//   - report has plain data and words: columns, views, records, verdicts and their sentences, dumps. It puts rows on
//     lines (Arranger).
//   - internal/history has the ring buffer of frames with their records, paths, series, averages, statistics (P99 in
//     quantiles.go), and the slowest frames.
//   - timeline makes events into scopes, on one axis with the states of goroutines.
//   - internal/verdict has the usual times, and the search down the tree for the causes of an excess.
//   - totals has the sums since the start by lane and path, and trees of them.
//   - internal/store holds these, and the settings by which frames are judged. It digests frames that were only logged,
//     and loads a frame, a lane, a lens or an average as values by path and by zone.
//   - internal/rows makes the rows of a view of the values, then adds statistics, states and warnings: see Build in
//     reports.go. Each View has a Builder, with its choices and its cursor.
//   - intake (frames.go, live.go) takes frames in, and begins anew for another program. sinks hands them out. sums
//     reads everything since the start, with the frame in progress. [Sources] are what a session has besides its
//     frames.
//   - front is what Update needs, under a lock of its own that is held only for moments. A frame that ends during a
//     read of the session waits there.
//
// A frame is logged when it ends, and digested when a report needs it: see frames.go. A report is Load (values), list
// (rows) and record (columns), in this order. A screen asks for one [Snapshot].
package process
