package exectrace

import (
	"path/filepath"

	"example.com/iprof/internal/sampled"
	"golang.org/x/exp/trace"
)

// sample is the stack of a goroutine at a sample of Go's CPU profiler. A trace has samples while the profiler runs.
type sample struct {
	goroutine uint64
	time      int64          // nanoseconds of the trace's clock
	stack     []sampled.Line // innermost first, at most 32
}

// MaxSamples bounds the samples of a trace in memory. The later ones are dropped.
const MaxSamples = 1 << 16

const mostStack = 32

// sample keeps a sample.
func (p *reader) sample(e *trace.Event, now int64) {
	g := e.Goroutine()
	if g == trace.NoGoroutine || p.only != nil && !p.only[uint64(g)] || len(p.states.samples) >= MaxSamples {
		p.states.Unplaced++
		return
	}
	q := sample{goroutine: uint64(g), time: now}
	for f := range e.Stack().Frames() {
		l := sampled.Line{Function: f.Func, File: filepath.Clean(f.File), Line: int(f.Line)}
		if q.stack = append(q.stack, l); len(q.stack) == mostStack {
			break
		}
	}
	p.states.samples = append(p.states.samples, q)
}
