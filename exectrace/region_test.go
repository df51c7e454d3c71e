package exectrace_test

import (
	"bytes"
	"context"
	"io"
	"regexp"
	rt "runtime/trace"
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"golang.org/x/exp/trace"
)

// traced runs a function while a trace runs, and returns its events of the kinds, or the reader's error.
func traced(t *testing.T, do func(), kinds ...trace.EventKind) (events []trace.Event, err error) {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, rt.Start(&b))
	do()
	rt.Stop()
	r, err := trace.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := r.ReadEvent()
		if err == io.EOF {
			return events, nil
		}
		if err != nil {
			return events, err
		}
		for _, k := range kinds {
			if e.Kind() == k {
				events = append(events, e)
			}
		}
	}
}

var outer, inner = gather.Zone{Name: "outer"}, gather.Zone{Name: "inner"}

// calls counts the entries of a zone in the frames that it gets.
type calls struct {
	zone string
	n    uint64
}

func (c *calls) WriteFrame(f *gather.Frame) error {
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			if f.Zones[n.Zone].Name == c.zone {
				c.n += uint64(n.Count)
			}
		}
	}
	return nil
}

// Each region of the trace begins and ends, in its task, and zones inside zones nest.
func TestRegions(t *testing.T) {
	ctx, task := context.Background(), (*rt.Task)(nil)
	events := must.Get(traced(t, func() {
		ctx, task = rt.NewTask(ctx, "request")
		defer task.End()
		defer exectrace.Begin(ctx, &outer).End()
		for range 3 {
			exectrace.Begin(ctx, &inner).End()
		}
	}, trace.EventRegionBegin, trace.EventRegionEnd, trace.EventTaskBegin))(t)
	var text string
	for _, e := range events[1:] {
		if e.Region().Task != events[0].Task().ID {
			t.Errorf("got %v; want it in the task %v", e, events[0])
		}
		if text += ">"; e.Kind() == trace.EventRegionBegin {
			text = text[:len(text)-1] + "<" + e.Region().Type
		}
	}
	if text != "<outer<inner><inner><inner>>" {
		t.Errorf("got %s", text)
	}
}

// A Region that ends on another goroutine, or began before the trace, does not spoil the trace.
func TestRegionsThatEndElsewhere(t *testing.T) {
	before := exectrace.Begin(context.Background(), &outer)
	events := must.Get(traced(t, func() {
		exectrace.Begin(context.Background(), &inner).End()
		before.End()
		done := make(chan bool)
		for range 3 {
			r := exectrace.Begin(context.Background(), &inner)
			go func() {
				defer exectrace.Begin(context.Background(), &outer).End()
				r.End()
				done <- true
			}()
			<-done
		}
		exectrace.Region{}.End()
	}, trace.EventRegionBegin, trace.EventRegionEnd))(t)
	ends := 0
	for _, e := range events {
		if e.Kind() == trace.EventRegionEnd {
			ends++
		}
	}
	if begins := len(events) - ends; begins != 7 || ends != 4 {
		t.Errorf("got %d begins and %d ends; want 7 and 4", begins, ends)
	}
}

// Zones with regions are zones, with and without a trace.
func TestRegionsAreZones(t *testing.T) {
	needZones(t)
	session, count := process.Default(), &calls{zone: "inner"}
	session.Reset()
	session.Update()
	defer session.AddSink(count)()
	enter := func() {
		for range 5 {
			exectrace.Begin(context.Background(), &inner).End()
		}
	}
	enter()
	if session.Update(); count.n != 5 {
		t.Errorf("without a trace: got %d entries; want 5", count.n)
	}
	if _, err := traced(t, enter); err != nil {
		t.Error(err)
	}
	if session.Update(); count.n != 10 {
		t.Errorf("with a trace: got %d entries; want 5 more", count.n-5)
	}
	alone := testing.AllocsPerRun(100, func() {
		for range 5 {
			inner.Begin().End()
		}
	})
	if n := testing.AllocsPerRun(100, enter); n != alone {
		t.Errorf("without a trace: got %v allocations; want %v as of the zone alone", n, alone)
	}
}

// Every frame is in the trace, with what it took.
func TestLogFrames(t *testing.T) {
	needZones(t)
	s := process.Default()
	s.Reset()
	s.SetFrameBudget(5 * time.Millisecond)
	defer s.SetFrameBudget(0)
	stop := exectrace.LogFrames(s)
	s.Update()
	events := must.Get(traced(t, func() {
		s.Update()
		for begin := time.Now(); time.Since(begin) < 6*time.Millisecond; {
		}
		s.Update()
		stop()
		s.Update()
	}, trace.EventLog))(t)
	if len(events) != 2 {
		t.Fatalf("got %d lines; want one for each of 2 frames", len(events))
	}
	want := regexp.MustCompile(`^frame \d+: \d+\.\d\d ms, busy \d+\.\d\d ms, over the budget of 5\.00 ms$`)
	if l := events[1].Log(); l.Category != "iprof frame" || !want.MatchString(l.Message) {
		t.Errorf("got %+v", l)
	}
}

// BenchmarkBegin is a zone without anything, a zone with Begin, and one while a trace runs.
func BenchmarkBegin(b *testing.B) {
	b.Run("form=zone", func(b *testing.B) {
		for b.Loop() {
			inner.Begin().End()
		}
	})
	begin := func(b *testing.B) {
		for b.Loop() {
			exectrace.Begin(context.Background(), &inner).End()
		}
	}
	b.Run("form=region/trace=off", begin)
	b.Run("form=region/trace=on", func(b *testing.B) {
		must.Do(b, rt.Start(io.Discard))
		defer rt.Stop()
		begin(b)
	})
}
