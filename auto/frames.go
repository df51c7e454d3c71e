package auto

import (
	"sync/atomic"

	"example.com/iprof/gather"
)

// frames counts the frames of the program. It is a sink.
var frames frameCount

// frameCount counts frames, and those of them that this package ended.
type frameCount struct {
	all, own atomic.Int64
	others   atomic.Bool
}

// mostForeign is the number of frames that others may end before they count as the program's own: the first frame, and
// one that ends meanwhile.
const mostForeign = 2

// WriteFrame counts a frame.
func (c *frameCount) WriteFrame(*gather.Frame) error {
	c.all.Add(1)
	return nil
}

// areOthers reports whether the program ends frames itself. Then it does so for good: a frame has one end.
func (c *frameCount) areOthers() bool {
	if c.others.Load() {
		return true
	}
	if c.all.Load()-c.own.Load() <= mostForeign {
		return false
	}
	c.others.Store(true)
	return true
}
