package capture_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// filler gives each field of a structure a value of its own, or at random the zero value.
type filler struct {
	random *rand.Rand
	last   int64
	zones  []gather.ZoneInfo
}

func newFiller(seed uint64) *filler {
	f := &filler{random: rand.New(rand.NewPCG(seed, 21))}
	for len(f.zones) < 7 {
		var z gather.ZoneInfo
		f.fill(reflect.ValueOf(&z).Elem())
		z.Idle = z.Idle || z.Blocked
		z.Computes = z.Computes && !z.Idle
		f.zones = append(f.zones, z)
	}
	return f
}

// modes has the number of values of each type of modes.
var modes = map[reflect.Type]uint{
	reflect.TypeFor[gather.MemoryMode](): uint(measure.NumMemoryModes), reflect.TypeFor[gather.Estimated](): 2,
	reflect.TypeFor[gather.AwayKnown](): 3, reflect.TypeFor[platform.Source](): uint(platform.SourceProgram) + 1,
	reflect.TypeFor[gather.StateKind](): measure.NumStateKinds,
}

func (f *filler) number() int64 {
	f.last += 1 + f.random.Int64N(300)
	if f.random.IntN(4) == 0 {
		return 0
	}
	return f.last
}

func (f *filler) fill(v reflect.Value) {
	switch modes := modes[v.Type()]; {
	case modes > 0:
		v.SetUint(uint64(f.random.UintN(modes)))
	case v.Type() == reflect.TypeFor[gather.ZoneID]():
		v.SetInt(int64(f.random.IntN(len(f.zones))))
	case v.Kind() == reflect.Bool:
		v.SetBool(f.random.IntN(2) == 0)
	case v.CanInt():
		v.SetInt(f.number())
	case v.CanUint():
		v.SetUint(uint64(f.number()))
	case v.CanFloat():
		v.SetFloat(float64(f.number()) / 3)
	case v.Kind() == reflect.String:
		if n := f.number(); n > 0 {
			v.SetString(fmt.Sprint("text ", n%9, "\x00\xff"))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	case v.Kind() == reflect.Slice:
		for n := range f.random.IntN(5) {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			f.fill(v.Index(n))
		}
	case v.Kind() != reflect.Map:
		panic(v.Type().String())
	}
}

// frame returns a frame. Its fields are filled, but for what depends on others.
func (f *filler) frame(index uint64, begin platform.Ticks) *gather.Frame {
	frame := new(gather.Frame)
	f.fill(reflect.ValueOf(frame).Elem())
	frame.Index, frame.Origin, frame.Zones = index, gather.Origin{Program: 77, Clock: 3}, f.zones
	frame.Begin, frame.End = begin, begin+5000
	frame.Between, frame.TicksPerSecond = 0, 1e6
	frame.Misuse.Notes = []string{fmt.Sprint("note ", index), "", fmt.Sprint("last ", index)}
	frame.Counters = []gather.CounterInfo{{Name: "a"}, {Name: "b", Level: true}, {}, {Name: "d", Level: true}, {}}
	frame.Budgets = []gather.ZoneBudget{{Zone: 5, Budget: time.Duration(index + 1)}, {Zone: 2, Budget: 1}}
	for i := range frame.Values {
		frame.Values[i].Counter = int32(i)
	}
	for i := range frame.States {
		frame.States[i].End = frame.States[i].Begin + 1 + platform.Ticks(f.random.IntN(99))
	}
	for i := range frame.Remarks {
		m := &frame.Remarks[i]
		if m.Level %= 1 << 22; m.Valued {
			m.Text = ""
		} else {
			m.Value = 0
		}
	}
	for i := range frame.SlowCalls {
		for k := range frame.SlowCalls[i].Parts {
			frame.SlowCalls[i].Parts[k].Level %= measure.MaxCallParts + 1
		}
	}
	if frame.Section.Number == 0 {
		frame.Section.Name = ""
	}
	frame.Lanes = nil
	for lane := range 1 + f.random.IntN(3) {
		frame.Lanes = append(frame.Lanes, f.lane(gather.LaneID(300*lane)))
	}
	return frame
}

// lane returns a lane with its nodes. The name of a lane and the stack of a node stay.
func (f *filler) lane(id gather.LaneID) (l gather.LaneFrame) {
	f.fill(reflect.ValueOf(&l).Elem())
	l.ID, l.Name, l.Nodes = id, fmt.Sprint("lane ", id), nil
	for i := range 2 + f.random.IntN(6) {
		n := gather.Node{}
		f.fill(reflect.ValueOf(&n).Elem())
		n.ID, n.Zone, n.Parent = gather.NodeID(id)+gather.NodeID(i), gather.ZoneID(i%len(f.zones)), int32(i/2)-1
		if n.Parent = int32(i-1) / 2; i == 0 {
			n.Parent = -1
		}
		n.Depth = int32(i % 3)
		l.Nodes = append(l.Nodes, n)
	}
	l.Extras = l.Extras[:min(len(l.Extras), len(l.Nodes))]
	for i := range l.Extras {
		l.Extras[i].Node = int32(i + f.random.IntN(2)*(len(l.Nodes)-len(l.Extras)))
		if i > 0 {
			l.Extras[i].Node = max(l.Extras[i].Node, l.Extras[i-1].Node+1)
		}
	}
	return l
}

// eventsByLane has the events of some lanes. All lanes have theirs since the same time.
type eventsByLane struct {
	of    map[gather.LaneID][]gather.Event
	since platform.Ticks
}

func (e *eventsByLane) EventsSince(lane gather.LaneID) (platform.Ticks, bool) {
	return e.since, e.of[lane] != nil
}

func (e *eventsByLane) AppendEvents(dst []gather.Event, lane gather.LaneID, _, _ platform.Ticks) []gather.Event {
	return append(dst, e.of[lane]...)
}

// events returns events of the lanes of a frame, but for one. Ends may have no begin, and no end.
func (f *filler) events(frame *gather.Frame) *eventsByLane {
	e := &eventsByLane{of: map[gather.LaneID][]gather.Event{}, since: frame.Begin + platform.Ticks(f.random.IntN(9))}
	for i := range frame.Lanes[1:] {
		l := &frame.Lanes[i]
		var open []gather.Event
		at, list := frame.Begin, make([]gather.Event, 0, 99)
		for range f.random.IntN(30) {
			n := l.Nodes[f.random.IntN(len(l.Nodes))]
			v := gather.Event{Zone: n.Zone, Node: n.ID, Level: int32(len(open)), End: f.random.IntN(2) == 0}
			if last := len(open) - 1; v.End && last >= 0 && f.random.IntN(8) > 0 {
				v, open = open[last], open[:last]
				v.End = true
			} else if !v.End {
				open = append(open, v)
			}
			at += platform.Ticks(f.random.IntN(100))
			v.Time = at
			list = append(list, v)
		}
		e.of[l.ID] = list
	}
	return e
}

// hot returns hot lines. Of each zone, a file has no sums of the whole.
func (f *filler) hot() (h report.HotZones) {
	for len(h.Frames) == 0 || len(h.Zones) == 0 {
		h = report.HotZones{}
		f.fill(reflect.ValueOf(&h).Elem())
	}
	h.Waited = map[report.ZoneID]float64{2: 0.125, 5: 1}
	own := func(zones []report.HotLines) {
		for i := range zones {
			z := &zones[i]
			z.Others, z.Outside = 0, 0
			z.Error, z.OfFrame = "", false
		}
	}
	own(h.Zones)
	for i := range h.Frames {
		own(h.Frames[i].Zones)
	}
	return h
}

// allOf is a capture with all kinds of chunk but a trace and a picture, and what it holds.
type allOf struct {
	file   []byte
	frames []*gather.Frame
	events []*eventsByLane
	info   capture.Info
	hot    report.HotZones
	calls  *counted
}

// budgetOf is the frame budget in force at a frame.
func budgetOf(frame int) time.Duration { return time.Duration(frame/3) * time.Millisecond }

func newAllOf(t testing.TB, seed uint64) *allOf {
	f, calls := newFiller(seed), newCounted(seed, 3)
	a := &allOf{calls: calls, hot: f.hot()}
	a.info = capture.Info{Program: "all", GoVersion: "go", Machine: "none", Start: time.Unix(7, 9), Zero: 11,
		Reason: "reason", HasFrame: true, Frame: 12, LeftOut: 13}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, a.info)
	for i := range 270 { // beyond a key
		frame := f.frame(uint64(i), platform.Ticks(5000*i))
		if i > 5 && i < 256 {
			frame = &gather.Frame{Index: frame.Index, Begin: frame.Begin, End: frame.End, Zones: f.zones,
				Counters: frame.Counters, TicksPerSecond: 1e6, Origin: frame.Origin, Misuse: gather.Misuse{
					Notes: a.frames[5].Misuse.Notes}, Lanes: a.frames[5].Lanes[:1], Section: a.frames[5].Section}
		}
		a.frames = append(a.frames, frame)
		a.events = append(a.events, f.events(frame))
		for range max(20-i, 1) {
			calls.step()
		}
		j := process.Judged{Events: a.events[i], Calls: calls, Budget: budgetOf(i)}
		if i >= 3 {
			j.Hot = func() *report.HotZones { return &a.hot }
		}
		must.Do(t, w.WriteJudged(frame, &j))
	}
	must.Do(t, w.Close())
	a.file = file.Bytes()
	return a
}

// Each field of a frame, of its events and of the whole file comes back as it was.
func TestEachFieldComesBack(t *testing.T) {
	for seed := range uint64(12) {
		newAllOf(t, seed).check(t)
	}
}

func (a *allOf) check(t *testing.T) {
	t.Helper()
	r := must.Get(framefile.NewReader(bytes.NewReader(a.file)))(t)
	for i, want := range a.frames {
		got := gather.Frame{}
		if err := r.Next(&got); err != nil || !same(clone(got), want) {
			t.Fatalf("frame %d: %v%s", i, err, differences(clone(got), clone(*want)))
		}
		for j := range want.Lanes {
			id := want.Lanes[j].ID
			var events, wanted []gather.Event
			var since platform.Ticks
			var kept bool
			if from := r.Events(); from != nil {
				events = from.AppendEvents(nil, id, want.Begin, want.End-1)
				since, kept = from.EventsSince(id)
			}
			for _, v := range a.events[i].of[id] {
				if v.Time >= a.events[i].since {
					wanted = append(wanted, v)
				}
			}
			if !reflect.DeepEqual(events, wanted) || kept != (a.events[i].of[id] != nil) ||
				kept && since != a.events[i].since {
				t.Fatalf("frame %d, lane %d: got events since %d, %v\n%+v\nwant those since %d\n%+v", i, id, since,
					kept, events, a.events[i].since, wanted)
			}
		}
		if r.Budget() != budgetOf(i) {
			t.Fatalf("frame %d: got budget %v; want %v", i, r.Budget(), budgetOf(i))
		}
		if hot := r.Hot(); i >= 3 != (hot != nil) || hot != nil && !reflect.DeepEqual(hot, &a.hot) {
			t.Fatalf("frame %d: got hot lines\n%+v\nwant\n%+v", i, hot, &a.hot)
		}
	}
	if err := r.Next(new(gather.Frame)); err == nil || !r.Complete() || !reflect.DeepEqual(r.Info(), a.info) {
		t.Errorf("got %v, complete %v, %+v; want the end of %+v", err, r.Complete(), r.Info(), a.info)
	}
	checkCalls(t, r.Calls(), a.calls.list)
	s := process.NewSession()
	c, err := framefile.Load(s, bytes.NewReader(a.file))
	if err != nil || c.Frames != uint64(len(a.frames)) || len(c.Damages) > 0 {
		t.Errorf("got %v, %+v; want all frames", err, c)
	}
}

// differences are the fields in which two frames differ.
func differences(got, want gather.Frame) (text string) {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if f := g.Type().Field(i); f.IsExported() {
			a := g.Field(i).Interface()
			b := w.Field(i).Interface()
			if !reflect.DeepEqual(a, b) {
				text += fmt.Sprintf("\n%s: got %+v; want %+v", f.Name, a, b)
			}
		}
	}
	return text
}

// A file has the same bytes as when this version of the format was made, because programs of this version read it.
// A new version gets a new golden file.
func TestTheBytesOfThisVersion(t *testing.T) {
	file := newAllOf(t, 1).file
	golden.Text(t, fmt.Sprintf("format%d.%d.iprof", file[8], file[9]), file)
}
