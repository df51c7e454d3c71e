package main

import (
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// still is the workload of a window that shows a capture or a program elsewhere. It does nothing.
type still struct{}

func (still) Step(time.Duration) error { return nil }
func (still) Picture() *image.RGBA     { return nil }
func (still) Replays() bool            { return true }
func (still) Close()                   {}

// mostFrames is how many of a capture's newest frames the history keeps. It also keeps the slowest of the others.
const mostFrames = 100_000

// attach opens the capture to show and begins the capture to write, as the flags say.
func (v *application) attach() (err error) {
	if v.file != "" {
		if err := v.open(); err != nil {
			return err
		}
	}
	if v.program != "" {
		if err := v.follow(); err != nil {
			return err
		}
	}
	if v.record != "" {
		v.recording, err = capture.Record(v.session, v.record)
	}
	if v.blackbox != "" && err == nil {
		v.box, err = capture.NewBlackBox(v.session, capture.BlackBoxOptions{Dir: v.blackbox})
	}
	return err
}

// stumble is the hitch of the flag -hitch.
func (v *application) stumble() {
	if v.hitch == 0 || v.frame%v.hitch != 0 {
		return
	}
	defer iprof.Begin("hitch").End()
	for begin := time.Now(); time.Since(begin) < 100*time.Millisecond; {
	}
}

// closeRecording ends the recording and the black box, and prints the name of the recording.
func (v *application) closeRecording(stdout io.Writer) error {
	if err := v.box.Close(); err != nil {
		return err
	}
	if v.recording == nil {
		return nil
	}
	if err := v.recording.Close(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(stdout, v.record)
	return err
}

// open reads the capture into the session and pauses the session, so the window sleeps until there is an event. The
// file of a black box opens at the frame that triggered it.
func (v *application) open() error {
	file, err := os.Open(v.file)
	if err != nil {
		return err
	}
	defer file.Close()
	v.session.SetHistoryLimits(process.HistoryLimits{Frames: mostFrames, Bytes: 256 << 20})
	contents, err := capture.Load(v.session, file)
	if err != nil {
		return fmt.Errorf("%s: %w", v.file, err)
	}
	for _, damage := range contents.Damages {
		fmt.Fprintf(os.Stderr, "glviewer: %s: %v\n", v.file, damage)
	}
	if contents.Lost > 0 {
		fmt.Fprintf(os.Stderr, "glviewer: %s: the program dropped %d frames, as its disk was too slow\n",
			v.file, contents.Lost)
	}
	v.panel.Change(func(o *viewer.Options) { o.Title = contents.Program })
	v.window.SetTitle("IProf · " + filepath.Base(v.file))
	if v.frames == 0 {
		v.session.Pause()
	}
	if contents.HasFrame {
		v.session.ShowFrame(contents.Frame)
	}
	return nil
}
