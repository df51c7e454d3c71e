package tables

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Choice chooses a table.
type Choice struct {
	Kind  *Kind
	By    string // key of the rows; "" is the kind's usual one
	Zone  string // only what report.FilterText finds
	Lane  string // only lanes with this in their names
	IDs   IDs
	Focus gather.ZoneID // of a Graph
	Sort  string        // a column; "" is the kind's usual one
	Limit int           // greatest number of rows; 0 is no limit

	// Takes chooses frames by their number in the file, from 0, and by their index. Nil chooses all.
	Takes func(number, index uint64) bool
}

// reading makes a table while it reads a capture.
type reading struct {
	choice  *Choice
	kind    *Kind
	by      string
	columns []column
	order   int  // column to sort by
	aged    bool // rows stay in the order of their times
	filter  report.Arrangement
	all     bool    // the filter finds every name
	over    float64 // ms that a row must exceed, or -1
	overAt  int     // the column of that time

	in      *framefile.Reader
	program uint64 // gather.Origin.Program
	frame   *gather.Frame
	perMS   float64 // ticks in a millisecond
	frames  uint64  // chosen
	chosen  indexes // of memory
	zones   []gather.ZoneInfo
	finds   []bool // by zone: the filter finds it
	lanes   map[gather.LaneID]*lane
	paths   paths
	past    []frameTime
	until   platform.Ticks          // end of the frame before
	samples map[platform.Ticks]bool // beginnings of the chosen frames
	evented bool                    // the capture has events
	routed  bool                    // a zone is a route
	notes   []string

	recording recording // of replays

	groups map[key]*group
	list   []*group
	others *group
	kept   []*group // rows of the frames before
	left   int      // rows that were cut

	settles bool // a frame's sums are rows when it ends

	hier    []float64 // scratch
	reaches []reach
	keys    []key
	routes  []gather.ZoneID
	onPath  []int32
	events  []gather.Event
}

// frameTime is when a frame was.
type frameTime struct {
	begin, end platform.Ticks
	index      uint64
	chosen     bool
}

// Read reads a capture into a table. The error is one of the choice, of the stream, or says what the capture does not
// have and how to record it.
func Read(in io.Reader, c *Choice) (*Table, error) {
	r, err := newReading(c)
	if err != nil {
		return nil, err
	}
	if r.in, err = framefile.NewReader(in); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	switch {
	case r.frames == 0:
		return nil, ErrNoFrame
	case r.by == "route" && !r.routed:
		return nil, errors.New("the capture has no routes: package iprofhttp, and iprof run -frame routes, measure " +
			"requests by route")
	case len(r.list)+len(r.kept) == 0 && !r.known():
		return nil, errors.New(r.kind.Missing)
	}
	return r.table(), nil
}

// Thing is one thing of a list that another package makes, such as a verdict.
type Thing struct {
	Zone   gather.ZoneID // 0: none
	Name   string        // if it has no zone
	Frame  uint64
	Values [7]float64 // of the kind
}

// ZonesOf returns the zones of a session by id, for List and Finds.
func ZonesOf(s *process.Session) (zones []gather.ZoneInfo) {
	for id := report.ZoneID(0); ; id++ {
		z := s.Zone(id)
		if z == (gather.ZoneInfo{}) {
			return zones
		}
		zones = append(zones, z)
	}
}

// List is Read of things that are chosen already, of so many frames.
func List(c *Choice, zones []gather.ZoneInfo, frames uint64, things []Thing) (*Table, error) {
	r, err := newReading(c)
	if err != nil {
		return nil, err
	}
	r.frames = frames
	r.know(zones)
	for _, t := range things {
		f := fact{zone: t.Zone, name: t.Name, frame: t.Frame, values: t.Values}
		if int(t.Zone) >= len(zones) || t.Zone < 0 {
			f.zone = 0
		}
		if f.zone > 0 && report.IsRoute(zones[f.zone].Name) {
			f.route = f.zone
		}
		r.add(&f)
	}
	return r.table(), nil
}

// Finds returns a function that reports whether a choice has a zone, or another thing of that name.
func (c *Choice) Finds(zones []gather.ZoneInfo) func(zone gather.ZoneID, name string) bool {
	r := &reading{choice: c, kind: c.Kind}
	r.filterBy(c.Zone)
	r.know(zones)
	return func(zone gather.ZoneID, name string) bool {
		return r.takes(&fact{zone: max(zone, 0), name: name})
	}
}

// filterBy reads a filter.
func (r *reading) filterBy(words string) (over float64) {
	r.filter.Filter = report.FilterText(words)
	text, over := report.FilterWords(r.filter.Filter)
	r.all = text == "" && !strings.Contains(r.filter.Filter, "pkg:")
	return over
}

// newReading checks a choice.
func newReading(c *Choice) (*reading, error) {
	r := &reading{choice: c, kind: c.Kind, over: -1}
	r.forget()
	var err error
	if r.by, err = r.kind.Key(c.By); err != nil {
		return nil, err
	}
	r.columns = r.kind.columns(r.by)
	if r.order, err = r.kind.order(r.by, c.Sort); err != nil {
		return nil, err
	}
	r.aged = c.Sort == "" && r.kind.Name == "marks" && r.by == r.kind.By[0]
	r.settles = r.by == "frame" && !r.kind.late
	over := r.filterBy(c.Zone)
	for i, column := range r.columns {
		if over >= 0 && (column.name == "hier_ms" || column.name == "time_ms" || column.name == "wait_ms") {
			r.over, r.overAt = over, i
		}
	}
	return r, nil
}

// forget forgets what was read: another program begins.
func (r *reading) forget() {
	r.zones, r.finds = nil, nil
	r.lanes, r.paths = map[gather.LaneID]*lane{}, newPaths()
	r.groups, r.samples = map[key]*group{}, map[platform.Ticks]bool{}
	r.list, r.kept, r.others = nil, nil, nil
	r.past, r.until, r.recording = nil, 0, recording{}
	r.left, r.frames = 0, 0
	r.chosen = nil
	r.routed, r.evented = false, false
}

// read reads all frames.
func (r *reading) read() error {
	var f gather.Frame
	damages := 0
	for number := uint64(0); ; {
		err := r.in.Next(&f)
		var damage *framefile.DamageError
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			if r.kind.end != nil {
				r.kind.end(r, r.in)
			}
			return nil
		case errors.As(err, &damage):
			if damages++; damages == 1 {
				r.notes = append(r.notes, err.Error())
			}
			continue
		default:
			return err
		}
		if f.Origin.Program != r.program {
			r.program = f.Origin.Program
			r.forget()
		}
		if f.TicksPerSecond > 0 {
			r.take(&f, number)
		}
		number++
	}
}

// take takes a frame.
func (r *reading) take(f *gather.Frame, number uint64) {
	r.frame, r.perMS = f, f.TicksPerSecond/1000
	r.know(f.Zones)
	chosen := r.choice.Takes == nil || r.choice.Takes(number, f.Index)
	if ids := &r.choice.IDs; ids.framed {
		chosen = chosen && f.Index == ids.Frame
	}
	if chosen {
		r.frames++
	}
	if r.kind.find(r, f, chosen); r.settles {
		r.settle()
	}
}

// finding reports whether the filter finds a zone, or another thing of that name.
func (r *reading) finding(z *gather.ZoneInfo) bool { return r.all || r.filter.Finds(z) }

// note adds a sentence to the table.
func (r *reading) note(format string, values ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, values...))
}

// know learns the zones of a frame.
func (r *reading) know(zones []gather.ZoneInfo) {
	for i := len(r.finds); i < len(zones); i++ {
		r.finds = append(r.finds, r.finding(&zones[i]))
		r.routed = r.routed || report.IsRoute(zones[i].Name)
	}
	r.zones = zones
}
