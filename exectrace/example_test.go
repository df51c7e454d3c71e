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
	"example.com/iprof/process"
	exp "golang.org/x/exp/trace"
)

// A trace says for what a goroutine waited, and who ended that.
func ExampleRead() {
	var b bytes.Buffer
	trace.Start(&b)
	answer := make(chan int)
	go func() {
		time.Sleep(10 * time.Millisecond)
		answer <- 42
	}()
	<-answer
	trace.Stop()
	states, err := exectrace.Read(&b)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, goroutine := range states.Goroutines() {
		for _, q := range states.Of(goroutine) {
			if q.Kind == gather.StateWaiting && q.Reason == "chan receive" && q.By != "" {
				fmt.Println("waiting for", q.Reason, "at", q.Place[:15], "ended by", q.By)
			}
		}
	}
	// Output: waiting for chan receive at example_test.go ended by example.com/iprof/exectrace_test.ExampleRead.func1
}

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
		if q.Reason == "sleep" && q.Lane == gather.OwnLane() {
			fmt.Println("the frame slept")
		}
	}
	// Output:
	// <nil>
	// the frame slept
}

// A program that only offers the trace leaves it to its user, in the window or the console.
func ExampleOffer() {
	session := process.Default()
	exectrace.Offer(session)
	defer session.SetTracer(nil)
	fmt.Println(session.Tracing())
	fmt.Println(session.SetTracing(true))
	state, _ := session.Tracing()
	fmt.Println(state.On, session.SetTracing(false))
	// Output:
	// execution trace off true
	// <nil>
	// true <nil>
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

// A zone that go tool trace shows, too, as a region of a task.
func ExampleBegin() {
	physics := gather.Zone{Name: "physics"}
	step := func(ctx context.Context) { defer exectrace.Begin(ctx, &physics).End() }
	var b bytes.Buffer
	trace.Start(&b)
	ctx, task := trace.NewTask(context.Background(), "step")
	step(ctx)
	task.End()
	trace.Stop() // go tool trace opens the bytes
	r, _ := exp.NewReader(&b)
	for e, err := r.ReadEvent(); err == nil; e, err = r.ReadEvent() {
		if e.Kind() == exp.EventRegionBegin {
			fmt.Println("region", e.Region().Type)
		}
	}
	// Output: region physics
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
	var report process.Report
	session.AppendReport(&report)
	for _, row := range report.Records {
		if row.Name == "load" {
			fmt.Println("it has a row")
		}
	}
	// Output: it has a row
}
