package capture_test

import (
	"bytes"
	"io"
	"reflect"
	"runtime"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// A capture has the slow calls of each frame with their parts, and how many were dropped.
func TestSlowCallsSurvive(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	frame := func(i int) *gather.Frame {
		begin := platform.Ticks(100 * i)
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 100, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "GET /x"}, {Name: "query"}},
			Lanes: []gather.LaneFrame{{ID: 3, Begin: begin, End: begin + 100,
				Nodes: []gather.Node{{Parent: -1, Self: 100}}}}}
		if f.Dropped.Slow = uint64(i / 2); i != 1 {
			f.SlowCalls = []gather.SlowCall{
				{Zone: 1, Lane: 3, Begin: begin - 60, End: begin + 9, Usual: 7, Parts: []gather.CallPart{
					{Zone: 2, Level: 0, Count: 1, Time: 60}, {Zone: 2, Level: 1, Count: 1 << 30, Time: 59}}},
				{Zone: 2, Lane: 4, Begin: begin - 70, End: begin + 1, Usual: 3}}
		}
		return f
	}
	const frames = 600 // over two keys
	for i := range frames {
		must.Do(t, w.WriteFrame(frame(i)))
	}
	w.Close()
	for cut := 0; cut < min(file.Len(), 2000); cut++ { // never a panic, nor a call that was not written
		r, err := framefile.NewReader(bytes.NewReader(file.Bytes()[:cut]))
		var f gather.Frame
		for i := 0; err == nil; i++ {
			if err = r.Next(&f); err == nil && len(f.SlowCalls) != len(frame(i).SlowCalls) {
				t.Fatalf("cut at %d: got %d slow calls in frame %d", cut, len(f.SlowCalls), i)
			}
		}
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range frames {
		want := frame(i)
		must.Do(t, r.Next(&f))
		if len(f.SlowCalls) != len(want.SlowCalls) || len(want.SlowCalls) > 0 &&
			!reflect.DeepEqual(f.SlowCalls, want.SlowCalls) || f.Dropped.Slow != want.Dropped.Slow {
			t.Fatalf("frame %d: got %+v, %d dropped; want %+v, %d", i, f.SlowCalls, f.Dropped.Slow, want.SlowCalls,
				want.Dropped.Slow)
		}
	}
}

// The number of slow calls that were dropped stands anew behind each key, also when it does not change.
func TestDroppedSlowCallsSurviveKeys(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	const frames, dropped = 1000, 7
	for i := range frames {
		begin := platform.Ticks(100 * i)
		f := gather.Frame{Index: uint64(i), Begin: begin, End: begin + 100, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}, Lanes: []gather.LaneFrame{{ID: 3, Begin: begin,
				End: begin + 100, Nodes: []gather.Node{{Parent: -1, Self: 100}}}}}
		f.Dropped.Slow = dropped
		must.Do(t, w.WriteFrame(&f))
	}
	w.Close()
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range frames {
		if err := r.Next(&f); err != nil || f.Dropped.Slow != dropped {
			t.Fatalf("frame %d: got %d dropped, %v; want %d", i, f.Dropped.Slow, err, dropped)
		}
	}
}

// A writer forgets the lanes of goroutines that ended: a program may have millions.
func TestWritersForgetLanes(t *testing.T) {
	w := framefile.NewWriter(io.Discard, capture.Info{})
	const perFrame = 20
	var f gather.Frame
	f.TicksPerSecond, f.Zones = 1000, []gather.ZoneInfo{{Name: "(root)"}}
	f.Lanes = make([]gather.LaneFrame, perFrame)
	nodes := []gather.Node{{Parent: -1, Self: 100}}
	write := func(frames int) (held uint64) {
		for range frames {
			f.Index++
			f.Begin, f.End = f.End, f.End+100
			for i := range f.Lanes {
				f.Lanes[i] = gather.LaneFrame{ID: gather.LaneID(f.Index*perFrame) + gather.LaneID(i), Name: "worker",
					Begin: f.Begin, End: f.End, Nodes: nodes}
			}
			must.Do(t, w.WriteFrame(&f))
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	write(1500)
	before := write(500)
	if after := write(10_000); after > 3*before {
		t.Errorf("got %d bytes after 40,000 lanes, %d after 240,000; want at most three times as many", before, after)
	}
	w.Close()
}
