package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The oracle keeps every event of a program, with the whole stack at the time, and answers each question by going
// through all of them. Its clock is a number; a tick is a millisecond.

// event is a stretch of time on a lane, or an entry (ticks 0).
type event struct {
	lane  int
	stack []report.ZoneID // zones, the root first
	ticks int64
	entry bool
}

// top is the innermost zone.
func (e *event) top() report.ZoneID { return e.stack[len(e.stack)-1] }

// program runs random zones on some lanes and tells both an oracle and, as frames, a Session.
type program struct {
	random *rand.Rand
	zones  int32
	stacks [][]report.ZoneID
	nodes  map[string]gather.NodeID // stack of a lane -> node id
	frame  []event
	frames [][]event
	clock  platform.Ticks
	index  uint64
	key    []byte // scratch
}

func newProgram(seed uint64, lanes int, zones int32) *program {
	p := &program{random: rand.New(rand.NewPCG(seed, 1)), zones: zones, nodes: map[string]gather.NodeID{}}
	for range lanes {
		p.stacks = append(p.stacks, []report.ZoneID{0})
	}
	return p
}

// step does one random thing on one lane; time passes on all.
func (p *program) step() {
	lane := p.random.IntN(len(p.stacks))
	stack := p.stacks[lane]
	switch n := p.random.IntN(10); {
	case n < 4 && len(stack) < 9:
		p.stacks[lane] = append(slices.Clone(stack), 1+report.ZoneID(p.random.Int32N(p.zones)))
		p.frame = append(p.frame, event{lane: lane, stack: p.stacks[lane], entry: true})
	case n < 7 && len(stack) > 1:
		p.stacks[lane] = stack[:len(stack)-1]
	default:
		ticks := 1 + p.random.Int64N(20)
		p.clock += platform.Ticks(ticks)
		for lane, stack := range p.stacks {
			p.frame = append(p.frame, event{lane: lane, stack: slices.Clone(stack), ticks: ticks})
		}
	}
}

// end ends the frame and returns it as package gather would tell it.
func (p *program) end() *gather.Frame {
	f := &gather.Frame{Index: p.index, TicksPerSecond: 1000, End: p.clock}
	f.Zones = sampleZones[:p.zones+1]
	for lane := range p.stacks {
		l := gather.LaneFrame{ID: report.LaneID(lane + 1), Name: fmt.Sprint("lane ", lane), Updater: lane == 0,
			End: p.clock}
		at := map[string]int{}
		p.node(&l, at, []report.ZoneID{0})
		for i := range p.frame {
			if e := &p.frame[i]; e.lane == lane {
				n := &l.Nodes[p.node(&l, at, e.stack)]
				n.Self += platform.Ticks(e.ticks)
				f.Begin = min(f.Begin, 0)
				if e.entry {
					n.Count++
				}
			}
		}
		l.Begin = l.End
		for i := range l.Nodes {
			l.Begin -= l.Nodes[i].Self
		}
		f.Begin = l.Begin
		f.Lanes = append(f.Lanes, l)
	}
	p.frames = append(p.frames, p.frame)
	p.frame = nil
	p.index++
	return f
}

// sampleZones are as many as any program has.
var sampleZones = func() (zones []gather.ZoneInfo) {
	for z := range 10 {
		zones = append(zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", z)})
	}
	return zones
}()

// node finds or adds the node of a stack, its ancestors first.
func (p *program) node(l *gather.LaneFrame, at map[string]int, stack []report.ZoneID) int {
	p.key = append(p.key[:0], byte(l.ID))
	for _, z := range stack {
		p.key = append(p.key, byte(z))
	}
	if i, ok := at[string(p.key)]; ok {
		return i
	}
	key := string(p.key)
	parent := int32(-1)
	if len(stack) > 1 {
		parent = int32(p.node(l, at, stack[:len(stack)-1]))
	}
	id, ok := p.nodes[key]
	if !ok {
		id = gather.NodeID(len(p.nodes))
		p.nodes[key] = id
	}
	at[key] = len(l.Nodes)
	depth := int32(-1)
	for _, z := range stack {
		if z == stack[len(stack)-1] {
			depth++
		}
	}
	l.Nodes = append(l.Nodes, gather.Node{ID: id, Zone: stack[len(stack)-1], Parent: parent, Depth: depth})
	return at[key]
}

// figures are what a row says.
type figures struct{ self, hier, count float64 }

func (f *figures) add(e *event, own bool) {
	f.hier += float64(e.ticks)
	if own {
		f.self += float64(e.ticks)
	}
}

// seen keeps the events of a view's lane; merged, time outside zones counts on the updating lane only.
func seen(events []event, lane int) (kept []event) {
	for _, e := range events {
		if lane == e.lane || lane < 0 && (len(e.stack) > 1 || e.lane == 0) {
			kept = append(kept, e)
		}
	}
	return kept
}

// flat is the answer to the flat reports.
func flat(events []event) map[report.ZoneID]figures {
	rows := map[report.ZoneID]figures{}
	for i := range events {
		e := &events[i]
		for level, z := range e.stack {
			if slices.Contains(e.stack[:level], z) { // recursion counts once
				continue
			}
			f := rows[z]
			f.add(e, z == e.top())
			if e.entry && z == e.top() {
				f.count++
			}
			rows[z] = f
		}
	}
	return rows
}

// callGraph is the answer to the call graph: rows by group and zone.
func callGraph(events []event, focus report.ZoneID) map[report.Group]map[report.ZoneID]figures {
	rows := map[report.Group]map[report.ZoneID]figures{report.GroupParent: {}, report.GroupFocus: {},
		report.GroupChild: {}}
	add := func(g report.Group, z report.ZoneID, e *event, own bool, entry bool) {
		f := rows[g][z]
		f.add(e, own)
		if e.entry && entry {
			f.count++
		}
		rows[g][z] = f
	}
	for i := range events {
		e := &events[i]
		k := len(e.stack) - 1
		for k >= 0 && e.stack[k] != focus {
			k--
		}
		if k < 0 {
			continue
		}
		last := k == len(e.stack)-1
		add(report.GroupFocus, focus, e, last, last)
		if k > 0 {
			add(report.GroupParent, e.stack[k-1], e, last, last)
		}
		if !last {
			child := e.stack[k+1]
			add(report.GroupChild, child, e, e.top() == child, k+1 == len(e.stack)-1)
		}
	}
	return rows
}

// check compares a report with the oracle's rows.
func check(t *testing.T, what func() string, r *report.Report, want map[report.Group]map[report.ZoneID]figures) {
	t.Helper()
	got := map[report.Group]map[report.ZoneID]figures{report.GroupParent: {}, report.GroupFocus: {},
		report.GroupChild: {}}
	for _, rec := range r.Records {
		v := &rec.Values
		got[rec.Group][rec.Zone] = figures{v[report.ColumnSelf], v[report.ColumnHier], v[report.ColumnCount]}
	}
	for group, rows := range want {
		for zone, w := range rows {
			if g := got[group][zone]; !near(g, w) {
				t.Fatalf("%s: group %d, zone %d: got %+v; want %+v", what(), group, zone, g, w)
			}
		}
		for zone, g := range got[group] {
			if _, ok := rows[zone]; !ok && g != (figures{}) {
				t.Fatalf("%s: group %d, zone %d: got %+v; want no row", what(), group, zone, g)
			}
		}
	}
}

func near(a, b figures) bool {
	return math.Abs(a.self-b.self)+math.Abs(a.hier-b.hier)+math.Abs(a.count-b.count) < 1e-6
}

// programs is how many random programs the oracles judge: fewer where all is slow, and nothing else is done at the same
// time that could race; more where IPROF_PROGRAMS says so (make soak).
func programs(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("IPROF_PROGRAMS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("IPROF_PROGRAMS: %v", err)
		}
		return n
	}
	if testing.Short() || raceEnabled {
		return 5_000
	}
	return 40_000
}

// TestOracle asks a Session and the oracle the same questions about random programs: all modes, old frames and new,
// each lane and all.
func TestOracle(t *testing.T) {
	const shares = 4
	programs := programs(t)
	for share := range shares {
		t.Run(fmt.Sprint("share ", share), func(t *testing.T) {
			t.Parallel()
			o := judge{}
			for seed := share; seed < programs; seed += shares {
				o.program(t, seed)
			}
		})
	}
}

// judge compares programs with the oracle, in memory that is used again.
type judge struct {
	report  report.Report
	session *process.Session
}

// program runs a program in a session of its own, or in one that had others before, and asks about one of its frames.
func (o *judge) program(t *testing.T, seed int) {
	p := newProgram(uint64(seed), 1+seed%3, 1+int32(seed%5))
	if o.session == nil || seed%32 < 4 {
		o.session = process.NewSession()
		o.session.SetHistory(4, 4) // which makes many of them cheaper
	}
	s := o.session
	s.Reset()
	for range 1 + seed%2 {
		for range 10 + seed%20 {
			p.step()
		}
		must.Do(t, s.WriteFrame(p.end()))
	}
	v := report.View{Average: report.AverageInstant, Age: p.random.IntN(len(p.frames)),
		Mode: report.ReportMode(p.random.IntN(3))}
	lane := p.random.IntN(len(p.stacks)+1) - 1
	v.Lane = report.LaneID(lane + 1)
	v.Focus = report.ZoneID(p.random.Int32N(p.zones + 1))
	s.View().AppendReportOf(&o.report, v)
	if v.Mode == report.ReportCallGraph && lane < 0 && v.Focus == 0 {
		return // the merged root is the updating lane's, of which other lanes' zones are no part
	}
	compareWithOracle(t, seed, &o.report, v, lane, seen(p.frames[len(p.frames)-1-v.Age], lane))
}

// everyLane stands for all lanes merged.
const everyLane = -1

// compareWithOracle compares a report by self or hierarchical time, or a call graph, with what comes out of the events.
func compareWithOracle(t *testing.T, program int, r *report.Report, v report.View, lane int, events []event) {
	t.Helper()
	what := func() string { return fmt.Sprintf("program %d, view %+v", program, v) }
	if v.Mode == report.ReportCallGraph {
		check(t, what, r, callGraph(events, v.Focus))
		return
	}
	want := flat(events)
	if lane < 0 {
		delete(want, 0)
		r.Records = slices.DeleteFunc(r.Records, func(r report.Record) bool { return r.Zone == 0 })
	}
	check(t, what, r, map[report.Group]map[report.ZoneID]figures{report.GroupFocus: want})
}
