package export

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// axis turns readings of the clock into nanoseconds since the first frame. Its origin moves with the frames, so that
// the distances from it stay small. The measured rate of the clock changes a little from frame to frame. With a fixed
// origin that would shift the times of a program that has run for days by seconds.
type axis struct {
	from    platform.Ticks // the beginning of a frame
	since   int64          // nanoseconds at from
	part    float64        // fraction of a nanosecond: 0..1
	perTick float64        // nanoseconds
}

func newAxis(f *gather.Frame) axis { return axis{from: f.Begin, perTick: 1e9 / f.TicksPerSecond} }

// at returns a time in or near a frame.
func (a *axis) at(f *gather.Frame, t platform.Ticks) int64 {
	return a.since + int64(math.Round(a.part+float64(t-a.from)*(1e9/f.TicksPerSecond)))
}

// move moves the origin to the beginning of a frame. After a change of clock, a frame may end before the last one
// ended; it then begins at that end.
func (a *axis) move(f *gather.Frame, end int64) {
	exact := a.part + float64(f.Begin-a.from)*a.perTick
	whole := math.Floor(exact)
	*a = axis{f.Begin, a.since + int64(whole), exact - whole, 1e9 / f.TicksPerSecond}
	if f.End > f.Begin && a.at(f, f.End) <= end {
		a.since, a.part = end, 0
	}
}
