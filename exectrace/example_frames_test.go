//go:build !iprof_off

package exectrace_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/trace"
	"strings"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	exp "golang.org/x/exp/trace"
)

// A watcher gives a session the states of the last seconds.
func ExampleWatch() {
	session := process.Default()
	watch, err := exectrace.Watch(session)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watch.Stop()
	session.Update()
	time.Sleep(10 * time.Millisecond)
	session.Update()
	session.Pause()
	defer session.Resume()
	fmt.Println(watch.Take())
	for _, q := range session.AppendStates(nil, 0) {
		if q.Reason == "sleep" && q.Lane == measure.OwnLane() {
			fmt.Println("the frame slept")
		}
	}
	// Output:
	// <nil>
	// the frame slept
}

// The files of a watcher's black box have the states of goroutines.
func ExampleWatcher_BlackBox() {
	session := process.Default()
	watch, err := exectrace.Watch(session)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watch.Stop()
	dir, _ := os.MkdirTemp("", "hitches")
	defer os.RemoveAll(dir)
	box, err := watch.BlackBox(capture.BlackBoxOptions{Dir: dir, After: -1, Log: io.Discard})
	if err != nil {
		fmt.Println(err)
		return
	}
	session.Update()
	box.Trigger("lost")
	session.Update()
	fmt.Println(box.Close())
	files, _ := os.ReadDir(dir)
	fmt.Println(len(files), "file")
	// Output:
	// <nil>
	// 1 file
}

// Each frame is a line in the trace.
func ExampleLogFrames() {
	session := process.Default()
	session.Reset()
	stop := exectrace.LogFrames(session)
	defer stop()
	session.Update()
	var b bytes.Buffer
	trace.Start(&b)
	session.Update()
	trace.Stop()
	r, _ := exp.NewReader(&b)
	for e, err := r.ReadEvent(); err == nil; e, err = r.ReadEvent() {
		if e.Kind() == exp.EventLog {
			fmt.Println(e.Log().Category, strings.HasPrefix(e.Log().Message, "frame "))
		}
	}
	// Output: iprof frame true
}

// End ends the zone and the region. Without a trace there is no region.
func ExampleRegion_End() {
	session, load := process.Default(), gather.Zone{Name: "load"}
	session.Reset()
	session.Update()
	r := exectrace.Begin(context.Background(), &load)
	r.End()
	session.Update()
	var all report.Report
	session.View().AppendReport(&all)
	for _, row := range all.Records {
		if row.Name == "load" {
			fmt.Println("it has a row")
		}
	}
	// Output: it has a row
}
