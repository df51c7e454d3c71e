package policy

import (
	"testing"

	"example.com/iprof/platform"
)

// TestAFrameIsMeasuredEveryTwoSeconds ends frames of half a second on a clock of 1,000 ticks a second.
func TestAFrameIsMeasuredEveryTwoSeconds(t *testing.T) {
	var m Measured
	m.Begin(2)
	got := ""
	for now := platform.Ticks(10_000); now < 16_000; now += 500 {
		if m.EndFrame(now, 1000) {
			got += "m"
		} else {
			got += "."
		}
	}
	if want := "m....m....m."; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}
