// Package capture writes frames to files and reads them back.
//
//	recording, err := capture.Record(process.Default(), "game.iprof")
//	… // the program runs; each frame is in the file when the next one ends
//	err = recording.Close()
//
//	session, contents, err := capture.Open("game.iprof") // at any time, on any machine
//	session.AppendReport(&report)
//
// A capture has every frame to the tick, so its reports equal those of the live program. A file that was cut off, by a
// crash or a full disk, is readable up to its last whole frame. In a file with damaged bytes the reader skips the
// damaged stretches.
//
// A [File] reads the frames of a capture in any order, and adds up all of them, by several goroutines. [Reach] has a
// session read the frames that its history does not hold.
//
// A [BlackBox] keeps the last frames in memory and writes only those around a hitch.
//
// docs/format.md describes the format byte by byte.
package capture
