package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/exp/trace"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/importer"
	"example.com/iprof/platform"
)

// events has the data read from the events of a trace.
type events struct {
	trace     *importer.Trace
	account   *budget.Account
	open      map[trace.GoID][]open   // regions
	functions map[trace.GoID]string   // function with which a goroutine began
	makers    map[trace.GoID]string   // go statement that made a goroutine
	tasks     map[trace.TaskID]string // names of tasks
	last      int64                   // time of the previous event
	found     bool                    // the trace has regions
	err       error
}

// open is a region that has begun.
type open struct {
	name  string
	begin int64
}

func newEvents(account *budget.Account) *events {
	return &events{trace: importer.New(account), account: account, open: map[trace.GoID][]open{},
		functions: map[trace.GoID]string{}, makers: map[trace.GoID]string{}, tasks: map[trace.TaskID]string{}}
}

// part reads the events of a part of a trace. The library panics at some damaged events.
func (x *events) part(r *trace.Reader) (generations, count int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged event: %v", p)
		}
	}()
	for {
		e, err := r.ReadEvent()
		switch {
		case x.err != nil:
			return generations, count, x.err
		case errors.Is(err, io.EOF):
			return generations, count, nil
		case err != nil:
			return generations, count, err
		case e.Kind() == trace.EventSync:
			generations++
		default:
			count++
			x.event(&e)
		}
	}
}

func (x *events) event(e *trace.Event) {
	g, now := e.Goroutine(), int64(e.Time())
	x.last = now
	switch e.Kind() {
	case trace.EventRegionBegin:
		x.open[g] = append(x.open[g], open{e.Region().Type, now})
		x.found = true
	case trace.EventRegionEnd:
		n := len(x.open[g]) - 1
		if n < 0 || x.open[g][n].name != e.Region().Type {
			x.trace.Leave("ends of regions that began before the trace")
			return
		}
		x.keep(x.trace.Add(lane(g), x.open[g][n].name, x.open[g][n].begin, now))
		x.open[g] = x.open[g][:n]
	case trace.EventTaskBegin:
		x.tasks[e.Task().ID] = e.Task().Type
		x.mark(g, "task "+e.Task().Type, now)
	case trace.EventTaskEnd:
		x.mark(g, "end of task "+cmp.Or(e.Task().Type, x.tasks[e.Task().ID]), now)
		delete(x.tasks, e.Task().ID)
	case trace.EventLog:
		l := e.Log()
		if l.Category != clockMark {
			x.mark(g, l.Category+": "+l.Message, now)
		}
	case trace.EventStateTransition:
		x.transition(e)
	}
}

// clockMark is the category of the logs of exectrace.MarkClock.
const clockMark = "iprof clock"

func (x *events) mark(g trace.GoID, text string, now int64) {
	thread := ""
	if g != trace.NoGoroutine {
		thread = lane(g)
	}
	x.keep(x.trace.AddMark(thread, text, now))
}

func (x *events) keep(err error) { x.err = cmp.Or(x.err, err) }

// transition stores the go statement that made a goroutine, and the function with which it began.
func (x *events) transition(e *trace.Event) {
	t := e.StateTransition()
	if t.Resource.Kind != trace.ResourceGoroutine {
		return
	}
	g := t.Resource.Goroutine()
	if from, _ := t.Goroutine(); from == trace.GoNotExist && len(x.makers) < mostFunctions {
		for f := range e.Stack().Frames() { // frames of the goroutine with the go statement, innermost first
			x.makers[g] = fmt.Sprintf("%s %s:%d", short(f.Func), f.File[strings.LastIndexAny(f.File, `/\\`)+1:], f.Line)
			break
		}
	}
	if _, known := x.functions[g]; known || len(x.functions) >= mostFunctions {
		return
	}
	function := ""
	for f := range t.Stack.Frames() {
		function = f.Func // the last is the outermost
	}
	if function != "" {
		x.functions[g] = function
	}
}

// short returns the name of a function without the folders of its package: "http.(*Server).Serve".
func short(function string) string {
	end := strings.IndexByte(function, '[') // begin of type arguments, which may have packages, too
	if end < 0 {
		end = len(function)
	}
	return function[strings.LastIndexByte(function[:end], '/')+1:]
}

// name names a goroutine's lane like the lanes of a program: by the go statement that made it, so that all goroutines
// of a statement are a group. For a goroutine older than the trace only its first function is known.
func (x *events) name(g trace.GoID) {
	if of := cmp.Or(x.makers[g], short(x.functions[g])); of != "" {
		x.trace.Rename(lane(g), fmt.Sprintf("%s #%d", of, g))
	}
}

// finish ends open regions.
func (x *events) finish() error {
	for g, stack := range x.open {
		for _, r := range stack {
			x.keep(x.trace.Add(lane(g), r.name, r.begin, x.last))
		}
	}
	return x.err
}

// goroutine is the format of a lane's name.
const goroutine = "goroutine %d"

func lane(g trace.GoID) string { return fmt.Sprintf(goroutine, g) }

// mostGoroutines bounds the lanes of a trace without regions, mostFunctions the goroutines whose function is known.
const (
	mostGoroutines = 1000
	mostFunctions  = 1_000_000
)

// states adds the states of the goroutines with regions, or of all goroutines. A cut trace has states up to the cut.
func (x *events) states(in io.ReadSeeker, p parts) error {
	all, err := x.readStates(in, p)
	if err != nil {
		return err
	}
	lanes := map[uint64]gather.LaneID{0: 0}
	if x.found {
		for _, thread := range x.trace.Threads() {
			var g uint64
			if _, err := fmt.Sscanf(thread, goroutine, &g); err == nil {
				lanes[g] = x.trace.Goroutine(thread, g)
				x.name(trace.GoID(g))
			}
		}
	} else if err := x.addGoroutines(all, lanes); err != nil {
		return err
	}
	for g, id := range lanes {
		for _, s := range all[g] {
			err := x.trace.AddState(gather.LaneState{Lane: id, Kind: s.Kind, Reason: s.Reason, Place: s.Place,
				Begin: platform.Ticks(s.Begin), End: platform.Ticks(s.End), Waker: lanes[s.Waker], By: s.By, At: s.At})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// readStates reads the states of all parts, by goroutine.
func (x *events) readStates(in io.ReadSeeker, p parts) (map[uint64][]exectrace.State, error) {
	all := map[uint64][]exectrace.State{}
	for _, skip := range p.skips {
		if _, err := in.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		part, err := exectrace.Read(skipGenerations(in, skip))
		if part == nil {
			return nil, err
		}
		for _, g := range append(part.Goroutines(), 0) {
			all[g] = append(all[g], part.Of(g)...)
		}
		for range part.Lost {
			x.trace.Leave("states of goroutines beyond the first " + fmt.Sprint(exectrace.MaxStates))
		}
	}
	return all, nil
}

// ran reports whether a goroutine runs in a state.
func ran(kind gather.StateKind) bool {
	return kind == gather.StateRunning || kind == gather.StateSyscall || kind == gather.StateAssist
}

// addGoroutines makes lanes of the goroutines that ran longest. Their zones are the functions with which they began,
// during the time in which they ran.
func (x *events) addGoroutines(all map[uint64][]exectrace.State, lanes map[uint64]gather.LaneID) error {
	times := map[uint64]int64{}
	var order []uint64
	for g, list := range all {
		if g == 0 {
			continue
		}
		order = append(order, g)
		for _, s := range list {
			if ran(s.Kind) {
				times[g] += s.End - s.Begin
			}
		}
	}
	slices.SortFunc(order, func(a, b uint64) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	for len(order) > mostGoroutines {
		order = order[:len(order)-1]
		x.trace.Leave(fmt.Sprintf("goroutines beyond the %d that ran longest", mostGoroutines))
	}
	slices.Sort(order)
	for _, g := range order {
		if err := x.addRuns(trace.GoID(g), all[g]); err != nil {
			return err
		}
		lanes[g] = x.trace.Goroutine(lane(trace.GoID(g)), g)
		x.name(trace.GoID(g))
	}
	return nil
}

// addRuns adds a slice for each stretch of time in which a goroutine ran.
func (x *events) addRuns(g trace.GoID, list []exectrace.State) error {
	zone := cmp.Or(x.functions[g], "goroutine")
	var run exectrace.State
	add := func() error {
		if run.End == 0 {
			return nil
		}
		return x.trace.Add(lane(g), zone, run.Begin, run.End)
	}
	for _, s := range list {
		switch {
		case !ran(s.Kind):
		case run.End == s.Begin && run.End > 0:
			run.End = s.End
		default:
			if err := add(); err != nil {
				return err
			}
			run = s
		}
	}
	return add()
}
