package text_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// sums are a zone's ticks and entries.
type sums struct{ self, hier, count int64 }

// ticksPerMs makes a tick the last digit that the face with the fewest decimals shows.
const ticksPerMs = 100

// randomFrame is a frame of one lane with a random call tree, and what it sums to by zone, reckoned the plain way: for
// each node its self time is added to the hierarchical time of every zone on its stack, once.
func randomFrame(rng *rand.Rand) (*gather.Frame, map[string]*sums) {
	zones := 1 + rng.IntN(10)
	f := &gather.Frame{TicksPerSecond: ticksPerMs * 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	want := map[string]*sums{"(root)": {}}
	for i := range zones {
		name := fmt.Sprint("z", i)
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name, Function: "main." + name, File: "main.go", Line: i + 1})
		want[name] = &sums{}
	}
	nodes := []gather.Node{{Parent: -1}}
	known := map[[2]int32]bool{}
	for range 1 + rng.IntN(60) {
		parent, zone := int32(rng.IntN(len(nodes))), report.ZoneID(1+rng.IntN(zones))
		if !known[[2]int32{parent, int32(zone)}] {
			known[[2]int32{parent, int32(zone)}] = true
			nodes = append(nodes, gather.Node{ID: gather.NodeID(len(nodes)), Zone: zone, Parent: parent,
				Count: uint32(1 + rng.IntN(9))})
		}
	}
	for i := range nodes {
		n := &nodes[i]
		n.Self = platform.Ticks(rng.IntN(5000))
		f.End += n.Self
		own := want[f.Zones[n.Zone].Name]
		own.self += int64(n.Self)
		own.count += int64(n.Count)
		stack := map[report.ZoneID]bool{}
		for at := int32(i); at >= 0; at = nodes[at].Parent {
			if zone := nodes[at].Zone; !stack[zone] {
				stack[zone] = true
				want[f.Zones[zone].Name].hier += int64(n.Self)
			}
		}
		if p := n.Parent; p >= 0 {
			n.Depth = depth(nodes, p, n.Zone)
		}
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, End: f.End, Nodes: nodes}}
	return f, want
}

// depth is how often a zone is on a stack.
func depth(nodes []gather.Node, at int32, zone report.ZoneID) (n int32) {
	for ; at >= 0; at = nodes[at].Parent {
		if nodes[at].Zone == zone {
			n++
		}
	}
	return n
}

// ticks reads milliseconds.
func ticks(t *testing.T, ms string) int64 {
	t.Helper()
	v := must.Get(strconv.ParseFloat(ms, 64))(t)
	if whole := math.Round(v * ticksPerMs); math.Abs(v*ticksPerMs-whole) > 1e-6 {
		t.Fatalf("%s ms: got a part of a tick; want whole ticks", ms)
	}
	return int64(math.Round(v * ticksPerMs))
}

// zoneSums are the sums that an output has for each zone.
type zoneSums map[string]sums

func rendered(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, write(&b))
	return b.String()
}

// reportRow is a sign, a name, a recursion depth, self and hierarchical time, and the count.
var reportRow = regexp.MustCompile(`(?m)^[-+! ]*(z\d+|\(root\))(?: \(\d+\))? +([\d.]+) +([\d.]+) +(\d+)`)

func readReport(t *testing.T, s string) zoneSums {
	got := zoneSums{}
	for _, row := range reportRow.FindAllStringSubmatch(s, -1) {
		count, _ := strconv.ParseInt(row[4], 10, 64)
		got[row[1]] = sums{ticks(t, row[2]), ticks(t, row[3]), count}
	}
	return got
}

func readRows(t *testing.T, s string) zoneSums {
	f := must.Get(asjson.Read(strings.NewReader(s)))(t)
	got := zoneSums{}
	for _, row := range f.Report.Rows {
		ms := func(name string) int64 { return ticks(t, strconv.FormatFloat(row.Values[name], 'g', -1, 64)) }
		got[string(row.Zone)] = sums{ms("self_ms"), ms("hier_ms"), int64(row.Values["count"])}
	}
	return got
}

func readZones(t *testing.T, s string) zoneSums {
	got := zoneSums{}
	for _, line := range strings.Split(strings.TrimSpace(s), "\n")[2:] {
		w := strings.Fields(line)
		count, _ := strconv.ParseInt(w[3], 10, 64)
		got[w[5]] = sums{ticks(t, w[1]), ticks(t, w[0]), count}
	}
	return got
}

// Each output in words has the same sums for a random frame as plain addition: to the tick, and to the entry.
func TestFacesEqualPlainSums(t *testing.T) {
	programs := 1000
	if testing.Short() {
		programs = 100
	}
	for seed := range uint64(programs) {
		f, want := randomFrame(rand.New(rand.NewPCG(seed, 3)))
		s := process.NewSession()
		must.Do(t, s.WriteFrame(f))
		var r report.Report
		s.View().AppendReportOf(&r, report.View{Mode: report.ReportSelfTime, Average: report.AverageInstant})
		d := s.Dump(report.DumpOptions{NoFrames: true, NoHistory: true})
		faces := map[string]zoneSums{
			"report": readReport(t, rendered(t,
				func(w io.Writer) error { return text.WriteReport(w, &r, text.Options{Precision: 2}) })),
			"json": readRows(t, rendered(t,
				func(w io.Writer) error { return text.WriteJSON(w, &report.Dump{Report: &r}) })),
			"zones": readZones(t, rendered(t,
				func(w io.Writer) error { return text.WriteZones(w, d, text.Options{}) })),
		}
		for face, got := range faces {
			for name, w := range want {
				if g, found := got[name]; g != *w && (found || w.count > 0) {
					t.Fatalf("seed %d: %s: %s: got %+v (there: %v); want %+v", seed, face, name, g, found, *w)
				}
			}
		}
	}
}

// TestSpawnsOfACoarseClock: no decimals below a tick of the clock.
func TestSpawnsOfACoarseClock(t *testing.T) {
	spawns := []report.SpawnTimes{{Own: 12, Spawned: 431.2, Waited: 8000,
		Spawn: report.Spawn{Crowd: "a.go:1", Goroutines: 2}}}
	for tick, want := range map[float64]string{
		0: " 12.000     431.200   8000.000 ", 1: " 12         431       8000 ", 0.1: " 12.0       431.2     8000.0 ",
		4e-5: " 12.000     431.200   8000.000 ",
	} {
		var b strings.Builder
		if err := text.WriteSpawns(&b, spawns, tick); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("tick %v ms: got %q, %v; want %q", tick, b.String(), err, want)
		}
	}
}

// An average that fades never quite reaches nothing; a level may well be that small.
func TestFadedCountsAreNothing(t *testing.T) {
	r := report.Report{Values: []report.FrameValue{
		{Name: "shots", Kind: report.ValueCount, Value: 4.7e-16, Max: 3},
		{Name: "leak", Kind: report.ValueLevel, Value: 4.7e-9, Mean: 4.7e-9, Max: 4.7e-9},
	}}
	var b bytes.Buffer
	must.Do(t, text.WriteReport(&b, &r, text.Options{}))
	if got := b.String(); strings.Contains(got, "e-16") || !strings.Contains(got, "4.7e-09") {
		t.Errorf("got %q; want 0 for the count, 4.7e-09 for the level", got)
	}
}

// TestSingleCalls: a row for each zone, with the distribution if there is room for it.
func TestSingleCalls(t *testing.T) {
	r := report.Report{Calls: []*report.CallRow{
		{Name: "GET /items/{id}", Count: 61, Missing: 2, Times: report.Summary{P50: 5.1234, P90: 6,
			P99: 9.87, Max: 12.5}, Bars: append(make([]uint64, report.CallBars-3), 60, 0, 1)},
		{Name: "GET /\x1b[2J", Count: 1, Bars: make([]uint64, report.CallBars)}}}
	for width, want := range map[int][]string{
		0: {"single calls ", "p99 ms", "GET /items/{id}                          61        5.123        9.870" +
			"       12.500  |                     @ .| 2 open or not counted\n", `GET /\x1b[2J `},
		80: {"GET /items/{id}                          61        5.123        9.870\n", `GET /\x1b[2J `},
	} {
		var b bytes.Buffer
		must.Do(t, text.WriteReport(&b, &r, text.Options{Width: width}))
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("width %d: got\n%s\nwant %q", width, &b, w)
			}
		}
	}
	var b bytes.Buffer
	must.Do(t, text.WriteJSON(&b, &report.Dump{Report: &r}))
	f := must.Get(asjson.Read(&b))(t)
	if c := f.Report.Calls; len(c) != 2 || c[0].Counted != 61 || c[0].Missing != 2 || c[0].Max != 12.5 ||
		c[0].P99 != 9.87 || !slices.Equal(c[0].Bars, r.Calls[0].Bars) {
		t.Errorf("JSON: got %+v; want the same numbers as %+v", c, r.Calls[0])
	}
}
