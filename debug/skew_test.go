package debug_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// clockOf is what a viewer takes for the difference of a program's clock from its own: the smallest delay of its last
// frames counts, since a frame may wait for a sign of life that has just been sent.
type clockOf struct{ recent []time.Duration }

func (c *clockOf) take(end, now time.Duration) (difference time.Duration) {
	const frames = 30 // half a second, in which clocks drift by 0.05 ms
	c.recent = append(c.recent[max(len(c.recent)-frames, 0):], end-now)
	return slices.Max(c.recent)
}

// TestTwoProgramsWhoseClocksDiffer: the clocks of two programs are half a second off to either side and drift by 100
// ppm. The live streams let a viewer of both tell that within a millisecond, and put their frames in order. The clock
// is simulated.
func TestTwoProgramsWhoseClocksDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // the last to run: streams end
		const rate, frames = 16 * time.Millisecond, 2000
		programs := []*paced{newPaced(1, time.Second/2, 1e-4), newPaced(2, -time.Second/2, -1e-4)}
		var streams []*framefile.Reader
		for _, program := range programs {
			p := listen(t, &debug.Server{Session: program.Session})
			c, _ := p.dial(t)
			streams = append(streams, stream(t, c))
		}
		stop := make(chan struct{})
		defer close(stop)
		go everyFrame(t, stop, rate, programs[0])
		go func() { // the second's frames end between those of the first
			time.Sleep(rate / 2)
			everyFrame(t, stop, rate, programs[1])
		}()
		var clocks [2]clockOf
		last := time.Duration(0)
		for n := range 2 * frames {
			k := n % 2
			var f gather.Frame
			must.Do(t, streams[k].Next(&f))
			p, now := programs[k], time.Since(programs[k].zero)
			got, actual := clocks[k].take(time.Duration(f.End), now), time.Duration(p.clock())-now
			if (got - actual).Abs() > time.Millisecond {
				t.Fatalf("frame %d of program %d: its clock is off by %v, seen as %v", f.Index, k, actual, got)
			}
			end := time.Duration(f.End) - got
			if by := end - last; n > 0 && (by-rate/2).Abs() > time.Millisecond {
				t.Fatalf("frame %d of program %d ends %v after the other's; want %v", f.Index, k, by, rate/2)
			}
			last = end
		}
		if streams[0].Lost()+streams[1].Lost() > 0 {
			t.Errorf("%d and %d frames were lost", streams[0].Lost(), streams[1].Lost())
		}
	})
}
