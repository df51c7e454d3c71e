package framefile

import (
	"fmt"
	"math"
	"slices"

	"example.com/iprof/gather"
)

// longest cuts the times of a file so that no sum overflows, because a hostile file can hold any times. Each kind of
// time may sum up to 292 years, in the order of the file.
type longest struct {
	frames, nodes, cpu, lanes uint64 // sum of each kind so far: ticks, ticks, and nanoseconds
	cut                       uint64 // number of times that were cut
	note                      string // gives the number of cut times
	noteFrame                 uint64 // the number in note
}

// years is 292 years in nanoseconds, with room for rounding up.
const years = math.MaxInt64 - 1<<20

// yearsInTicks returns 292 years in ticks, clamped to the type.
func yearsInTicks(perSecond float64) uint64 {
	if perSecond > 0 && perSecond < 1e9 {
		return uint64(perSecond / 1e9 * years)
	}
	return years
}

// apply cuts the times of a frame. It adds a note if any time was cut since the beginning.
func (c *longest) apply(f *gather.Frame) {
	most := yearsInTicks(f.TicksPerSecond)
	f.End = cutSpan(c, &c.frames, most, f.Begin, f.End)
	f.CPU = cutTime(c, &c.cpu, years, f.CPU)
	for i := range f.Lanes {
		l, own := &f.Lanes[i], uint64(0)
		l.End = cutSpan(c, &own, most, l.Begin, l.End)
		l.CPU = cutTime(c, &c.lanes, years, l.CPU)
		for j := range l.Nodes {
			l.Nodes[j].Self = cutTime(c, &c.nodes, most, l.Nodes[j].Self)
		}
	}
	if c.cut == 0 {
		return
	}
	if c.noteFrame != c.cut {
		c.noteFrame = c.cut
		c.note = fmt.Sprintf("the file's times sum up to more than 292 years: %d of them were cut", c.cut)
	}
	f.Misuse.Notes = append(slices.Clip(f.Misuse.Notes), c.note)
}

// cutTime cuts a time, of either sign, to the rest of the limit of its kind.
func cutTime[T ~int64](c *longest, used *uint64, most uint64, t T) T {
	size := uint64(t)
	if t < 0 {
		size = -size
	}
	left := most - min(*used, most)
	if size <= left {
		*used += size
		return t
	}
	c.cut++
	*used += left
	if t < 0 {
		return -T(left)
	}
	return T(left)
}

// cutSpan cuts the length of a span of time and returns its end. A span may end before it begins.
func cutSpan[T ~int64](c *longest, used *uint64, most uint64, begin, end T) T {
	length := uint64(end) - uint64(begin)
	if end < begin {
		length = -length
	}
	left := most - min(*used, most)
	if length <= left {
		*used += length
		return end
	}
	c.cut++
	*used += left
	if end < begin {
		return begin - T(left)
	}
	return begin + T(left)
}
