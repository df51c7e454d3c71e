package exectrace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime/trace"
	"strings"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// AllocationLimits say when a trace of allocations ends: at the first limit that is reached.
type AllocationLimits struct {
	Frames    int  // frames to trace, 1 to 4,096
	Bytes     int  // of the trace, besides 16 for each object alive at its start; 0 and less: 64 MB
	UntilSlow bool // also end with the first frame over its budget
}

// AllocationTrace is a running trace of allocations. Any goroutine may call its methods.
type AllocationTrace struct {
	session *process.Session
	limits  AllocationLimits
	remove  func()
	events  int // that lanes kept before
	full    chan struct{}
	done    chan struct{}

	mu     sync.Mutex
	trace  bytes.Buffer
	clocks []anchor
	over   bool // the trace has ended, or is far larger than Bytes
	frames []tracedFrame
	ending bool
	result *Allocations
	err    error
}

// tracedFrame is a frame with the events of its lanes.
type tracedFrame struct {
	index      uint64
	begin, end platform.Ticks
	zones      []string
	lanes      []tracedLane
}

type tracedLane struct {
	id        gather.LaneID
	goroutine uint64
	name      string
	events    []gather.Event
	whole     bool // no event was overwritten

	nesting *nesting // found when it is needed
}

// AllocationEvents is the least number of events that lanes keep during a trace of allocations.
const AllocationEvents = 1 << 16

// settle is the time after the start in which events of several threads may be out of order. The library that reads the
// trace moves the times of such events.
const settle = 5 * time.Millisecond

const (
	mostTraceBytes  = 64 << 20
	leastRest       = 4 << 20 // of a trace after its end, besides as much as before
	bytesOfLiving   = 16      // at most, of an object that was alive at the start: the trace begins with them
	allocationDebug = "traceallocfree=1"
)

// TraceAllocations traces each allocation of the whole program, from now on, until the end of the frame that reaches a
// limit. It is for a question, not for every day: BenchmarkTraceAllocations has the cost of an allocation, the trace
// takes some 10 bytes for each, and the start stops the program for a time that grows with the objects of the heap
// (Allocations.Pause). Events of zones are kept meanwhile; the memory for them is left out. It fails while another
// execution trace runs, such as a Watcher's. Marks say where it began and ended. The session gets the result, too:
// viewers, pages and captures show it.
//
// Each object is counted, with its type. Its zones follow from the times of both, which the trace rounds to 64 ns, so
// an object near the border of a zone may count on the other side.
func TraceAllocations(s *process.Session, l AllocationLimits) (*AllocationTrace, error) {
	if trace.IsEnabled() {
		return nil, errors.New("exectrace: an execution trace is running, and a program can have only one of another " +
			"kind: stop it first (Watcher.Stop, or the command trace)")
	}
	l.Frames = min(max(l.Frames, 1), allocated.MaxFrames)
	if l.Bytes <= 0 {
		l.Bytes = mostTraceBytes
	}
	l.Bytes += int(objectsAlive()) * bytesOfLiving
	a := &AllocationTrace{session: s, limits: l, events: gather.Events(), full: make(chan struct{}),
		done: make(chan struct{}), result: &Allocations{}}
	if a.events < AllocationEvents {
		gather.SetEvents(AllocationEvents)
	}
	measure.Mark("allocations are traced from here: the start stops the program, and each object costs time")
	begin := time.Now()
	if err := startAllocations(a); err != nil {
		gather.SetEvents(a.events)
		return nil, fmt.Errorf("exectrace: %w", err)
	}
	time.Sleep(settle)
	a.result.Pause = time.Since(begin)
	a.anchor()
	a.remove = s.AddSink(allocationFrames{a})
	go a.wait()
	return a, nil
}

// startAllocations starts the trace. The runtime reads the variable at the start only.
func startAllocations(a *AllocationTrace) error {
	was, set := os.LookupEnv("GODEBUG")
	if err := os.Setenv("GODEBUG", strings.TrimPrefix(was+","+allocationDebug, ",")); err != nil {
		return err
	}
	defer func() {
		if set {
			_ = os.Setenv("GODEBUG", was)
		} else {
			_ = os.Unsetenv("GODEBUG")
		}
	}()
	return trace.Start(allocationBytes{a})
}

// allocationBytes is the writer of the trace.
type allocationBytes struct{ *AllocationTrace }

// Write keeps a part of the trace while the limit of bytes has room.
func (w allocationBytes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trace.Len()+len(p) > w.limits.Bytes {
		w.result.Full = !w.ending || w.result.Full
		w.end() // the runtime still writes what it has, or nothing can be read
	}
	if w.trace.Len()+len(p) > 2*w.limits.Bytes+leastRest {
		w.over = true
	}
	if !w.over {
		w.trace.Write(p)
	}
	return len(p), nil
}

// anchor is one moment on both clocks: that of package platform, and the runtime's in nanoseconds.
type anchor struct {
	ticks platform.Ticks
	mono  int64
}

// anchor keeps the closest of some pairs of readings. The mutex is held, or nothing else runs.
func (a *AllocationTrace) anchor() {
	best, closest := anchor{}, platform.MaxTicks
	for range 8 {
		before := platform.Now()
		at, since, ok := platform.Wall()
		if apart := platform.Now() - before; ok && apart < closest {
			best, closest = anchor{at, int64(since)}, apart
		}
	}
	if closest < platform.MaxTicks {
		a.clocks = append(a.clocks, best)
	}
}

// end makes wait end the trace. The mutex is held.
func (a *AllocationTrace) end() {
	if !a.ending {
		a.ending = true
		close(a.full)
	}
}

// allocationFrames is the sink of the frames.
type allocationFrames struct{ *AllocationTrace }

// WriteFrame does nothing: sessions call WriteJudged.
func (allocationFrames) WriteFrame(*gather.Frame) error { return nil }

// WriteJudged keeps the events of a frame.
func (w allocationFrames) WriteJudged(f *gather.Frame, j *process.Judged) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ending {
		return nil
	}
	kept := tracedFrame{index: f.Index, begin: f.Begin, end: f.End, zones: make([]string, len(f.Zones))}
	for i := range f.Zones {
		kept.zones[i] = f.Zones[i].Name
	}
	for i := range f.Lanes {
		l := &f.Lanes[i]
		since, known := gather.EventsSince(l.ID)
		kept.lanes = append(kept.lanes, tracedLane{l.ID, l.Goroutine, l.Name,
			gather.AppendEvents(nil, l.ID, f.Begin, f.End), known && since <= f.Begin, nil})
	}
	w.anchor()
	took := j.Time
	if len(w.frames) == 0 {
		took -= w.result.Pause
	}
	w.frames = append(w.frames, kept)
	if len(w.frames) >= w.limits.Frames || w.limits.UntilSlow && j.Budget > 0 && took > j.Budget {
		w.end()
	}
	return nil
}

// wait ends the trace at a limit, and reads it.
func (a *AllocationTrace) wait() {
	<-a.full
	a.mu.Lock()
	a.anchor()
	a.mu.Unlock()
	trace.Stop()
	a.remove()
	gather.SetEvents(a.events)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	a.err = a.result.read(&a.trace, a.clocks, a.frames)
	a.trace, a.frames = bytes.Buffer{}, nil
	a.give()
	close(a.done)
}

// Done is closed when the trace has ended, and its allocations are known.
func (a *AllocationTrace) Done() <-chan struct{} { return a.done }

// Stop ends the trace, if no limit has, and returns the allocations in the frames that have ended. The error says that
// the trace is damaged; the allocations before the damage are returned, too.
func (a *AllocationTrace) Stop() (*Allocations, error) {
	a.mu.Lock()
	a.end()
	a.mu.Unlock()
	<-a.done
	return a.result, a.err
}

// Allocations are the allocations of some frames.
type Allocations struct {
	Frames  []uint64      // the indexes of the traced frames; see Pause
	Rows    []Allocation  // the largest first
	Pause   time.Duration // the time of the start, in the first frame
	Full    bool          // AllocationLimits.Bytes has ended the trace, and the last frame is not among Frames
	Outside uint64        // objects outside the traced frames
}

// Allocation is the objects of one type that one goroutine allocated inside the same zones of a frame.
type Allocation struct {
	Frame     uint64   // its index
	Goroutine uint64   // the runtime's number
	Lane      string   // "" for a goroutine without one
	Zones     []string // those that were open, outermost first; none on goroutines without a lane
	Uncertain bool     // some events of the lane were overwritten, so that zones may be missing
	Type      string   // "" without pointers and without a type, as of a string's bytes
	Objects   uint64
	Bytes     uint64 // of their slots in the heap, which are larger than the objects
	Freed     uint64 // objects freed by the end of the trace

	lane gather.LaneID
	path []gather.ZoneID
}

// Zone returns the innermost open zone, "" without one.
func (a *Allocation) Zone() string {
	if len(a.Zones) == 0 {
		return ""
	}
	return a.Zones[len(a.Zones)-1]
}

// AppendText appends the sums, and the first rows as lines, at most most.
func (a *Allocations) AppendText(dst []byte, most int) []byte {
	objects, size := uint64(0), uint64(0)
	for i := range a.Rows {
		objects, size = objects+a.Rows[i].Objects, size+a.Rows[i].Bytes
	}
	dst = fmt.Appendf(dst, "%d objects of %d bytes in %d frames\n", objects, size, len(a.Frames))
	for i := range a.Rows[:min(len(a.Rows), max(most, 0))] {
		r := &a.Rows[i]
		dst = fmt.Appendf(dst, "%8d of %d bytes, %d freed: frame %d, %q, %q\n", r.Objects, r.Bytes, r.Freed, r.Frame,
			r.Zone(), cmp.Or(r.Type, "(no type)"))
	}
	if left := len(a.Rows) - max(most, 0); left > 0 {
		dst = fmt.Appendf(dst, "and %d more rows\n", left)
	}
	return dst
}
