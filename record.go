package iprof

import (
	"example.com/iprof/capture"
	"example.com/iprof/process"
)

// Recorder writes a capture. Record returns it. Any goroutine may call its methods:
//
//	Close() error    // ends it and waits until everything is in the file
//	Err() error      // the error that ended it, such as a full disk, or nil
//	Dropped() uint64 // frames dropped because the disk was too slow
type Recorder = capture.Recorder

// Record writes each frame from now on to a new file, a capture. glviewer FILE and iprof top FILE open it. A goroutine
// of its own writes, so a slow disk never stops the program; it drops frames, which are counted. If the program is
// killed, the file has every frame but the last, or but the last few if they are shorter than a write to the disk. It
// is an error if the file exists; the file stays unchanged. Any goroutine may call it. Cost: BenchmarkRecord in package
// capture.
//
//	recording, err := iprof.Record("game.iprof")
//	…
//	recording.Close()
func Record(path string) (*Recorder, error) { return capture.Record(process.Default(), path) }
