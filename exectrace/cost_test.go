package exectrace_test

import (
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// What tracing costs is measured in the running program, and the program's user starts and stops it.
func TestTracingIsASwitchThatSaysWhatItCosts(t *testing.T) {
	s := process.Default()
	s.Reset()
	exectrace.Offer(s)
	defer s.SetTracer(nil)
	if state, can := s.Tracing(); !can || state.On || state.String() != "execution trace off" {
		t.Fatalf("got %+v, %v; want it off", state, can)
	}
	for range 2 { // it starts again
		must.Do(t, s.SetTracing(true))
		must.Do(t, s.SetTracing(true))
		there, back := make(chan int), make(chan int)
		go func() {
			for v := range there {
				back <- v
			}
		}()
		for state, _ := s.Tracing(); !state.Measured; state, _ = s.Tracing() { // the test's own limit ends it
			for range 100 {
				there <- 1
				<-back
			}
			time.Sleep(time.Millisecond)
		}
		close(there)
		state, _ := s.Tracing()
		t.Log(state, state.PerEvent, "ns an event,", state.Reading, "of a processor for reading")
		if !state.On || state.Events < 1000 || state.PerEvent < 1 || state.PerEvent > 1e6 || state.Share() <= 0 {
			t.Errorf("got %+v; want numbers of a program that sends messages all the time", state)
		}
		must.Do(t, s.SetTracing(false))
		if state, _ := s.Tracing(); state.On {
			t.Errorf("got %+v; want it off", state)
		}
	}
}

// A Watcher is in the same switch.
func TestAWatcherIsInTheSwitch(t *testing.T) {
	s := process.Default()
	defer s.SetTracer(nil)
	w, err := exectrace.Watch(s)
	if err != nil {
		t.Fatal(err)
	}
	if state, can := s.Tracing(); !can || !state.On {
		t.Errorf("got %+v; want it on", state)
	}
	must.Do(t, s.SetTracing(false))
	w.Stop() // is stopped already
	if w, err = exectrace.Watch(s); err != nil {
		t.Fatal(err)
	}
	w.Stop()
	if state, _ := s.Tracing(); state.On {
		t.Errorf("got %+v; want it off", state)
	}
}

// BenchmarkWatch is a message to another goroutine and its answer, six events, with and without a Watcher. cost/op is
// what Tracing says of writing them.
func BenchmarkWatch(b *testing.B) {
	for _, name := range []string{"off", "on"} {
		b.Run("trace="+name, func(b *testing.B) {
			s := process.Default()
			if name == "on" {
				w := must.Get(exectrace.Watch(s))(b)
				defer w.Stop()
				for state := w.Tracing(); !state.Measured; state = w.Tracing() {
					time.Sleep(10 * time.Millisecond)
				}
				defer func() { b.ReportMetric(6*w.Tracing().PerEvent, "cost/op") }()
			}
			there, back := make(chan int), make(chan int)
			defer close(there)
			go func() {
				for v := range there {
					back <- v
				}
			}()
			for b.Loop() {
				there <- 1
				<-back
			}
		})
	}
}
