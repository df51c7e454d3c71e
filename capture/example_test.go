package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A black box keeps the frames around a slow one. Here it is the call of Trigger that says so. A program passes
// iprof.Default() instead of a session of its own.
func ExampleNewBlackBox() {
	dir, err := os.MkdirTemp("", "hitches")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	session := process.NewSession()
	options := capture.BlackBoxOptions{Dir: dir, Before: 20, After: 10, Log: io.Discard}
	box, err := capture.NewBlackBox(session, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.OnPanic()
	program := replay.New(1, session)
	for i := range 30 {
		if i == 25 {
			box.Trigger("player fell through the floor")
		}
		if err := program.Step(); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := box.Close(); err != nil {
		fmt.Println(err)
		return
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	_, contents, err := capture.Open(files[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(contents.Frames, "frames:", contents.Reason)
	// Output: 25 frames: call: player fell through the floor
}

// In the cool-down after a late frame only a worse one gets a file. The others are counted.
func ExampleBlackBox_LeftOut() {
	dir, err := os.MkdirTemp("", "hitches")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	session := process.NewSession()
	options := capture.BlackBoxOptions{Dir: dir, After: -1, Log: io.Discard}
	box, err := capture.NewBlackBox(session, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	program := replay.New(1, session)
	for i := range 30 {
		if i == 10 || i == 20 {
			box.Trigger("player fell")
		}
		if err := program.Step(); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := box.Close(); err != nil {
		fmt.Println(err)
		return
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	fmt.Println(len(files), "file,", box.LeftOut(), "left out")
	// Output: 1 file, 1 left out
}

// Somebody who watches gets each frame soon, and misses some rather than falling behind.
func ExampleStreamTo() {
	s := process.NewSession()
	watcher, program := io.Pipe()
	stream := capture.StreamTo(s, program)
	go func() {
		_ = replay.New(1, s).Step()
		_ = stream.Close()
		_ = program.Close()
	}()
	frames, err := capture.NewReader(watcher)
	if err != nil {
		fmt.Println(err)
		return
	}
	var f gather.Frame
	err = frames.Next(&f)
	_, _ = io.Copy(io.Discard, watcher)
	fmt.Println(f.Index, err)
	// Output: 0 <nil>
}

// A program is shown elsewhere by a session that gets the frames of its stream.
func ExampleNewFollower() {
	var stream bytes.Buffer
	program := process.NewSession()
	recorder := capture.RecordTo(program, &stream)
	r := replay.New(1, program)
	for range 3 {
		_ = r.Step()
	}
	_ = recorder.Close()

	session := process.NewSession()
	err := capture.NewFollower(session).Follow(&stream, nil)
	fmt.Println(session.Info().Frames, err)
	// Output: 3 capture: the program has ended the stream
}

// A tool that knows the hot lines of a program only when that has ended puts them into its capture.
func ExampleAddHot() {
	dir, err := os.MkdirTemp("", "captures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path, live := filepath.Join(dir, "game.iprof"), process.NewSession()
	recorder, err := capture.Record(live, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = replay.New(1, live).Step()
	_ = recorder.Close()

	hot := report.HotLine{Function: "game.step", File: "world.go", Line: 88, Samples: 40}
	lines := report.HotLines{Zone: 1, Samples: 40, Lines: []report.HotLine{hot}}
	err = capture.AddHot(path, &report.HotZones{Samples: 40, Zones: []report.HotLines{lines},
		Waited: map[report.ZoneID]float64{2: 0.75}})
	if err != nil {
		fmt.Println(err)
		return
	}
	session, _, _ := capture.Open(path)
	known := session.HotZones()
	fmt.Println(known.Zones[0].Lines[0].Line, known.Waited[2])
	// Output: 88 0.75
}
