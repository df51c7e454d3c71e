package governor

import (
	"testing"

	"example.com/iprof/platform"
)

// TestMeasuredFramesHaveNoRhythm ends frames of a tenth of a second on a clock of 1,000 ticks a second. In every 21st
// of them, the distance of two measured frames in the mean, the program does something else.
func TestMeasuredFramesHaveNoRhythm(t *testing.T) {
	const frame, measured, period = 100, 2000, 21
	var m Measured
	m.Begin(1)
	seen, others, last, now := 0, 0, platform.Ticks(0), platform.Ticks(0)
	for ; seen < measured; now += frame {
		if !m.EndFrame(now, 1000) {
			continue
		}
		if seen++; now/frame%period == 0 {
			others++
		}
		if gap := now - last; last > 0 && (gap < 1000 || gap > 3000+2*frame) {
			t.Fatalf("got a gap of %d ticks; want a second to three", gap)
		}
		last = now
	}
	if mean := float64(now) / measured; mean < 1900 || mean > 2300 {
		t.Errorf("got a frame every %v ticks; want two seconds and a frame", mean)
	}
	if want := measured / period; others < want*3/4 || others > want*5/4 {
		t.Errorf("got %d of %d frames of the rhythm; want about %d", others, measured, want)
	}
}
