package main

import (
	"fmt"
	"image"
	"io"
	"path/filepath"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
)

// noWorkload is the workload of a window that shows a capture or a remote program. It does nothing.
type noWorkload struct{}

func (noWorkload) Step(time.Duration) error { return nil }
func (noWorkload) Picture() *image.RGBA     { return nil }
func (noWorkload) Replays() bool            { return true }
func (noWorkload) Close()                   {}

// attach opens the capture to show and begins the capture to write, as the flags say.
func (v *application) attach() (err error) {
	for i, name := range v.files {
		t := v.Tab()
		if i > 0 {
			t = v.NewTab(filepath.Base(name))
		}
		if err := v.Open(t, name); err != nil {
			return err
		}
	}
	for i, address := range v.programs {
		t := v.Tab()
		if i+len(v.files) > 0 {
			t = v.NewTab(address)
		}
		if err := v.Follow(t, address); err != nil {
			return err
		}
	}
	if !v.Tab().Detached() && v.frames == 0 {
		v.Tab().Keep(framefile.ThisProgram())
	}
	if v.window != nil {
		v.window.SetTitle(v.Tab().Title())
	}
	if v.record != "" {
		v.recording, err = capture.Record(v.session(), capture.RecordOptions{Path: v.record})
	}
	if v.blackbox != "" && err == nil {
		v.box, err = capture.NewBlackBox(v.session(), capture.BlackBoxOptions{Dir: v.blackbox})
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
