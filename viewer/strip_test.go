package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/viewer"
)

func TestScaleRoundsUp(t *testing.T) {
	for v, want := range map[float32]float32{1: 20, 20: 20, 20.1: 40, 45: 50, 51: 80, 81: 100, 101: 200, 1e12: 1e10} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if got := viewer.RoundUp(v); got != want {
				t.Errorf("%v: got %v; want %v", v, got, want)
			}
		})
	}
}
