package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/tables"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// dayCall is a call of a day, as the program sees it.
type dayCall struct {
	lane, frame, number int // number: of those that ended in the frame on the lane
	zones               []gather.ZoneID
	begin, end          platform.Ticks
	inside              platform.Ticks // of calls in it
}

// day is a random program: three goroutines with zones, values, marks, waits and allocations. It writes a capture of
// what happens, and keeps a list of it.
type day struct {
	rand   *rand.Rand
	frames []platform.Ticks // their beginnings, and the end of the last
	lanes  [3]dayLane
	calls  []dayCall
	waits  []gather.LaneState
	marks  []gather.MarkInfo
	values [][2]float64 // by frame
	allocs [dayZones]uint64
}

// dayLane is a goroutine of a day.
type dayLane struct {
	open   []dayCall
	events []gather.Event
	nodes  []gather.Node // of the frame
	ended  int
}

const dayZones = 7

var dayInfos = []gather.ZoneInfo{{Name: "(root)"},
	{Name: "step", Function: "game.step", File: "/src/game/step.go", Line: 10},
	{Name: "physics", Function: "game/physics.Solve", File: "/src/physics/solve.go", Line: 20},
	{Name: "collide", Function: "game/physics.collide", File: "/src/physics/solve.go", Line: 50},
	{Name: "GET /orders", Function: "shop.orders", File: "/src/shop/orders.go", Line: 5},
	{Name: "query", Function: "shop/db.Query", File: "/src/db/query.go", Line: 7},
	{Name: "sleep", Function: "game.rest", File: "/src/game/rest.go", Line: 3, Idle: true}}

var dayNames = []string{"main", "main.serve server.go:42 #1", "main.serve server.go:42 #2"}

// EventsSince and AppendEvents make the day a source of events.
func (d *day) EventsSince(gather.LaneID) (platform.Ticks, bool) { return 0, true }

func (d *day) AppendEvents(dst []gather.Event, lane gather.LaneID, begin, end platform.Ticks) []gather.Event {
	for _, e := range d.lanes[lane-1].events {
		if e.Time >= begin && e.Time <= end {
			dst = append(dst, e)
		}
	}
	return dst
}

// node returns the node of the open calls of a lane.
func (l *dayLane) node(depth int) int32 {
	at := int32(0)
	for i := range depth {
		zone := l.open[i].zones[i]
		next := slices.IndexFunc(l.nodes, func(n gather.Node) bool { return n.Parent == at && n.Zone == zone })
		if next < 0 {
			n := gather.Node{ID: gather.NodeID(pathNumber(l.open[i].zones)), Zone: zone, Parent: at}
			for above := at; above > 0; above = l.nodes[above].Parent {
				if l.nodes[above].Zone == zone {
					n.Depth++
				}
			}
			next, l.nodes = len(l.nodes), append(l.nodes, n)
		}
		at = int32(next)
	}
	return at
}

// pathNumber numbers stacks of zones.
func pathNumber(zones []gather.ZoneID) (n int) {
	for _, z := range zones {
		n = n*dayZones + int(z)
	}
	return n
}

// run lets a goroutine work until a frame's end.
func (d *day) run(lane, frame int, from, to platform.Ticks) {
	l := &d.lanes[lane]
	l.nodes, l.events, l.ended = []gather.Node{{Parent: -1}}, nil, 0
	for at := from; at < to; {
		next := min(at+1+platform.Ticks(d.rand.IntN(900_000)), to)
		l.nodes[l.node(len(l.open))].Self += next - at
		if at = next; at == to {
			break
		}
		if len(l.open) < 5 && d.rand.IntN(5) < 3 || len(l.open) == 0 {
			zone := gather.ZoneID(1 + d.rand.IntN(dayZones-1))
			c := dayCall{lane: lane, begin: at, zones: []gather.ZoneID{zone}}
			if n := len(l.open); n > 0 {
				c.zones = append(slices.Clone(l.open[n-1].zones), zone)
			}
			l.open = append(l.open, c)
			node := l.node(len(l.open))
			l.nodes[node].Count++
			l.events = append(l.events, gather.Event{Time: at, Zone: zone, Node: l.nodes[node].ID,
				Level: int32(len(l.open) - 1)})
			continue
		}
		d.end(l, frame, at)
	}
	for depth := range l.open {
		l.nodes[l.node(depth+1)].Open = true
	}
}

// end ends the innermost call of a lane.
func (d *day) end(l *dayLane, frame int, at platform.Ticks) {
	n := len(l.open) - 1
	c := l.open[n]
	node := &l.nodes[l.node(n+1)]
	l.events = append(l.events, gather.Event{Time: at, Zone: node.Zone, Node: node.ID, Level: int32(n), End: true})
	l.ended++
	c.frame, c.number, c.end = frame, l.ended, at
	d.calls = append(d.calls, c)
	if l.open = l.open[:n]; n > 0 {
		l.open[n-1].inside += c.end - c.begin
	}
}

// write writes the capture of a day.
func (d *day) write(t testing.TB, frames int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "day.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "day", GoVersion: "go1.25"})
	at := platform.Ticks(1000)
	for i := range frames {
		end := at + 1e6 + platform.Ticks(d.rand.IntN(39e6))
		d.frames = append(d.frames, at)
		f := gather.Frame{Index: uint64(i), Begin: at, End: end, TicksPerSecond: 1e9, Zones: dayInfos,
			Counters: []gather.CounterInfo{{Name: "rays"}, {Name: "level", Level: true}},
			Memory:   gather.MemoryFrame{Mode: gather.MemoryHeapPerZone}}
		for lane := range d.lanes {
			until := end
			if lane == 2 && i%5 == 0 {
				until -= 1000
			}
			d.run(lane, i, at, until)
			for until < end && len(d.lanes[lane].open) > 0 { // a goroutine that ends closes what it has open
				d.end(&d.lanes[lane], i, until)
			}
			l := gather.LaneFrame{ID: gather.LaneID(lane + 1), Name: dayNames[lane], Updater: lane == 0, Begin: at,
				End: until, Nodes: d.lanes[lane].nodes}
			if node := len(l.Nodes) - 1; node > 0 {
				l.Extras = []gather.NodeExtra{{Node: int32(node), HeapBytes: uint64(i + 1), HeapObjects: 1}}
				d.allocs[l.Nodes[node].Zone] += uint64(i + 1)
			}
			f.Lanes = append(f.Lanes, l)
		}
		d.values = append(d.values, [2]float64{float64(d.rand.IntN(5)), float64(i % 7)})
		f.Values = []gather.CounterValue{{Value: d.values[i][0]}, {Counter: 1, Value: d.values[i][1]}}
		if i%3 == 0 {
			f.Marks = []gather.MarkInfo{{Time: at + 5e5, Lane: 1, Text: fmt.Sprint("level ", i)}}
			d.marks = append(d.marks, f.Marks...)
		}
		d.waits = append(d.waits, gather.LaneState{Lane: gather.LaneID(1 + i%3), Kind: gather.StateWaiting, Begin: at,
			End: at + 1000*platform.Ticks(1+d.rand.IntN(900)), Reason: []string{"mutex", "chan receive"}[i%2],
			Place: fmt.Sprintf("world.go:%d", 40+i%5), By: "main.unlock", At: "world.go:88"})
		if i == frames-1 {
			f.States = d.waits[max(i-2, 0):]
		} else if i > 1 {
			f.States = d.waits[i-2 : i-1] // a trace brings its states late
		}
		must.Do(t, w.WriteJudged(&f, &process.Judged{Budget: 20e6, Events: d}))
		at = end
	}
	d.frames = append(d.frames, at)
	must.Do(t, w.Close())
	return path
}

func newDay() *day { return &day{rand: rand.New(rand.NewPCG(63, 1))} }

// ms is the length of a call.
func (c *dayCall) ms() float64 { return float64(c.end-c.begin) / 1e6 }

func (c *dayCall) zone() gather.ZoneID { return c.zones[len(c.zones)-1] }

// rowsOf are the rows of a command, by the words that name them.
func rowsOf(t *testing.T, command string, more ...string) map[string]asjson.TableRow {
	t.Helper()
	rows := map[string]asjson.TableRow{}
	verb, flags, _ := strings.Cut(command, " ")
	for _, row := range readRows(t, verb+" -limit 0 "+flags, more...).Table.Rows {
		name := string(cmp.Or(row.ID, row.Name+" "+row.Place))
		switch {
		case row.Path != nil && row.ID[0] != 'c':
			name = fmt.Sprint(row.Path)
		case row.ID == "" && row.Line > 0:
			name = fmt.Sprint(row.File, ":", row.Line)
		}
		if _, has := rows[name]; has {
			t.Errorf("%s: got two rows of %s", command, name)
		}
		rows[name] = row
	}
	return rows
}

// same compares the rows of a command with numbers by name and column.
func same(t *testing.T, command string, got map[string]asjson.TableRow, want map[string]map[string]float64) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%s: got %d rows; want %d", command, len(got), len(want))
	}
	for name, values := range want {
		for column, v := range values {
			is, has := got[name].Values[column]
			room := 1e-6 * math.Abs(v)
			if strings.HasPrefix(column, "p") {
				room = 0.02 * v
			}
			if math.Abs(float64(is)-v) > room || !has {
				t.Errorf("%s: %s: got %s %v; want %v", command, name, column, is, v)
			}
		}
	}
}

// callKeys name the row of a call by each key, "" for none.
var callKeys = map[string]func(c *dayCall) string{
	"call": func(c *dayCall) string { return fmt.Sprintf("c%d.%d.%d", c.frame, c.lane+1, c.number) },
	"zone": func(c *dayCall) string { return fmt.Sprint("z", c.zone()) },
	"path": func(c *dayCall) string {
		var names []string
		for _, z := range c.zones {
			names = append(names, dayInfos[z].Name)
		}
		return fmt.Sprint(names)
	},
	"package": func(c *dayCall) string { return dayInfos[c.zone()].Package() + " " },
	"lane":    func(c *dayCall) string { return fmt.Sprint("l", c.lane+1) },
	"frame":   func(c *dayCall) string { return fmt.Sprint("f", c.frame) },
	"line": func(c *dayCall) string {
		return fmt.Sprint(dayInfos[c.zone()].File, ":", dayInfos[c.zone()].Line)
	},
	"route": func(c *dayCall) string {
		if c.zone() != 4 {
			return ""
		}
		return "z4"
	},
}

// TestCallsByEachKey compares the calls that the command lists with those that the program made, for choices of
// frames, zones and lanes.
func TestCallsByEachKey(t *testing.T) {
	d := newDay()
	path := d.write(t, longtest.Pick(700, 60))
	for by, name := range callKeys {
		for choice, takes := range map[string]func(c *dayCall) bool{
			"":                        func(*dayCall) bool { return true },
			"-frames 20-40":           func(c *dayCall) bool { return c.frame >= 20 && c.frame <= 40 },
			"-zone collide":           func(c *dayCall) bool { return c.zone() == 3 },
			"-zone pkg:physics":       func(c *dayCall) bool { return c.zone() == 2 || c.zone() == 3 },
			"-lane serve -id z4":      func(c *dayCall) bool { return c.lane > 0 && c.zone() == 4 },
			"-id l2,f33":              func(c *dayCall) bool { return c.lane == 1 && c.frame == 33 },
			"-frames 10-60 -id f33":   func(c *dayCall) bool { return c.frame == 33 },
			"-zone step -frames 5-90": func(c *dayCall) bool { return c.zone() == 1 && c.frame >= 5 && c.frame <= 90 },
		} {
			want, lengths := map[string]map[string]float64{}, map[string][]float64{}
			for i := range d.calls {
				c := &d.calls[i]
				key := name(c)
				if key == "" || !takes(c) {
					continue
				}
				if want[key] == nil {
					want[key] = map[string]float64{}
				}
				v := want[key]
				v["time_ms"] += c.ms()
				v["self_ms"] += c.ms() - float64(c.inside)/1e6
				if by == "call" {
					v["at_ms"] = float64(c.begin-d.frames[c.frame]) / 1e6
				} else {
					v["calls"]++
					v["max_ms"] = max(v["max_ms"], c.ms())
				}
				lengths[key] = append(lengths[key], c.ms())
			}
			for key, list := range lengths {
				if slices.Sort(list); by != "call" {
					want[key]["p99_ms"] = list[int(math.Ceil(0.99*float64(len(list))))-1]
				}
			}
			command := "calls -by " + by + " " + choice
			if len(want) > 0 {
				same(t, command, rowsOf(t, command, path), want)
			}
		}
	}
}

// The other tables have what the program did.
func TestTablesOfADay(t *testing.T) {
	d := newDay()
	path := d.write(t, 60)
	must.Do(t, framefile.AddHot(path, &report.HotZones{Samples: 40, Zones: []report.HotLines{
		{Zone: 2, Samples: 30, Lines: []report.HotLine{{Function: "game/physics.Solve", File: "/src/physics/solve.go",
			Line: 22, Text: "x += y", Samples: 20}, {File: "/src/physics/solve.go", Line: 23, Samples: 10}}},
		{Zone: 5, Samples: 10, Lines: []report.HotLine{{File: "/src/db/query.go", Line: 9, Samples: 10}}}}}))
	want := map[string]map[string]map[string]float64{}
	add := func(command, row, column string, v float64) {
		if want[command] == nil {
			want[command] = map[string]map[string]float64{}
		}
		if want[command][row] == nil {
			want[command][row] = map[string]float64{}
		}
		want[command][row][column] += v
	}
	for i, q := range d.waits {
		ms := float64(q.End-q.Begin) / 1e6
		for _, row := range []string{"waits:" + q.Reason + " " + q.Place, fmt.Sprintf("waits -by lane:l%d", q.Lane),
			fmt.Sprintf("waits -by frame:f%d", i), "locks:" + q.Reason + " " + q.Place} {
			if command, name, _ := strings.Cut(row, ":"); command != "locks" || q.Reason == "mutex" {
				add(command, name, "wait_ms", ms)
				add(command, name, "waits", 1)
			}
		}
	}
	for i, v := range d.values {
		for k, name := range []string{"rays ", "level "} {
			add("values", name, "sum", v[k])
			add("values", name, "frames", 1)
			if i == len(d.values)-1 {
				add("values", name, "newest", v[k])
			}
		}
	}
	for _, m := range d.marks {
		add("marks", m.Text+" ", "at_ms", 0.5)
		add("marks -by lane", "l1", "marks", 1)
	}
	for zone, bytes := range d.allocs {
		if bytes > 0 {
			add("memory", fmt.Sprint("z", zone), "heap_bytes", float64(bytes))
		}
	}
	add("hot", "/src/physics/solve.go:22", "samples", 20)
	add("hot", "/src/physics/solve.go:23", "samples", 10)
	add("hot", "/src/db/query.go:9", "share_percent", 25)
	add("hot -by zone", "z2", "samples", 30)
	add("hot -by zone", "z5", "share_percent", 25)
	for command, rows := range want {
		same(t, command, rowsOf(t, command, path), rows)
	}
}

// Lanes and go statements have the times of their zones, and a capture's times are all there.
func TestLanesAndForks(t *testing.T) {
	d := newDay()
	path := d.write(t, 60)
	passed := float64(d.frames[60]-d.frames[0]) / 1e6
	busy, idle := 0.0, 0.0
	for name, row := range rowsOf(t, "lanes", path) {
		if sum := float64(row.Values["busy_ms"] + row.Values["idle_ms"]); math.Abs(sum-passed) > 1e-6 && name != "l3" {
			t.Errorf("%s: got %v ms; want the %v that have passed", name, sum, passed)
		}
		if name != "l1" {
			busy, idle = busy+float64(row.Values["busy_ms"]), idle+float64(row.Values["idle_ms"])
		}
	}
	same(t, "forks", rowsOf(t, "forks", path), map[string]map[string]float64{
		"main.serve server.go:42 ": {"busy_ms": busy, "idle_ms": idle, "goroutines": 2}})
}

// top has rows by each key: by zone and package those of its report, and by other keys sums of the same times.
func TestTopByEachKey(t *testing.T) {
	d := newDay()
	path := d.write(t, 60)
	zones := map[string]float64{}
	for _, row := range readRows(t, "top -by zone", path).Report.Rows {
		zones[string(row.Zone)] = row.Values["self_ms"]
	}
	for zone, ms := range zones {
		name := strings.ReplaceAll(zone, " ", ".")
		for _, by := range []string{"path", "lane", "frame", "line", "package"} {
			got := 0.0
			for _, row := range rowsOf(t, "top -by "+by+" -zone "+name, path) {
				v := row.Values["self_ms"] + row.Values["idle_ms"]
				if v > row.Values["hier_ms"]+1e-9 {
					t.Errorf("top -by %s: got %v ms of %s, with callees %v", by, v, zone, row.Values["hier_ms"])
				}
				if got += float64(v); by == "frame" {
					got += float64(v)/60 - float64(v)
				}
			}
			if !strings.Contains(zone, " ") && zone != "(root)" && math.Abs(got-ms) > 1e-3 {
				t.Errorf("top -by %s: got %v ms of %s; want %v", by, got, zone, ms)
			}
		}
	}
}

// What a capture does not have is said in a line that names how to record it.
func TestTablesSayWhatIsNotRecorded(t *testing.T) {
	path := unevenOf(t, nil)
	for args, want := range map[string]string{
		"calls":           "iprof.SetEvents(1 << 16) in the program records them",
		"forks":           "no goroutines of go statements",
		"waits":           "they need an execution trace (exectrace.Watch",
		"locks":           "they need an execution trace (exectrace.Watch",
		"memory":          "MemoryHeapPerZone",
		"hot":             "iprof run takes them",
		"values":          "iprof.Count and iprof.Value",
		"marks":           "iprof.Mark in the program makes them",
		"top -by route":   "iprof run -frame routes",
		"calls -by lnae":  `calls has no rows by "lnae"; did you mean lane? There are call, zone, path, `,
		"waits -by zone":  `waits has no rows by zone; the nearest that has is top -by zone`,
		"lanes -sort bsy": "there are busy_ms, idle_ms, calls, cpu_ms, frames",
		"lanes -id 17":    `"17" is no id; there are z17 of a zone`,
	} {
		said := complained(t, func() {
			words := append(strings.Fields(args), path)
			if code := find(words[0]).run(words[1:]); code == 0 {
				t.Errorf("%s: the status is 0", args)
			}
		})
		if !strings.Contains(said, want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: got %q; want one line with %q", args, said, want)
		}
	}
}

// An id of a row is that of the next command, before or after the file. What a limit cuts is counted.
func TestIDsAreForTheNextCommand(t *testing.T) {
	path := newDay().write(t, 60)
	inBothWays(t, func(t *testing.T) {
		text, code := shows(t, "calls", "-limit", "5", path)
		if code != 0 || !regexp.MustCompile(`\nrows 5 of \d{3,}\n$`).MatchString(text) {
			t.Fatalf("got status %d and\n%s", code, text)
		}
		line := strings.Split(text, "\n")[2]
		id := regexp.MustCompile(`c\d+\.\d+\.\d+`).FindString(line)
		for _, args := range [][]string{{"-id", id, path}, {path, "-id", id}} {
			again, _ := shows(t, "calls", args...)
			if !strings.Contains(again, line) || strings.Count(again, "\n") != 3 {
				t.Errorf("calls %q: got\n%s\nwant the row\n%s", args, again, line)
			}
		}
		zones := rowsOf(t, "calls -by zone", path)
		for id, zone := range zones {
			if top := readRows(t, "top -id "+id, path).Report; len(top.Rows) != 1 || top.Rows[0].Zone != zone.Name {
				t.Errorf("top -id %s: got %+v; want the row of %s", id, top.Rows, zone.Name)
			}
			if g := readRows(t, "graph -id "+id, path).Report; len(g.Rows) == 0 || string(g.Title) == "" {
				t.Errorf("graph -id %s: got %+v", id, g)
			}
		}
		for _, wrong := range []string{"-id l1", "-id c33.1.1", "-lane main"} {
			if _, code := shows(t, "verdicts", append(strings.Fields(wrong), path)...); code != 2 {
				t.Errorf("verdicts %s: got status %d; want 2, as it does not choose by that", wrong, code)
			}
		}
		for _, some := range []string{"-id l2", "-id z2", "-zone physics", "-lane main", "-id c33.1.1"} {
			in := rowsOf(t, "top -by frame "+some, path)
			frames := rowsOf(t, "frames -frames all "+some, path)
			if len(frames) != len(in) || len(in) == 0 ||
				frames["f33"].Values["hier_ms"] != in["f33"].Values["hier_ms"] {
				t.Errorf("frames %s: got %d rows; want the %d of top -by frame", some, len(frames), len(in))
			}
		}
		one := readRows(t, "frames -id f33", path).Slowest
		if len(one) != 1 || one[0].Frame != 33 {
			t.Errorf("frames -id f33: got %+v", one)
		}
	})
}

// Without events, sums of calls are of the calls that zones have counted, and single calls are the slow ones.
func TestCallsWithoutEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.iprof")
	file := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(file, framefile.Info{Program: "shop"})
	counted := gather.Calls{Lane: 1, Node: 1, Zone: 4}
	for i := range platform.Ticks(200) {
		counted.Add(1e6 * (1 + i))
	}
	for i := range platform.Ticks(3) {
		f := gather.Frame{Index: uint64(i), Begin: i * 1e9, End: (i + 1) * 1e9, TicksPerSecond: 1e9, Zones: dayInfos,
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Begin: i * 1e9, End: (i + 1) * 1e9,
				Nodes: []gather.Node{{Parent: -1, Self: 9e8}, {ID: 1, Zone: 4, Self: 1e8, Count: 3}}}},
			SlowCalls: []gather.SlowCall{{Zone: 4, Lane: 1, Begin: i * 1e9, End: i*1e9 + 1e7*(1+i), Usual: 1e6,
				Parts: []gather.CallPart{{Zone: 5, Count: 1, Time: 4e6}}}}}
		must.Do(t, w.WriteJudged(&f, &process.Judged{Calls: oneCall{counted}}))
	}
	must.Do(t, w.Close())
	must.Do(t, file.Close())
	for _, by := range []string{"route", "zone"} {
		same(t, by, rowsOf(t, "calls -by "+by, path), map[string]map[string]float64{
			"z4": {"calls": 200, "time_ms": 20100, "p50_ms": 100, "p99_ms": 198}})
	}
	slow := readRows(t, "calls", path).Table
	if len(slow.Rows) != 3 || slow.Rows[0].Values["time_ms"] != 30 || slow.Rows[0].Values["self_ms"] != 26 ||
		*slow.Rows[0].Frame != 2 || len(slow.Notes) != 1 {
		t.Errorf("got %+v; want the three slow calls", slow)
	}
}

// oneCall has the counted calls of one stack.
type oneCall struct{ gather.Calls }

func (c oneCall) AppendCalls(dst []gather.Calls) []gather.Calls { return append(dst, c.Calls) }

// graph has rows by each key: by zone those of its report, by other keys sums of the same times.
func TestGraphByEachKey(t *testing.T) {
	path := newDay().write(t, 60)
	for zone := range dayInfos {
		if zone == 0 {
			continue
		}
		c := must.Get(openTwice(true)(path))(t)
		table := must.Get(tables.Read(c.whole, &tables.Choice{Kind: tables.Graph, By: "zone",
			Focus: gather.ZoneID(zone)}))(t)
		got, sums := map[string][]float64{}, map[string]float64{}
		for _, row := range table.Rows {
			got[row.Group.String()+" "+row.Name] = row.Values
		}
		rows := readRows(t, "graph -id z"+fmt.Sprint(zone), path).Report.Rows
		for _, row := range rows {
			pkg := ""
			for _, z := range dayInfos {
				if z.Name == string(row.Zone) {
					pkg = z.Package()
				}
			}
			sums[row.Group+" "+cmp.Or(pkg, string(row.Zone))] += row.Values["hier_ms"]
			for i, column := range []string{"self_ms", "hier_ms", "count"} {
				values := got[row.Group+" "+string(row.Zone)]
				if values == nil || math.Abs(values[i]-row.Values[column]) > 1e-6 {
					t.Errorf("z%d: %s %s: got %v; want %s %v", zone, row.Group, row.Zone, values, column,
						row.Values[column])
				}
			}
		}
		if len(rows) != len(got) || len(rows) < 3 {
			t.Errorf("z%d: got %d rows; want %d", zone, len(got), len(rows))
		}
		for _, row := range readRows(t, "graph -by package -limit 0 -id z"+fmt.Sprint(zone), path).Table.Rows {
			if want := sums[row.Group+" "+string(row.Name)]; math.Abs(float64(row.Values["hier_ms"])-want) > 1e-6 &&
				row.Group != "focus" {
				t.Errorf("z%d: %s %s: got %v ms; want %v", zone, row.Group, row.Name, row.Values["hier_ms"], want)
			}
		}
		for _, by := range []string{"lane", "frame", "path", "line"} {
			of := rowsOf(t, fmt.Sprintf("top -by %s -id z%d", by, zone), path)
			for _, row := range readRows(t, fmt.Sprintf("graph -by %s -limit 0 -id z%d", by, zone), path).Table.Rows {
				name := string(row.ID)
				switch by {
				case "path":
					name = fmt.Sprint(row.Path)
				case "line":
					name = fmt.Sprint(row.File, ":", row.Line)
				}
				if row.Group != "focus" {
					continue
				}
				if want := of[name].Values; by != "path" && row.Values["hier_ms"] != want["hier_ms"] ||
					row.Values["count"] != want["count"] {
					t.Errorf("graph -by %s z%d: got %v of %s; want %v", by, zone, row.Values, name, want)
				}
			}
		}
	}
}

// An export by a key has the times of top by that key.
func TestExportByEachKey(t *testing.T) {
	path := newDay().write(t, 60)
	for _, by := range []string{"zone", "package", "lane", "frame", "line", "route", "path"} {
		for _, some := range []string{"", " -zone physics", " -id l2", " -id z3", " -frames 10-20", " -lane serve"} {
			got, want := 0.0, 0.0
			text := exported(t, strings.Fields("export -format folded -by "+by+some), path)
			for line := range strings.SplitSeq(text, "\n") {
				at := strings.LastIndexByte(line, ' ') + 1
				last := line[strings.LastIndexByte(line, ';')+1:]
				if v := 0.0; at > 0 && !strings.HasPrefix(last, "(root)") {
					must.Get(fmt.Sscan(line[at:], &v))(t)
					got += v
				}
			}
			table := readRows(t, "top -limit 0 -by "+cmp.Or(strings.TrimPrefix(by, "zone"), "path")+some, path).Table
			for _, row := range table.Rows {
				want += float64(row.Values["self_ms"] + row.Values["idle_ms"])
			}
			if by != "frame" {
				want *= float64(table.Frames)
			}
			if math.Abs(got/1e6-want) > 1e-3*want || want == 0 {
				t.Errorf("export -by %s%s: got %v ms; want %v", by, some, got/1e6, want)
			}
		}
	}
	for args, want := range map[string]string{
		"export -format chrome -by lane": "are for pprof, folded, csv and openmetrics; the nearest is csv",
		"export -zone >5ms":              "iprof top has",
		"export -id c1.1.1":              "its frame and its goroutine are l1,f1",
		"export -by call":                "export has no rows by call; the nearest that has is calls -by call",
		"export -format pproff":          "did you mean pprof?",
	} {
		said := complained(t, func() {
			words := append(strings.Fields(args), path)
			if code := find(words[0]).run(words[1:]); code == 0 {
				t.Errorf("%s: the status is 0", args)
			}
		})
		if !strings.Contains(said, want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: got %q; want one line with %q", args, said, want)
		}
	}
}

// The report and the page of a program, and a page of a capture, have the rows that top has by the same key.
func TestPagesByEachKey(t *testing.T) {
	path := newDay().write(t, 60)
	c := must.Get(open(path))(t)
	serves := (&debug.Server{Session: c.Session}).Handler()
	cell := `</td><td>([^<]*)`
	line := regexp.MustCompile(`(?s)<tr.*?<bdi>(?:<[^>]*>)?([^<]*).*?` + cell + cell + cell + `<`)
	for _, by := range []string{"lane", "frame", "line", "route"} {
		for _, some := range []string{"", "&zone=pkg:physics", "&lane=%231"} {
			flags := strings.NewReplacer("&", " -", "=", " ", "%23", "#").Replace(some)
			of := rowsOf(t, "top -frames 10-40 -by "+by+flags, path)
			r := httptest.NewRequest("GET", "http://127.0.0.1/debug/iprof/?frames=10-40&by="+by+some, nil)
			out := httptest.NewRecorder()
			serves.ServeHTTP(out, r)
			file := exported(t, strings.Fields("html -frames 10-40 -by "+by+flags), path)
			for door, page := range map[string]string{"page": out.Body.String(), "html": file} {
				table := regexp.MustCompile(`(?s)the view of the program.*?</table>`).FindString(page)
				rows := line.FindAllStringSubmatch(table, -1)
				for _, row := range of {
					found := false
					for _, q := range rows {
						found = found || strings.HasPrefix(q[4], fmt.Sprintf("%.2f", row.Values["count"])) ||
							strings.HasPrefix(q[4], fmt.Sprint(row.Values["count"]))
					}
					if !found {
						t.Errorf("%s by %s%s: got no row of %v in %q", door, by, some, row, rows)
					}
				}
				if len(rows) != len(of) && len(of) > 0 {
					t.Errorf("%s by %s%s: got %d rows; want %d", door, by, some, len(rows), len(of))
				}
			}
		}
	}
}
