package capture_test

import (
	"io"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// steady is a frame of 500 busy nodes whose times differ a little from frame to frame.
func steady() (f *gather.Frame, step func()) {
	f = &gather.Frame{TicksPerSecond: 2.6e9, Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true}}}
	l := &f.Lanes[0]
	for i := range 500 {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: "zone"})
		l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(i), Zone: gather.ZoneID(i), Parent: int32((i+3)/4) - 1,
			Count: 1})
	}
	seed := uint32(1)
	return f, func() {
		f.Index, f.Begin, f.End = f.Index+1, f.End, f.End+40_000_000
		l.Begin, l.End = f.Begin, f.End
		for i := range l.Nodes {
			seed = seed*1664525 + 1013904223
			l.Nodes[i].Self = 50_000 + platform.Ticks(seed>>18)
		}
	}
}

// BenchmarkRecord measures a frame of 500 nodes on the frame's goroutine.
func BenchmarkRecord(b *testing.B) {
	f, step := steady()
	recording := capture.RecordTo(process.NewSession(), io.Discard)
	defer recording.Close()
	b.ReportAllocs()
	for b.Loop() {
		step()
		must.Do(b, recording.WriteFrame(f))
	}
}

// BenchmarkBlackBox measures a frame of 500 nodes on the frame's goroutine, without a trigger.
func BenchmarkBlackBox(b *testing.B) {
	f, step := steady()
	box := must.Get(capture.NewBlackBox(process.NewSession(), capture.BlackBoxOptions{Dir: b.TempDir(),
		Zones: map[string]time.Duration{"zone": time.Hour}, Pause: time.Hour}))(b)
	defer box.Close()
	b.ReportAllocs()
	for b.Loop() {
		step()
		must.Do(b, box.WriteJudged(f, &process.Judged{Time: time.Millisecond, Budget: time.Second}))
	}
}
