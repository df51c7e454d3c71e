package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/iprof/capture"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
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
	program := world.NewGame(1, session)
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
	program := world.NewGame(1, session)
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

// recorded records some frames to a new file.
func recorded(path string, frames int) error {
	session := process.NewSession()
	recorder, err := capture.Record(session, capture.RecordOptions{Path: path})
	if err != nil {
		return err
	}
	for r := world.NewGame(1, session); frames > 0; frames-- {
		if err := r.Step(); err != nil {
			return err
		}
	}
	return recorder.Close()
}

func ExampleRecord() {
	dir, err := os.MkdirTemp("", "captures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "game.iprof")
	if err := recorded(path, 3); err != nil {
		fmt.Println(err)
		return
	}
	session, contents, err := capture.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.View().Info().Frames, contents.Complete)
	// Output: 3 true
}

// A viewer gets each frame soon, and misses some rather than falling behind.
func ExampleRecord_live() {
	session, stream := process.NewSession(), new(bytes.Buffer)
	recorder, err := capture.Record(session, capture.RecordOptions{To: stream, Live: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = world.NewGame(1, session).Step()
	err = recorder.Close()
	fmt.Println(strings.HasPrefix(stream.String(), "\x89IPROF"), recorder.Dropped(), err)
	// Output: true 0 <nil>
}

// Of a recording of hours, the newest frames are there at once.
func ExampleOpenNewest() {
	dir, err := os.MkdirTemp("", "captures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "game.iprof")
	if err := recorded(path, 1000); err != nil {
		fmt.Println(err)
		return
	}
	session, contents, err := capture.OpenNewest(path, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer contents.Close()
	fmt.Println(contents.Frames, session.View().Info().Frames < 500)
	// Output: 1000 true
}
