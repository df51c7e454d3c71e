// Package allocated has the allocations of some frames as plain data, each object counted. Module exectrace traces
// them; sessions, captures, pages and lists show them.
package allocated

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"time"

	"example.com/iprof/gather"
)

// Table has the allocations of some frames. It is immutable.
type Table struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Frames  []uint64 // the indexes of the traced frames, at most MaxFrames, in order
	Rows    []Row    // the most bytes first, at most MaxRows
	Left    Sum      // of rows beyond MaxRows
	Outside uint64   // objects outside the traced frames
	Pause   time.Duration
	Full    bool // the limit of bytes has ended the trace
}

// Row is the objects of one type that one goroutine allocated inside the same zones of a frame.
type Row struct {
	Frame uint64
	Lane  gather.LaneID   // 0 for a goroutine without one
	Path  []gather.ZoneID // the open zones, outermost first
	Type  string          // "" without pointers and without a type, as of a string's bytes
	Sum
	Uncertain bool // events of the lane were overwritten, so that zones may be missing
}

// Sum counts objects.
type Sum struct {
	Objects uint64
	Bytes   uint64 // of their slots in the heap
	Freed   uint64 // objects freed by the end of the trace
}

// The limits of a Table.
const (
	MaxRows   = 4096
	MaxFrames = 4096
	MaxPath   = 64 // innermost zones of a row
)

// Add adds another sum.
func (s *Sum) Add(o Sum) {
	s.Objects += o.Objects
	s.Bytes += o.Bytes
	s.Freed += o.Freed
}

// Zone returns the innermost open zone, 0 without one.
func (r *Row) Zone() gather.ZoneID {
	if len(r.Path) == 0 {
		return 0
	}
	return r.Path[len(r.Path)-1]
}

// Total returns the sum of all rows, with those that were left out.
func (t *Table) Total() (s Sum) {
	s = t.Left
	for i := range t.Rows {
		s.Add(t.Rows[i].Sum)
	}
	return s
}

// ByType returns the sums of a zone's own objects by type, the most bytes first; of each zone if it is negative. Their
// Frame is the one with the most bytes, Path has the innermost zone only. It allocates.
func (t *Table) ByType(zone gather.ZoneID) (list []Row) {
	at := map[string]int{}
	for i := range t.Rows {
		r := &t.Rows[i]
		in := r.Zone()
		if zone >= 0 && in != zone {
			continue
		}
		key := strconv.Itoa(int(in)) + " " + r.Type
		n, has := at[key]
		if !has {
			n = len(list)
			at[key] = n
			list = append(list, Row{Frame: r.Frame, Path: []gather.ZoneID{in}, Type: r.Type}) // its largest row
		}
		list[n].Add(r.Sum)
		list[n].Uncertain = list[n].Uncertain || r.Uncertain
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].Bytes > list[k].Bytes })
	return list
}

// AppendText appends "5000 of main.body, 240000 bytes, 12 freed". name makes hostile names safe to show.
func (r *Row) AppendText(dst []byte, name func(string) string) []byte {
	dst = append(strconv.AppendUint(dst, r.Objects, 10), " of "...)
	dst = append(append(dst, name(r.TypeName())...), ", "...)
	dst = append(strconv.AppendUint(dst, r.Bytes, 10), " bytes, "...)
	return append(strconv.AppendUint(dst, r.Freed, 10), " freed"...)
}

// TypeName is the name of the type to show.
func (r *Row) TypeName() string {
	if r.Type == "" {
		return "(no type: text, numbers)"
	}
	return r.Type
}

// String says what the table has: "6010 objects in frames 120 to 121, each counted; the start stopped the program for
// 27 ms".
func (t *Table) String() string {
	total := t.Total()
	words := fmt.Sprintf("%d objects in %s, each counted; the start stopped the program for %.3g ms", total.Objects,
		t.frameWords(), t.Pause.Seconds()*1000)
	if t.Full {
		words += "; the limit of bytes ended the trace"
	}
	if t.Left.Objects > 0 {
		words += fmt.Sprintf("; %d objects are in no row", t.Left.Objects)
	}
	return words
}

func (t *Table) frameWords() string {
	switch n := len(t.Frames); n {
	case 0:
		return "no frame"
	case 1:
		return fmt.Sprintf("frame %d", t.Frames[0])
	default:
		return fmt.Sprintf("frames %d to %d", t.Frames[0], t.Frames[n-1])
	}
}

// Has reports whether a frame was traced.
func (t *Table) Has(frame uint64) bool {
	i := sort.Search(len(t.Frames), func(i int) bool { return t.Frames[i] >= frame })
	return i < len(t.Frames) && t.Frames[i] == frame
}

// Of returns the table that a session, a dump or a frame has as words, nil if it has none. They have it as words, so
// that programs which trace nothing do not link this package.
func Of(words fmt.Stringer) *Table {
	t, _ := words.(*Table)
	return t
}

// Tracer traces allocations when somebody asks. A report.Tracer may be one. Any goroutine may call it.
type Tracer interface {
	// Allocations begins a trace by its limits, as "10", "10 frames 8MB" or "slow", or ends the one that runs by "off".
	// The session gets a Table when a trace ends. Without limits it says what a trace costs, or how far one is. The
	// error gives the reason if it cannot.
	Allocations(limits string) (answer string, err error)
}

// Ask asks the tracer of a session. The error says what the program lacks.
func Ask(tracer any, limits string) (answer string, err error) {
	if t, can := tracer.(Tracer); can {
		return t.Allocations(limits)
	}
	return "", errors.New("nothing traces allocations: the program does not import example.com/iprof/exectrace and " +
		"call exectrace.Offer(iprof.Default())")
}
