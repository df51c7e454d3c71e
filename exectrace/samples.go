package exectrace

import (
	"path/filepath"

	"golang.org/x/exp/trace"
)

// Sample is the stack of a goroutine at a sample of Go's CPU profiler. A trace has samples while the profiler runs.
type Sample struct {
	Goroutine uint64
	Time      int64  // nanoseconds of the trace's clock
	Stack     []Line // innermost first, at most 32
}

// Line is a line of a stack.
type Line struct {
	Function string
	File     string // full path
	Line     int
}

// MaxSamples bounds the samples of a trace in memory. The later ones are dropped.
const MaxSamples = 1 << 16

const mostStack = 32

// Samples returns the samples of a trace, by time. Do not change them.
func (s *States) Samples() []Sample { return s.samples }

// sample keeps a sample.
func (p *reader) sample(e *trace.Event, now int64) {
	g := e.Goroutine()
	if g == trace.NoGoroutine || p.only != nil && !p.only[uint64(g)] || len(p.states.samples) >= MaxSamples {
		p.states.Unplaced++
		return
	}
	q := Sample{Goroutine: uint64(g), Time: now}
	for f := range e.Stack().Frames() {
		if q.Stack = append(q.Stack, Line{f.Func, filepath.Clean(f.File), int(f.Line)}); len(q.Stack) == mostStack {
			break
		}
	}
	p.states.samples = append(p.states.samples, q)
}
