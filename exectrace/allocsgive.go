package exectrace

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"

	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
)

// The costs of a trace of allocations, of BenchmarkTraceAllocations and BenchmarkStartOfAllocations.
const (
	costOfLiving = 100e-6 // ms of the start for an object that is alive
	costOfObject = "0.1 to 0.2 us and 10 bytes"
)

// objectsAlive returns the number of objects in the heap.
func objectsAlive() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/objects:objects"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// allocationCost says what a trace would cost now.
func allocationCost() string {
	alive := objectsAlive()
	return fmt.Sprintf("a trace of allocations stops the program for about %.0f ms at its start, for %d objects that "+
		"are alive; then each new object costs %s", 1+float64(alive)*costOfLiving, alive, costOfObject)
}

// tracing is the state of the traces of allocations that a session's user asks for.
type tracing struct {
	now atomic.Pointer[AllocationTrace]
}

// running returns the trace that runs, or nil.
func (t *tracing) running() *AllocationTrace {
	a := t.now.Load()
	if a != nil {
		select {
		case <-a.done:
			return nil
		default:
		}
	}
	return a
}

// usualTrace are the limits of a trace that somebody asks for.
var usualTrace = AllocationLimits{Frames: 60, Bytes: 8 << 20}

const mostMB = 64 // of a trace that somebody asks for; reading it takes ten times as much

// parse reads limits: "10", "10 frames 8MB", "slow 100". Without a number of frames or bytes it is the usual one.
func (l *AllocationLimits) parse(words string) error {
	for _, word := range strings.Fields(strings.ToLower(words)) {
		size, ofBytes := strings.CutSuffix(word, "mb")
		n, err := strconv.Atoi(size)
		switch {
		case word == "slow":
			l.UntilSlow = true
		case word == "frames", word == "frame":
		case err != nil || n < 1 || n > allocated.MaxFrames || ofBytes && n > mostMB:
			return fmt.Errorf("%q is no limit: say 10 for frames, 8MB for the size of the trace, slow, or off", word)
		case ofBytes:
			l.Bytes = n << 20
		default:
			l.Frames = n
		}
	}
	return nil
}

// words says when a trace ends.
func (l *AllocationLimits) words() string {
	words := fmt.Sprintf("at most %d frames or %d MB", l.Frames, l.Bytes>>20)
	if l.UntilSlow {
		return "until a frame is over its budget, " + words
	}
	return words
}

// Allocations begins a trace by its limits, ends the one that runs, or says what a trace costs: see allocated.Tracer.
func (o *offer) Allocations(words string) (answer string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	a := o.allocations.running()
	switch {
	case words == "off":
		if a != nil {
			_, err = a.Stop()
		}
		return "no allocations are traced", err
	case a != nil:
		answer = a.progress()
		if words != "" {
			err = errors.New(answer + "; allocations off ends that")
		}
		return answer, err
	}
	cost, limits := allocationCost(), usualTrace
	if words == "" {
		return cost, nil
	}
	if err = limits.parse(words); err != nil {
		return "", err
	}
	if a, err = TraceAllocations(o.session, limits); err != nil {
		return "", err
	}
	o.allocations.now.Store(a)
	return "allocations are traced " + limits.words() + "; " + cost, nil
}

// progress says how far the trace is.
func (a *AllocationTrace) progress() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return fmt.Sprintf("allocations are traced: %d frames, %.1f MB so far", len(a.frames), float64(a.trace.Len())/1e6)
}

// give gives the session the table, and marks the end of the frames that the trace disturbed.
func (a *AllocationTrace) give() {
	t := a.result.table()
	words := "trace of allocations ended: " + t.String()
	if a.err != nil {
		words += "; " + a.err.Error()
	}
	measure.Mark(words)
	a.session.SetSources(func(c *process.Sources) { c.Allocated = t })
}

// table returns the allocations as a table of a session.
func (a *Allocations) table() *allocated.Table {
	t := &allocated.Table{Frames: a.Frames[:min(len(a.Frames), allocated.MaxFrames)], Outside: a.Outside,
		Pause: a.Pause, Full: a.Full}
	for i := range a.Rows {
		r := &a.Rows[i]
		sum := allocated.Sum{Objects: r.Objects, Bytes: r.Bytes, Freed: r.Freed}
		if len(t.Rows) == allocated.MaxRows {
			t.Left.Add(sum)
			continue
		}
		t.Rows = append(t.Rows, allocated.Row{Frame: r.Frame, Lane: r.lane, Path: r.path[max(0,
			len(r.path)-allocated.MaxPath):], Type: r.Type, Sum: sum, Uncertain: r.Uncertain})
	}
	return t
}
