package capture_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// A capture has the states of each frame, the goroutines of its lanes, and processor times.
func TestStatesSurvive(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	frame := func(i int) *gather.Frame {
		begin := platform.Ticks(100)
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 50, TicksPerSecond: 1000,
			CPU: time.Duration(i) * time.Microsecond, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 3, Goroutine: uint64(40 + i), Begin: begin, End: begin + 50,
				CPU: time.Duration(7 - 3*i), Drift: float64(i-1) / 3, Nodes: []gather.Node{{Parent: -1, Self: 50}}}}}
		if i != 1 {
			f.States = []gather.LaneState{
				{Lane: 3, Kind: gather.StateWaiting, Begin: 110, End: 120, Reason: "mutex",
					Place: "a.go:1", Waker: 9, By: "f", At: "a.go:1"},
				{Kind: gather.StateGone, Begin: 90, End: 95}}
		}
		return f
	}
	for i := range 3 {
		must.Do(t, w.WriteFrame(frame(i)))
	}
	w.Close()
	for cut := range file.Len() { // never a panic, nor a frame that was not written
		r, err := framefile.NewReader(bytes.NewReader(file.Bytes()[:cut]))
		var f gather.Frame
		for i := 0; err == nil; i++ {
			if err = r.Next(&f); err == nil && len(f.States) != len(frame(i).States) {
				t.Fatalf("cut at %d: got %d states in frame %d", cut, len(f.States), i)
			}
		}
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range 3 {
		want := frame(i)
		must.Do(t, r.Next(&f))
		if f.CPU != want.CPU || f.Lanes[0].CPU != want.Lanes[0].CPU {
			t.Errorf("got %v, %v; want %v, %v", f.CPU, f.Lanes[0].CPU, want.CPU, want.Lanes[0].CPU)
		}
		if len(f.States)+len(want.States) > 0 && !reflect.DeepEqual(f.States, want.States) {
			t.Errorf("frame %d: got %+v; want %+v", i, f.States, want.States)
		}
		if got, want := &f.Lanes[0], &want.Lanes[0]; got.Goroutine != want.Goroutine || got.Drift != want.Drift {
			t.Errorf("got goroutine %d, drift %g; want %d, %g", got.Goroutine, got.Drift, want.Goroutine, want.Drift)
		}
	}
	if err := r.Next(&f); !errors.Is(err, io.EOF) {
		t.Errorf("got %v; want the end", err)
	}
}
