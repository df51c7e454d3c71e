package capture_test

import (
	"bytes"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The time without a processor, and how well it is known, are in a file and in what is made of it.
func TestTimeAwayTravels(t *testing.T) {
	all := []gather.Away{
		{},
		{Known: gather.AwayExact},
		{Time: 60 * time.Millisecond, Known: gather.AwayExact},
		{Time: 101 * time.Millisecond, Known: gather.AwayAtMost},
		{Time: 2 * time.Second, Known: gather.AwayExact}, // longer than the frame
		{},
	}
	want := []report.FrameSummary{
		{},
		{AwayKnown: gather.AwayExact},
		{Away: 60, AwayKnown: gather.AwayExact},
		{Away: 101, AwayKnown: gather.AwayAtMost},
		{Away: 1000, AwayKnown: gather.AwayExact},
		{},
	}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range uint64(300) { // beyond a key
		f := idleSecond(i, false)
		f.Away = all[i%uint64(len(all))]
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	s := process.NewSession()
	s.SetHistory(300, 300)
	if _, err := framefile.Load(s, &file); err != nil {
		t.Fatal(err)
	}
	frames := s.AppendFrames(nil, 300)
	if len(frames) != 300 {
		t.Fatalf("got %d frames; want 300", len(frames))
	}
	for i, got := range frames {
		want := want[i%len(want)]
		if got.Away != want.Away || got.AwayKnown != want.AwayKnown || got.Disturbed() != (want.Away > 100) {
			t.Errorf("frame %d: got %v ms, known %d, disturbed %t; want %v, %d", i, got.Away, got.AwayKnown,
				got.Disturbed(), want.Away, want.AwayKnown)
		}
	}
}
