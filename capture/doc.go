// Package capture writes frames to files and reads them back.
//
//	recording, err := capture.Record(process.Default(), capture.RecordOptions{Path: "game.iprof"})
//	… // the program runs; each frame is in the file when the next one ends
//	err = recording.Close()
//
//	session, contents, err := capture.Open("game.iprof") // at any time, on any machine
//	session.View().AppendReport(&report)
//
// A capture has every frame to the tick, so its reports equal the reports of the live program. A file that was cut off
// by a crash or a full disk is readable up to its last whole frame. The reader skips damaged stretches of a file.
//
// [OpenNewest] opens a large capture in a fraction of the time: the session has the newest frames, and averages of all.
//
// A [BlackBox] keeps the last frames in memory and writes only the frames around a hitch.
//
// docs/format.md describes the format byte by byte.
package capture
