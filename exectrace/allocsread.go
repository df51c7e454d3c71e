package exectrace

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime/metrics"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	exp "golang.org/x/exp/trace"
)

// The events and batches of the runtime's experiment, and their sizes: see runtime/traceallocfree.go.
const (
	experiment = "AllocFree"
	batchTypes = 0
	batchInfo  = 1
)

// allocationReader reads the events of allocations.
type allocationReader struct {
	clock   clock
	anchors []anchor // in order
	types   map[uint64]string
	own     map[uint64]bool // the profiler's types, by number
	spans   map[uint64]span // by the number of each of its pages
	sizes   []uint64        // by size class
	page    uint64          // bytes
	align   uint64          // of objects, in bytes
	objects []tracedObject
	alive   map[uint64]int // index of an object by its address
}

// span is a run of pages for objects of one size. 0 is one object.
type span struct{ first, pages, size uint64 }

// tracedObject is an allocation.
type tracedObject struct {
	at        int64 // time of the trace
	goroutine uint64
	kind      string
	bytes     uint64
	freed     bool
}

// read fills Rows from the trace and the frames.
func (a *Allocations) read(in io.Reader, clocks []anchor, frames []tracedFrame) error {
	r := allocationReader{spans: map[uint64]span{}, alive: map[uint64]int{}, sizes: sizeClasses(), page: 8192, align: 8}
	err := r.events(in)
	for i := range frames {
		a.Frames = append(a.Frames, frames[i].index)
	}
	if !r.clock.snapshot || len(clocks) == 0 {
		return errors.Join(err, errClock)
	}
	r.anchors = clocks
	a.count(&r, frames)
	return err
}

func (r *allocationReader) events(in io.Reader) error {
	trace, err := exp.NewReader(in)
	if err == nil {
		err = eachEvent(trace, r.event)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("exectrace: %w", err)
}

func (r *allocationReader) event(e *exp.Event) {
	switch e.Kind() {
	case exp.EventSync:
		s := e.Sync()
		r.clock.sync(s.ClockSnapshot)
		r.batches(s.ExperimentalBatches[experiment])
	case exp.EventExperimental:
		r.memory(e)
	}
}

// batches reads the types of a generation, whose numbers are its own.
func (r *allocationReader) batches(list []exp.ExperimentalBatch) {
	r.types = map[uint64]string{}
	r.own = map[uint64]bool{}
	ours := ownTypes()
	for _, b := range list {
		in := bytes.NewReader(b.Data)
		switch kind, _ := in.ReadByte(); kind {
		case batchTypes:
			for in.Len() > 0 {
				var v [5]uint64 // id, address, size, bytes with pointers, length of the name
				for i := range v {
					v[i], _ = binary.ReadUvarint(in)
				}
				name := make([]byte, min(v[4], uint64(in.Len())))
				_, _ = io.ReadFull(in, name)
				r.types[v[0]] = string(name)
				r.own[v[0]] = slices.Contains(ours, uintptr(v[1]))
			}
		case batchInfo:
			var v [3]uint64 // least address, size of a page, alignment of objects
			for i := range v {
				v[i], _ = binary.ReadUvarint(in)
			}
			r.page, r.align = cmp.Or(v[1], r.page), cmp.Or(v[2], r.align)
		}
	}
}

// ownTypes returns the addresses of the types of the profiler's own memory.
func ownTypes() (list []uintptr) {
	for _, v := range measure.LogTypes() {
		list = append(list, reflect.ValueOf(reflect.TypeOf(v)).Pointer())
	}
	return list
}

// memory takes an event of the experiment.
func (r *allocationReader) memory(e *exp.Event) {
	x := e.Experimental()
	if x.Experiment != experiment || len(x.Args) == 0 {
		return
	}
	number := func(i int) uint64 { return x.ArgValue(i).Uint64() }
	switch id := number(0); x.Name {
	case "Span", "SpanAlloc":
		r.addSpan(id, number(1), number(2))
	case "HeapObjectAlloc":
		if r.own[number(1)] {
			return
		}
		r.alive[id] = len(r.objects)
		r.objects = append(r.objects, tracedObject{at: int64(e.Time()), goroutine: uint64(e.Goroutine()),
			kind: r.types[number(1)], bytes: r.sizeOf(id)})
	case "HeapObjectFree":
		if i, known := r.alive[id]; known {
			r.objects[i].freed = true
			delete(r.alive, id)
		}
	}
}

// addSpan adds a span. kind is 1 if it has no objects, otherwise twice its class: the size class, and whether its
// objects have no pointers.
func (r *allocationReader) addSpan(first, pages, kind uint64) {
	class := int(kind >> 2)
	s := span{first: first, pages: pages}
	if kind&1 == 0 && class > 0 && class < len(r.sizes) {
		s.size = r.sizes[class]
	}
	const mostPages = 1 << 20 // of a damaged event
	for p := range min(pages, mostPages) {
		r.spans[first+p] = s
	}
}

// sizeOf returns the size of an object's slot, 0 if its span is not known.
func (r *allocationReader) sizeOf(id uint64) uint64 {
	s := r.spans[id*r.align/r.page]
	if s.size == 0 {
		return s.pages * r.page
	}
	return s.size
}

// sizeClasses returns the sizes of the runtime's classes of objects. Class 0 is for large objects.
func sizeClasses() []uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs-by-size:bytes"}}
	metrics.Read(sample)
	sizes := []uint64{0}
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return sizes
	}
	for _, limit := range sample[0].Value.Float64Histogram().Buckets[1:] {
		if limit > 0 && limit < 1<<20 {
			sizes = append(sizes, uint64(limit)-1)
		}
	}
	return sizes
}

// rowKey identifies a row.
type rowKey struct {
	frame     int
	goroutine uint64
	zones     string // their numbers
	kind      string
}

// count assigns the objects to frames, lanes and zones.
func (a *Allocations) count(r *allocationReader, frames []tracedFrame) {
	perSecond := platform.TicksPerSecond()
	rows := map[rowKey]*Allocation{}
	var open []gather.ZoneID
	var text []byte
	for i := range r.objects {
		o := &r.objects[i]
		at := r.ticks(o.at, perSecond)
		k := sort.Search(len(frames), func(k int) bool { return frames[k].end > at })
		if k == len(frames) || at < frames[k].begin {
			a.Outside++
			continue
		}
		f := &frames[k]
		lane := f.lane(o.goroutine)
		text = text[:0]
		open = open[:0]
		if lane != nil {
			open = lane.openAt(open, at)
		}
		for _, zone := range open {
			text = binary.AppendUvarint(text, uint64(zone))
		}
		key := rowKey{k, o.goroutine, string(text), o.kind}
		if rows[key] == nil {
			rows[key] = f.row(lane, open)
			rows[key].Goroutine, rows[key].Type = o.goroutine, o.kind
		}
		rows[key].add(o)
	}
	for _, row := range rows {
		a.Rows = append(a.Rows, *row)
	}
	slices.SortFunc(a.Rows, func(x, y Allocation) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Frame, y.Frame), slices.Compare(x.Zones, y.Zones),
			cmp.Compare(x.Type, y.Type), cmp.Compare(x.Goroutine, y.Goroutine))
	})
}

// sameClock is in ns. The times of a trace are the runtime's clock, except on systems where that is coarse. There the
// snapshot of both in the trace is far off. Otherwise the snapshot is not exact, as something may interrupt it.
const sameClock = 1e9

// rounding is half of the nanoseconds to which the runtime rounds down the times of a trace.
const rounding = 32

// ticks converts a time of the trace: between two anchors, or from the nearest one by the clock's rate.
func (r *allocationReader) ticks(ns int64, perSecond float64) platform.Ticks {
	mono := ns + rounding
	if off := int64(r.clock.mono) - r.clock.trace; off < -sameClock || off > sameClock {
		mono += off
	}
	k := sort.Search(len(r.anchors), func(k int) bool { return r.anchors[k].mono > mono })
	from, scale := r.anchors[max(k-1, 0)], perSecond/1e9
	if k > 0 && k < len(r.anchors) {
		to := r.anchors[k]
		scale = float64(to.ticks-from.ticks) / float64(to.mono-from.mono)
	}
	return from.ticks + platform.Ticks(math.Round(float64(mono-from.mono)*scale))
}

func (a *Allocation) add(o *tracedObject) {
	a.Objects++
	a.Bytes += o.bytes
	if o.freed {
		a.Freed++
	}
}

// lane returns the lane of a goroutine, or nil.
func (f *tracedFrame) lane(goroutine uint64) *tracedLane {
	for i := range f.lanes {
		if l := &f.lanes[i]; l.goroutine == goroutine && goroutine != 0 {
			return l
		}
	}
	return nil
}

// row returns a row of a lane, which may be nil, and of open zones.
func (f *tracedFrame) row(lane *tracedLane, open []gather.ZoneID) *Allocation {
	row := &Allocation{Frame: f.index}
	if lane != nil {
		row.Lane, row.Uncertain = lane.name, !lane.whole
		row.lane = lane.id
	}
	row.path = slices.Clone(open)
	for _, zone := range open {
		name := ""
		if int(zone) < len(f.zones) {
			name = f.zones[zone]
		}
		row.Zones = append(row.Zones, name)
	}
	return row
}

// nesting is the call structure of a lane's events.
type nesting struct {
	inner  []int // by event: the begin of the innermost zone open after it, -1 for none
	outer  []int // by begin: that of the zone around it, -1 for none
	before []int // ends of zones that began before the first event, the innermost first
}

// nest finds the structure.
func (l *tracedLane) nest() *nesting {
	n := &nesting{inner: make([]int, len(l.events)), outer: make([]int, len(l.events))}
	at := -1
	for i := range l.events {
		e := &l.events[i]
		for at >= 0 && l.events[at].Level > e.Level {
			at = n.outer[at] // its end is missing
		}
		switch {
		case !e.End:
			for at >= 0 && l.events[at].Level >= e.Level {
				at = n.outer[at]
			}
			n.outer[i] = at
			at = i
		case at >= 0 && l.events[at].Level == e.Level:
			at = n.outer[at]
		default:
			n.before = append(n.before, i)
		}
		n.inner[i] = at
	}
	return n
}

// openAt appends the zones open at a moment, outermost first. A zone that began before the frame is known by its end.
func (l *tracedLane) openAt(dst []gather.ZoneID, at platform.Ticks) []gather.ZoneID {
	if l.nesting == nil {
		l.nesting = l.nest()
	}
	n, first := l.nesting, len(dst)
	next := sort.Search(len(l.events), func(i int) bool { return l.events[i].Time > at })
	if next > 0 {
		for i := n.inner[next-1]; i >= 0; i = n.outer[i] {
			dst = append(dst, l.events[i].Zone)
		}
	}
	for _, i := range n.before[sort.SearchInts(n.before, next):] {
		dst = append(dst, l.events[i].Zone)
	}
	slices.Reverse(dst[first:])
	return dst
}
