package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
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

// waited is a session with a frame of random scopes and states of two lanes.
func waited(t testing.TB, seed uint64) *process.Session {
	r := rand.New(rand.NewPCG(seed, 27))
	w := waitEvents{randomLane(r, 1), randomLane(r, 2)}
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = w })
	f := &gather.Frame{End: waitTicks, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"},
		{Name: "b"}, {Name: "c"}, {Name: "d"}}}
	for _, l := range w {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: l.id, End: waitTicks, Nodes: l.nodes(), Updater: l.id == 1})
		f.States = append(f.States, l.states...)
	}
	must.Do(t, s.WriteFrame(f))
	return s
}

func TestColumnsOfStatesAreOfSingleFrames(t *testing.T) {
	var r report.Report
	s := waited(t, 1)
	columns := func() bool {
		s.View().AppendReport(&r)
		return slices.Contains(r.Columns, report.ColumnWaiting) && slices.Contains(r.Columns, report.ColumnRunnable)
	}
	if columns() {
		t.Error("got them in an average")
	}
	s.View().SetColumns(report.ColumnSelf, report.ColumnWaiting, report.ColumnRunnable)
	if s.View().AppendReport(&r); !strings.Contains(strings.Join(r.Warnings, "\n"),
		"of single frames, not of averages") {
		t.Errorf("got %q; want a warning that says why they are empty", r.Warnings)
	}
	if s.View().SetAverage(report.AverageInstant); !columns() || len(r.Warnings) > 0 {
		t.Errorf("got %v, %q; want them as chosen, no warning", r.Columns, r.Warnings)
	}
	if s.View().SetColumns(); !columns() {
		t.Errorf("got %v; want them among the usual ones", r.Columns)
	}
	s.View().SetLens(report.Lens{Kind: report.LensAll})
	if columns() {
		t.Error("got them through a lens")
	}
	s.View().SetLens(report.Lens{})
	s.SetSources(func(c *process.Sources) { c.Events = nil })
	if !columns() || slices.ContainsFunc(r.Records, func(rec report.Record) bool {
		return rec.Mask.Has(report.ColumnWaiting)
	}) {
		t.Error("got values without events; want empty columns")
	}
}

// Beside waits of package wait, ColumnRunnable is not known.
func TestLossesOfTheMachineMakeNoColumn(t *testing.T) {
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	columns := func(index uint64, states ...gather.LaneState) []report.Column {
		f := workerFrame(index, 16, 12)
		for i := range states {
			states[i].Begin, states[i].End = f.Begin, f.Begin+9
		}
		f.States = states
		write(t, s, f)
		s.View().AppendReport(&r)
		return r.Columns
	}
	lost := gather.LaneState{Kind: gather.StateGone, Reason: measure.ReasonStolen}
	got := columns(0, lost)
	if slices.Contains(got, report.ColumnWaiting) || slices.Contains(got, report.ColumnRunnable) || r.Waits {
		t.Errorf("a loss: got %v; want neither", got)
	}
	got = columns(1, lost, gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "lock world"})
	if !slices.Contains(got, report.ColumnWaiting) || slices.Contains(got, report.ColumnRunnable) || r.Runnable {
		t.Errorf("a loss and a wait: got %v; want waiting, not runnable", got)
	}
	got = columns(2, gather.LaneState{Lane: 1, Kind: gather.StateRunnable})
	if !slices.Contains(got, report.ColumnRunnable) || !r.Runnable {
		t.Errorf("a state of a trace: got %v; want runnable", got)
	}
}

// TestStatesOfAPausedFrameComeLater pauses a session whose states come from a trace: the columns are empty until they
// are known, and a warning says so.
func TestStatesOfAPausedFrameComeLater(t *testing.T) {
	s := waited(t, 1)
	s.View().SetAverage(report.AverageInstant)
	s.View().SetColumns(report.ColumnSelf, report.ColumnWaiting, report.ColumnRunnable)
	const begin, end = 2 * waitTicks, 3 * waitTicks // states of the first frame may last beyond it
	next := &gather.Frame{Index: 1, Begin: begin, End: end, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}},
		Lanes: []gather.LaneFrame{{ID: 1, Begin: begin, End: end, Updater: true,
			Nodes: []gather.Node{{ID: 1, Parent: -1, Self: end - begin}}}}}
	must.Do(t, s.WriteFrame(next))
	s.Pause()
	var r report.Report
	known := func() bool {
		s.View().AppendReport(&r)
		return slices.ContainsFunc(r.Records, func(rec report.Record) bool {
			return rec.Mask.Has(report.ColumnWaiting)
		})
	}
	if known() || !strings.Contains(strings.Join(r.Warnings, "\n"), "not known of this frame yet") {
		t.Errorf("paused: got values or %q; want a warning that they come later", r.Warnings)
	}
	s.AddStates(begin, end, []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "lock",
		Begin: begin, End: end}})
	if !known() || len(r.Warnings) > 0 {
		t.Errorf("states added: got none or %q; want values and no warning", r.Warnings)
	}
}

func TestColumnsOfStatesDoNotAllocate(t *testing.T) {
	s := waited(t, 1)
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallGraph, report.ReportCallTree} {
		s.View().SetReportMode(mode)
		s.View().AppendReport(&r)
		if n := allocstest.PerRun(20, func() { s.View().AppendReport(&r) }); n > 0 {
			t.Errorf("mode %d: got %v allocations; want none", mode, n)
		}
	}
}

// waitingFrame has two zones that work and three that wait, one of them with a zone inside.
func waitingFrame() *gather.Frame {
	nodes := []gather.Node{{Parent: -1, Self: 1}, {ID: 1, Zone: 1, Parent: 0, Count: 1, Self: 30},
		{ID: 2, Zone: 2, Parent: 0, Count: 1, Self: 20}, {ID: 3, Zone: 3, Parent: 0, Count: 1, Self: 40},
		{ID: 4, Zone: 4, Parent: 0, Count: 1, Self: 60}, {ID: 5, Zone: 1, Parent: 4, Count: 1, Self: 5},
		{ID: 6, Zone: 3, Parent: 1, Count: 1, Self: 7}, {ID: 7, Zone: 4, Parent: 1, Count: 1, Self: 8},
		{ID: 8, Zone: 2, Parent: 1, Count: 1, Self: 2}}
	f := &gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}, {Name: "more"},
		{Name: "wait", Idle: true}, {Name: "sleep", Idle: true}}}
	for i := range nodes {
		f.End += nodes[i].Self
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, End: f.End, Nodes: nodes}}
	return f
}

// lineNames returns the names on the lines of a report, and the times with callees of the rows that wait.
func lineNames(r *report.Report) (names []string, idle float64) {
	for i := range r.Len() {
		row, _ := r.Line(i)
		names = append(names, row.Name)
		if p := r.Package(i); p != nil {
			names[i] = fmt.Sprintf("%s %d", row.Name, p.Rows)
			idle = row.Values[report.ColumnHier]
		}
	}
	return names, idle
}

func TestIdleRowsAreOneInEveryMode(t *testing.T) {
	s := process.NewSession()
	write(t, s, waitingFrame())
	for _, c := range []struct {
		mode  report.ReportMode
		want  []string
		waits float64
		all   int
	}{
		{report.ReportSelfTime, []string{"work", "more", "(root)", "waiting 2"}, 115, 5},
		{report.ReportHierarchicalTime, []string{"(root)", "work", "more", "waiting 2"}, 115, 5},
		{report.ReportCallTree, []string{"work", "more", "wait", "sleep", "more", "(root)", "waiting 2"}, 105, 9},
		{report.ReportCallGraph, []string{"sleep", "(root)", "work", "more", "waiting 2"}, 15, 6},
	} {
		t.Run(fmt.Sprint(c.mode), func(t *testing.T) {
			var r report.Report
			view := report.View{Mode: c.mode, Average: report.AverageInstant, Focus: 1}
			s.View().AppendReportOf(&r, view)
			before, _ := lineNames(&r)
			folded := r.IdleFolded()
			got, waits := lineNames(folded)
			slices.Sort(got[:len(got)-1]) // their order is the business of others
			want := slices.Clone(c.want)
			slices.Sort(want[:len(want)-1])
			if fmt.Sprint(got) != fmt.Sprint(want) || waits != c.waits {
				t.Errorf("got %q, %v ms; want %q, %v ms", got, waits, want, c.waits)
			}
			if after, _ := lineNames(&r); fmt.Sprint(after) != fmt.Sprint(before) || len(before) < len(got) {
				t.Errorf("the report itself: got %q; want %q", after, before)
			}
			view.ShowIdle = true
			s.View().AppendReportOf(&r, view)
			if again := r.IdleFolded(); again != &r {
				t.Error("ShowIdle: got the rows folded; want them all")
			}
		})
	}
}

func TestIdleEnd(t *testing.T) {
	s := process.NewSession()
	write(t, s, waitingFrame())
	for name, tree := range map[string][]report.TreeNode{"totals": s.AppendTotals(nil),
		"frame": s.View().AppendTree(nil, report.View{Average: report.AverageInstant})} {
		t.Run(name, func(t *testing.T) {
			from, zones, hier := report.IdleEnd(tree)
			if zones != 2 || hier != 105 || !tree[from].Idle || tree[from].Level != 1 || tree[from-1].Idle {
				t.Errorf("got %d zones of %v ms from %d; want 2 of 105 ms", zones, hier, from)
			}
		})
	}
	busy, idle, zones := report.FoldTotals(report.AppendZoneTotals(nil, s.AppendTotals(nil)))
	if zones != 2 || idle.Self != 115 || len(busy) != 3 || idle.Count != 4 {
		t.Errorf("got %d zones %+v, %d others; want 2 of 115 ms and 4 entries, 3 others", zones, idle, len(busy))
	}
}

// A warning points to the sign "!" only where a row in sight has it.
func TestWarningsPointToMarksInSight(t *testing.T) {
	for costly, want := range map[string]bool{"work": true, "sleep": false} {
		t.Run(costly, func(t *testing.T) {
			s := process.NewSession()
			f := waitingFrame()
			f.ScopeCost = 1024 // a tick
			for i := range f.Lanes[0].Nodes {
				if n := &f.Lanes[0].Nodes[i]; n.Parent == 0 && f.Zones[n.Zone].Name == costly {
					n.Count = 50
				}
			}
			write(t, s, f)
			var r report.Report
			s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
			folded, signs := r.IdleFolded(), 0
			for i := range folded.Len() {
				if row, _ := folded.Line(i); row.Costly {
					signs++
				}
			}
			points := strings.Contains(strings.Join(folded.Warnings, "\n"), report.SeeMarked)
			whole := strings.Contains(strings.Join(r.Warnings, "\n"), report.SeeMarked)
			if points != want || signs > 0 != want || !whole {
				t.Errorf("got %d signs, warnings %q, of the whole report %q", signs, folded.Warnings, r.Warnings)
			}
		})
	}
}
