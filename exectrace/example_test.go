package exectrace_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime/trace"
	"time"

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

// A program that only offers the trace leaves it to its user, in the window or the console.
func ExampleOffer() {
	session := process.Default()
	exectrace.Offer(session)
	defer session.SetSources(func(c *process.Sources) { c.Tracer = nil })
	fmt.Println(session.Sources().Tracing())
	fmt.Println(session.Sources().SetTracing(true))
	state, _ := session.Sources().Tracing()
	fmt.Println(state.On, session.Sources().SetTracing(false))
	// Output:
	// execution trace off true
	// <nil>
	// true <nil>
}

// States are taken twice a second. The report's line on the cost of the trace has this cost, too.
func ExampleWatcher_TakeEvery() {
	session := process.Default()
	watch, err := exectrace.Watch(session)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.SetSources(func(c *process.Sources) { c.Tracer = nil })
	defer watch.Stop()
	watch.TakeEvery(time.Second / 2)
	state, _ := session.Sources().Tracing()
	fmt.Println(state.Every)
	// Output: 500ms
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
