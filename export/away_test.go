package export_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// TestTimeAwayIsAMetric: its sum, and the frames of which it is more than a tenth, if the system tells.
func TestTimeAwayIsAMetric(t *testing.T) {
	m := new(export.Metrics)
	frame := func(away time.Duration, known gather.AwayKnown) {
		f := &gather.Frame{End: ticks(20e6), TicksPerSecond: 1e9,
			Away: gather.Away{Time: away, Known: known}}
		must.Do(t, m.WriteFrame(f))
	}
	frame(0, gather.AwayUnknown)
	if open, plain := texts(t, m); strings.Contains(open+plain, "\niprof_frame_away_seconds_total ") {
		t.Errorf("the system does not tell: got\n%s", open)
	}
	frame(time.Millisecond, gather.AwayExact)
	frame(9*time.Millisecond, gather.AwayAtMost)
	frame(15*time.Millisecond, gather.AwayExact)
	frame(0, gather.AwayUnknown)
	open, plain := texts(t, m)
	for _, text := range []string{open, plain} {
		got := samples(t, text)
		for name, want := range map[string]float64{
			"iprof_frame_away_seconds_total": 0.025, "iprof_frames_disturbed_total": 2} {
			if v, has := got[name]; !has || math.Abs(v-want) > 1e-12 {
				t.Errorf("%s: got %v, %t; want %v", name, v, has, want)
			}
		}
	}
}
