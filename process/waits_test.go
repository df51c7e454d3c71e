package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

const waitTicks = 300 // of a frame, 1 ms each

// waitLane is a lane of a random program: its stack and its states at each tick.
type waitLane struct {
	id     report.LaneID
	stacks [waitTicks][]gather.ZoneID
	since  int // events before it are lost
	events []gather.Event
	states []gather.LaneState
}

func randomLane(r *rand.Rand, id report.LaneID) *waitLane {
	l := &waitLane{id: id}
	var stack []gather.ZoneID
	for t := range waitTicks {
		for range r.IntN(3) {
			if n := len(stack); n > 0 && (n > 5 || r.IntN(2) == 0) {
				l.events = append(l.events,
					gather.Event{Time: platform.Ticks(t), Zone: stack[n-1], Level: int32(n - 1), End: true})
				stack = stack[:n-1]
			} else {
				zone := gather.ZoneID(1 + r.IntN(4))
				l.events = append(l.events, gather.Event{Time: platform.Ticks(t), Zone: zone, Level: int32(n)})
				stack = append(stack, zone)
			}
		}
		l.stacks[t] = slices.Clone(stack)
	}
	for range r.IntN(30) {
		l.states = append(l.states, randomState(r, id))
	}
	return l
}

var waitReasons = []string{"mutex", "select", "sleep"}

func randomState(r *rand.Rand, id report.LaneID) gather.LaneState {
	begin := platform.Ticks(r.IntN(waitTicks))
	q := gather.LaneState{Lane: id, Begin: begin, End: begin + 1 + platform.Ticks(r.IntN(40)),
		Kind: gather.StateKind(r.IntN(5))}
	if q.Kind == gather.StateWaiting {
		q.Reason = waitReasons[r.IntN(len(waitReasons))]
	}
	return q
}

// nodes are the lane's nodes in the frame.
func (l *waitLane) nodes() []gather.Node {
	list := []gather.Node{{ID: gather.NodeID(1000 * l.id), Parent: -1}}
	at := map[string]int32{"[]": 0}
	for t, stack := range l.stacks {
		for n := 1; n <= len(stack); n++ {
			key := fmt.Sprint(stack[:n])
			if _, ok := at[key]; ok {
				continue
			}
			depth := int32(0)
			for _, z := range stack[:n-1] {
				if z == stack[n-1] {
					depth++
				}
			}
			at[key] = int32(len(list))
			list = append(list, gather.Node{ID: gather.NodeID(1000*int(l.id) + len(list)), Zone: stack[n-1],
				Parent: at[fmt.Sprint(stack[:n-1])], Depth: depth, Count: 1})
		}
		list[at[fmt.Sprint(l.stacks[t])]].Self++
	}
	last := l.stacks[waitTicks-1]
	for n := range len(last) + 1 {
		list[at[fmt.Sprint(last[:n])]].Open = true
	}
	return list
}

// stateAt is the state of a tick: the one that began last, if it has not ended, and of those of the same time the last.
func stateAt(list []gather.LaneState, t int) (q gather.LaneState, known bool) {
	for _, c := range list {
		if c.Begin <= platform.Ticks(t) && (!known || c.Begin >= q.Begin) {
			q, known = c, true
		}
	}
	return q, known && q.End > platform.Ticks(t)
}

// waitEvents are the events of lanes.
type waitEvents []*waitLane

func (w waitEvents) AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event {
	for _, l := range w {
		for _, e := range l.events {
			if l.id == lane && e.Time >= max(begin, platform.Ticks(l.since)) && e.Time <= end {
				dst = append(dst, e)
			}
		}
	}
	return dst
}

func (w waitEvents) EventsSince(lane report.LaneID) (platform.Ticks, bool) {
	return platform.Ticks(w[lane-1].since), true
}

// waitCell is a row of the oracle.
type waitCell struct{ known, waiting, runnable, assist float64 }

// oracle calls do for each tick of the lanes in view, with the stack and what the lane did.
func (w waitEvents) oracle(whole []gather.LaneState, do func(l *waitLane, stack []gather.ZoneID, part waitCell)) {
	for _, l := range w {
		for t := l.since; t < waitTicks && len(l.states) > 0; t++ {
			q, own := stateAt(l.states, t)
			part := waitCell{known: 1}
			over, stopped := stateAt(whole, t)
			switch {
			case own && q.Kind == gather.StateWaiting, stopped && over.Kind != gather.StateMarking,
				own && q.Kind == gather.StateSyscall:
				part.waiting = 1
			case own && q.Kind == gather.StateRunnable:
				part.runnable = 1
			case own && q.Kind == gather.StateAssist:
				part.assist = 1
			}
			do(l, l.stacks[t], part)
		}
	}
}

func (c *waitCell) add(d waitCell) {
	c.known += d.known
	c.waiting += d.waiting
	c.runnable += d.runnable
	c.assist += d.assist
}

// compareWaits compares the records of a report with the oracle's cells.
func compareWaits(t *testing.T, r *report.Report, want map[string]*waitCell) {
	t.Helper()
	for i := range r.Records {
		rec := &r.Records[i]
		name := fmt.Sprint(rec.Zone, rec.Group)
		c := want[name]
		if c == nil {
			c = &waitCell{}
		}
		if known := rec.Mask.Has(report.ColumnWaiting); known != (c.known > 0) {
			t.Fatalf("%s: got known %v; want %v ms of known states", name, known, c.known)
		}
		got := waitCell{known: c.known, waiting: rec.Values[report.ColumnWaiting],
			runnable: rec.Values[report.ColumnRunnable]}
		sum := 0.0
		for i, q := range rec.States {
			if sum += q.Time; q.Kind == gather.StateAssist {
				got.assist += q.Time
			}
			if i > 0 && q.Time > rec.States[i-1].Time {
				t.Fatalf("%s: got states %v; want the longest first", name, rec.States)
			}
		}
		if got != *c || math.Abs(sum-c.waiting-c.runnable-c.assist) > 1e-9 {
			t.Fatalf("%s: got %+v, sum %v; want %+v", name, got, sum, *c)
		}
	}
}

// TestWaitingAgainstAnOracle compares the columns of states of random programs with a count of ticks.
func TestWaitingAgainstAnOracle(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 27))
		w := waitEvents{randomLane(r, 1), randomLane(r, 2), randomLane(r, 3)}
		w[2].states = nil
		w[1].since = r.IntN(2) * r.IntN(waitTicks)
		var whole []gather.LaneState
		for range r.IntN(4) {
			q := randomState(r, 0)
			q.Kind, q.Reason = gather.StateStopped+gather.StateKind(r.IntN(2)), "" // one kind
			whole = append(whole, q)
		}
		s := process.NewSession()
		s.View().SetAverage(report.AverageInstant)
		s.SetSources(func(c *process.Sources) { c.Events = w })
		f := &gather.Frame{End: waitTicks, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"},
			{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}
		for _, l := range w {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: l.id, End: waitTicks, Nodes: l.nodes(), Updater: l.id == 1})
			f.States = append(f.States, l.states...)
		}
		f.States = append(f.States, whole...)
		write(t, s, f)
		for lane := range report.LaneID(4) {
			for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallGraph} {
				t.Run(fmt.Sprint("seed=", seed, "/lane=", lane, "/mode=", mode), func(t *testing.T) {
					var r report.Report
					s.View().AppendReportOf(&r, report.View{Mode: mode, Lane: lane, Average: report.AverageInstant,
						Focus: 2})
					want := map[string]*waitCell{}
					w.oracle(whole, func(l *waitLane, stack []gather.ZoneID, part waitCell) {
						if lane == 0 || lane == l.id {
							count(want, stack, part, mode, lane != 0 || l.id == 1)
						}
					})
					compareWaits(t, &r, want)
				})
			}
		}
	}
}

// count adds a tick to the rows of a report. The time outside zones counts on some lanes only.
func count(want map[string]*waitCell, stack []gather.ZoneID, part waitCell, mode report.ReportMode, root bool) {
	add := func(zone gather.ZoneID, g report.Group) {
		key := fmt.Sprint(zone, g)
		if want[key] == nil {
			want[key] = &waitCell{}
		}
		want[key].add(part)
	}
	if mode == report.ReportSelfTime {
		seen := map[gather.ZoneID]bool{}
		for _, z := range stack {
			if !seen[z] {
				add(z, report.GroupFocus)
			}
			seen[z] = true
		}
		if root {
			add(0, report.GroupFocus)
		}
		return
	}
	at := len(stack) - 1
	for at >= 0 && stack[at] != 2 {
		at--
	}
	if at < 0 {
		return
	}
	add(2, report.GroupFocus)
	if parent := gather.ZoneID(0); true {
		if at > 0 {
			parent = stack[at-1]
		}
		add(parent, report.GroupParent)
	}
	if at+1 < len(stack) {
		add(stack[at+1], report.GroupChild)
	}
}
