package exectrace

import (
	"context"
	"errors"
	"math"
	"runtime/trace"
	"strconv"

	"example.com/iprof/platform"
	exp "golang.org/x/exp/trace"
)

// clockMark is the category of the log events that tie the trace's clock to that of package platform.
const clockMark = "iprof clock"

// MarkClock writes the reading of iprof's clock into the running trace, so that the trace can be aligned with frames,
// also in another program. Watch and the black box of package capture call it by themselves. Without a trace it does
// nothing. Any goroutine may call it.
func MarkClock() {
	for range 3 { // the first reading may load code and wait for memory
		trace.Log(context.Background(), clockMark, strconv.FormatInt(int64(platform.Now()), 10))
	}
}

var errClock = errors.New("exectrace: the trace's clock cannot be related to iprof's: see MarkClock")

// clock ties a trace's clock to that of package platform.
type clock struct {
	ns       int64          // a time of the trace
	ticks    platform.Ticks // at the same moment
	marked   bool
	trace    int64 // trace time of a snapshot
	mono     uint64
	snapshot bool
}

// mark takes a log event. The event was written after the reading in it, so the least distance of the two is the best.
func (c *clock) mark(l exp.Log, now int64) {
	if l.Category != clockMark {
		return
	}
	ticks, err := strconv.ParseInt(l.Message, 10, 64)
	if err != nil || ticks <= 0 {
		return
	}
	c.ns, c.ticks, c.marked = now, platform.Ticks(ticks), true
}

// sync takes a snapshot of both clocks of the runtime.
func (c *clock) sync(s *exp.ClockSnapshot) {
	if s != nil {
		c.trace, c.mono, c.snapshot = int64(s.Trace), s.Mono, true
	}
}

// here ties the clock by the machine's own clock, which the runtime and package platform both read. The trace must be
// of this program.
func (c *clock) here() {
	at, since, ok := platform.Wall()
	if c.marked || !ok || !c.snapshot {
		return
	}
	c.ns, c.ticks, c.marked = c.trace+int64(since)-int64(c.mono), at, true
}

// at converts a time of the trace.
func (c *clock) at(ns int64, perSecond float64) platform.Ticks {
	t := float64(c.ticks) + math.Round(float64(ns-c.ns)*perSecond/1e9)
	return platform.Ticks(min(max(t, 0), float64(platform.MaxTicks)/2))
}
