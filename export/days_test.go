package export_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
	"example.com/iprof/platform"
)

// runs are how long programs have run before most of their frames, in seconds.
var runs = map[string]int64{"a day": 86_400, "a month": 30 * 86_400, "ten years": 3653 * 86_400}

// clocks are the ticks a second of some clocks, and by how much their measured rate differs from frame to frame.
var clocks = []struct{ rate, noise float64 }{{1e9, 0}, {1e9, 1e-6}, {2_893_201_117, 0}, {2_893_201_117, 1e-6}}

// days writes a frame, and five more after a pause.
func days(t *testing.T, x *export.Frames, pause int64, rate, noise float64) (frames []gather.Frame, want sums) {
	p, want := synth.New(1), sums{}
	for i := range 6 {
		f := p.Frame()
		f.TicksPerSecond = rate * (1 + noise*float64(i%3))
		if i > 0 {
			moved(f, platform.Ticks(pause*int64(rate)))
		}
		write(t, x, f)
		addFrame(want, f)
		frames = append(frames, *f)
	}
	must.Do(t, x.Close())
	return frames, want
}

// moved moves a frame's times.
func moved(f *gather.Frame, by platform.Ticks) {
	f.Begin, f.End = f.Begin+by, f.End+by
	for i := range f.Lanes {
		f.Lanes[i].Begin, f.Lanes[i].End = f.Lanes[i].Begin+by, f.Lanes[i].End+by
	}
}

// everyRun runs a test with each length and each clock.
func everyRun(t *testing.T, test func(t *testing.T, pause int64, rate, noise float64)) {
	for name, pause := range runs {
		for _, c := range clocks {
			t.Run(fmt.Sprintf("%s/%.0f/%g", name, c.rate, c.noise), func(t *testing.T) {
				test(t, pause, c.rate, c.noise)
			})
		}
	}
}

// TestStreamsOfDays: however long a program has run, slices have the engine's times, to the nanoseconds that the edges
// of six frames are rounded to.
func TestStreamsOfDays(t *testing.T) {
	for _, format := range streams {
		t.Run(format.name, func(t *testing.T) {
			everyRun(t, func(t *testing.T, pause int64, rate, noise float64) {
				var b bytes.Buffer
				_, want := days(t, format.new(&b), pause, rate, noise)
				got := format.read(t, b.Bytes())
				for at, w := range want {
					if g := got[at]; g.calls != w.calls || math.Abs(float64(g.ns-w.ns)) > 30 {
						t.Errorf("%q: got %v; want %v", at, g, w)
					}
				}
			})
		})
	}
}

// TestFramesOfDays: they are as long as they were, without a gap, and where the exact sum of all before them is. The
// pause has the rate of the frame before it, and 53 bits.
func TestFramesOfDays(t *testing.T) {
	everyRun(t, func(t *testing.T, pause int64, rate, noise float64) {
		var b bytes.Buffer
		frames, _ := days(t, export.NewChrome(&b, "test"), pause, rate, noise)
		at, i, most := new(big.Float).SetPrec(200), 0, 1+pause*1e9>>53
		for _, e := range readChrome(t, b.Bytes()).TraceEvents {
			if e.Ph != "X" || e.Tid != 0 {
				continue
			}
			f := &frames[i]
			if i == 1 {
				at.Add(at, nanosOf(f.Begin-frames[0].End, &frames[0]))
			}
			begin, _ := at.Int64()
			at.Add(at, nanosOf(f.End-f.Begin, f))
			end, _ := at.Int64()
			got := nanos(t, e.Ts)
			until := nanos(t, e.Ts) + nanos(t, e.Dur)
			if distance(got, begin) > most ||
				distance(until, end) > most {
				t.Errorf("frame %d: got %d to %d; want %d to %d", i, got, until, begin, end)
			}
			i++
		}
		if i != len(frames) {
			t.Errorf("got %d frames; want %d", i, len(frames))
		}
	})
}

// nanosOf returns the exact length of ticks.
func nanosOf(ticks platform.Ticks, f *gather.Frame) *big.Float {
	exact := new(big.Float).SetPrec(200).SetInt64(int64(ticks))
	return exact.Mul(exact, big.NewFloat(1e9)).Quo(exact, big.NewFloat(f.TicksPerSecond))
}

func distance(a, b int64) int64 { return max(a-b, b-a) }
