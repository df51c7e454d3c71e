package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slice has the numbers of a format for a stack in a frame, or for all frames of a lane and a zone.
type slice struct{ ns, calls int64 }

// sums has the self times and calls of each lane's zones.
type sums map[[2]string]slice

func (s sums) add(lane, zone string, ns, calls int64) {
	at := s[[2]string{lane, zone}]
	s[[2]string{lane, zone}] = slice{at.ns + ns, at.calls + calls}
}

// streams are the formats that write frame by frame, and how a test reads them again.
var streams = []struct {
	name string
	new  func(io.Writer) *export.Frames
	read func(*testing.T, []byte) sums
}{
	{"chrome", func(w io.Writer) *export.Frames { return export.NewChrome(w, "test") }, chromeSums},
	{"perfetto", func(w io.Writer) *export.Frames { return export.NewPerfetto(w, "test") }, perfettoSums},
	{"csv", export.NewCSV, csvSums},
	{"pprof by frame", func(w io.Writer) *export.Frames { return export.NewPprof(w, "test") }, pprofFrameSums},
}

// Of random programs each lane's zones have the same self time and calls in each format, to the nanosecond.
func TestStreamsHaveTheEnginesTimes(t *testing.T) {
	for _, format := range streams {
		t.Run(format.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(1000) {
				var b bytes.Buffer
				x, p, want := format.new(&b), world.NewRandom(seed), sums{}
				for range 2 {
					f := p.Frame()
					write(t, x, f)
					addFrame(want, f)
				}
				must.Do(t, x.Close())
				if got := format.read(t, b.Bytes()); !maps.Equal(got, want) {
					t.Fatalf("seed %d: got %v; want %v", seed, got, want)
				}
			}
		})
	}
}

func write(t *testing.T, x *export.Frames, f *gather.Frame) {
	t.Helper()
	must.Do(t, x.WriteFrame(f))
}

// addFrame adds what the engine has measured. Stacks with neither time nor calls are in no format.
func addFrame(s sums, f *gather.Frame) {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		for k, n := range l.Nodes {
			if n.Self > 0 || n.Count > 0 || k == 0 || hasBelow(l.Nodes, k) {
				ns := math.Round(float64(n.Self) * 1e9 / f.TicksPerSecond)
				s.add(l.Name, f.Zones[n.Zone].Name, int64(ns), int64(n.Count))
			}
		}
	}
}

func hasBelow(nodes []gather.Node, at int) bool {
	for i := at + 1; i < len(nodes); i++ {
		for up := i; up >= 0; up = int(nodes[up].Parent) {
			if up == at && nodes[i].Self > 0 {
				return true
			}
		}
	}
	return false
}

// chromeFile is the trace event format, as far as it is used.
type chromeFile struct {
	TraceEvents []struct {
		Ph, Name, Cat, Bp string
		Tid, ID           int
		Ts, Dur           json.Number
		Args              struct {
			Name  string
			Calls int64
			Value float64
			Ended string `json:"ended at"`
		}
	}
}

func readChrome(t *testing.T, b []byte) (f chromeFile) {
	t.Helper()
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatalf("%v in\n%.2000s", err, b)
	}
	return f
}

// nanos reads microseconds with three decimals.
func nanos(t *testing.T, n json.Number) int64 {
	v, err := strconv.ParseInt(strings.Replace(string(n), ".", "", 1), 10, 64)
	if whole, decimals, _ := strings.Cut(string(n), "."); err != nil || len(decimals) != 3 || v < 0 {
		t.Fatalf("%q (%q) is not a time with three decimals: %v", n, whole, err)
	}
	return v
}

// chromeSums reads a file. A slice's children are those before it that lie in it: it is written when it ends.
func chromeSums(t *testing.T, b []byte) sums {
	type done struct{ begin, end int64 }
	got, lanes, open := sums{}, map[int]string{}, map[int][]done{}
	for _, e := range readChrome(t, b).TraceEvents {
		switch {
		case e.Ph == "M" && e.Name == "thread_name":
			lanes[e.Tid] = e.Args.Name
		case e.Ph == "X" && e.Tid > 0:
			begin := nanos(t, e.Ts)
			end := begin + nanos(t, e.Dur)
			self, before := end-begin, open[e.Tid]
			for len(before) > 0 && before[len(before)-1].begin >= begin {
				last := before[len(before)-1]
				if last.end > end {
					t.Fatalf("slices %v and %v overlap", last, done{begin, end})
				}
				self -= last.end - last.begin
				before = before[:len(before)-1]
			}
			if len(before) > 0 && before[len(before)-1].end > begin {
				t.Fatalf("a slice at %d begins before the one before it ends", begin)
			}
			open[e.Tid] = append(before, done{begin, end})
			got.add(lanes[e.Tid], e.Name, self, e.Args.Calls)
		}
	}
	return got
}

func csvSums(t *testing.T, b []byte) sums {
	rows := must.Get(csv.NewReader(bytes.NewReader(b)).ReadAll())(t)
	got := sums{}
	for _, r := range rows[1:] {
		calls, _ := strconv.ParseInt(r[8], 10, 64)
		self, err := strconv.ParseInt(r[9], 10, 64)
		if err != nil || !strings.HasPrefix(r[3], "(root)") {
			t.Fatalf("%q: %v", r, err)
		}
		got.add(r[2], r[4], self, calls)
	}
	return got
}

// hand is a frame with counters, a recursion, a lane of two goroutines and hostile names. A tick is 10 ns.
func hand(index uint64) *gather.Frame {
	at := platform.Ticks(index * 1000)
	return &gather.Frame{
		Index: index, Label: "level \"1\"\n", Begin: at, End: at + 1000, TicksPerSecond: 1e8,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "</script>;\"\n\xff\x00"}, {Name: ""}, {Name: "=cmd()"}},
		Lanes: []gather.LaneFrame{
			{ID: 1, Name: "main\xff\"", Begin: at, End: at + 1000, Nodes: []gather.Node{{Parent: -1, Self: 500},
				{ID: 1, Zone: 1, Self: 300, Count: 2}, {ID: 2, Zone: 2, Parent: 1, Self: 150, Count: 7},
				{ID: 3, Zone: 3, Self: 50, Count: 1}, {ID: 4, Zone: 2, Self: 0, Count: 0}}},
			{ID: 0, Name: "+two", Begin: at, End: at + 2000, Nodes: []gather.Node{{Parent: -1, Self: 2000}}},
		},
		Counters: []gather.CounterInfo{{Name: "<sprites>"}, {Name: "level", Level: true}, {Name: "nan", Level: true}},
		Values:   []gather.CounterValue{{Value: 3}, {Counter: 1, Value: 0.5}, {Counter: 2, Value: math.NaN()}},
		Marks:    []gather.MarkInfo{{Time: at + 70, Lane: 1, Text: "</script>\xff"}, {Time: at + 80}},
	}
}

// handStates is a frame of hand with states: lane 0 of two goroutines waits for main, and the collector marks.
func handStates() *gather.Frame {
	f := hand(0)
	f.Lanes[1].ID = 2
	f.States = []gather.LaneState{{Kind: gather.StateMarking, Begin: 100, End: 300},
		{Lane: 2, Kind: gather.StateWaiting, Begin: 200, End: 400, Reason: "mutex", Waker: 1, At: "world.go:88"}}
	return f
}

// The files can be read, and their sums are the engine's.
func TestStreamsHoldHostileNames(t *testing.T) {
	for _, format := range streams {
		t.Run(format.name, func(t *testing.T) {
			var b bytes.Buffer
			x := format.new(&b)
			for i := range uint64(3) {
				write(t, x, hand(i))
			}
			must.Do(t, x.Close())
			var got slice
			for _, s := range format.read(t, b.Bytes()) {
				got = slice{got.ns + s.ns, got.calls + s.calls}
			}
			if want := (slice{3 * 30_000, 3 * 10}); got != want {
				t.Errorf("got %v; want %v in\n%s", got, want, &b)
			}
			binary := format.name == "perfetto" || format.name == "pprof by frame"
			if bytes.Contains(b.Bytes(), []byte("\xff")) && !binary {
				t.Errorf("bytes that are not UTF-8 in\n%s", &b)
			}
		})
	}
}

func TestStreamsHaveTheGPU(t *testing.T) {
	for _, format := range streams {
		t.Run(format.name, func(t *testing.T) {
			var b bytes.Buffer
			x, f, want := format.new(&b), frame(), sums{}
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 2, Name: "GPU", Device: true, Begin: 2e6, End: 6e6,
				Nodes: []gather.Node{{Parent: -1, Self: 1e6}, {ID: 1, Zone: 1, Self: 3e6, Count: 2}}})
			write(t, x, f)
			addFrame(want, f)
			must.Do(t, x.Close())
			got := format.read(t, b.Bytes())
			if !maps.Equal(got, want) || got[[2]string{"GPU", "physics"}] != (slice{3e6, 2}) {
				t.Errorf("got %v; want %v", got, want)
			}
		})
	}
}

func TestStreamsReturnTheWritersError(t *testing.T) {
	for _, format := range streams {
		t.Run(format.name, func(t *testing.T) {
			x := format.new(full{})
			var err error
			for i := range uint64(2000) {
				if e := x.WriteFrame(hand(i)); e != nil {
					err = e
				}
			}
			if err == nil || x.Close() == nil {
				t.Error("no error of a writer that is full")
			}
		})
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// scopes is an EventSource with the events of lane 1 of frames made by hand.
type scopes struct{ begun platform.Ticks }

func (s scopes) EventsSince(lane gather.LaneID) (platform.Ticks, bool) { return s.begun, lane == 1 }

func (s scopes) AppendEvents(dst []gather.Event, _ gather.LaneID, begin, _ platform.Ticks) []gather.Event {
	event := func(at platform.Ticks, zone gather.ZoneID, node gather.NodeID, level int32, end bool) gather.Event {
		return gather.Event{Time: begin + at, Zone: zone, Node: node, Level: level, End: end}
	}
	return append(dst, event(100, 2, 2, 1, true), event(200, 2, 2, 1, false), event(250, 2, 2, 1, true),
		event(500, 1, 1, 0, true), event(900, 3, 3, 0, false))
}

// With events a slice is one call at its own time; what was open before begins with the frame.
func TestEventsGivePlaces(t *testing.T) {
	var b bytes.Buffer
	x := export.NewChrome(&b, "")
	must.Do(t, x.WriteJudged(hand(0), &process.Judged{Events: scopes{}}))
	must.Do(t, x.Close())
	var got []string
	for _, e := range readChrome(t, b.Bytes()).TraceEvents {
		if e.Ph == "X" && e.Tid == 2 {
			got = append(got, e.Name[:2]+" "+string(e.Ts)+" "+string(e.Dur))
		}
	}
	want := "zo 0.000 1.000,zo 2.000 0.500,</ 0.000 5.000,=c 9.000 1.000,(r 0.000 10.000"
	if strings.Join(got, ",") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ","), want)
	}
	b.Reset()
	x = export.NewChrome(&b, "")
	must.Do(t, x.WriteJudged(hand(0), &process.Judged{Events: scopes{begun: 1}})) // an event was overwritten
	err := x.Close()
	if err != nil || chromeSums(t, b.Bytes())[[2]string{"main\ufffd\"", "zone 2"}] != (slice{1500, 7}) {
		t.Errorf("%v; want the tree in\n%s", err, &b)
	}
}

// At their times, with their texts, whatever these are.
func TestMarksAreInstants(t *testing.T) {
	var b bytes.Buffer
	x := export.NewChrome(&b, "")
	write(t, x, hand(0))
	must.Do(t, x.Close())
	var got []string
	for _, e := range readChrome(t, b.Bytes()).TraceEvents {
		if e.Ph == "i" {
			got = append(got, string(e.Ts)+" "+e.Name)
		}
	}
	if want := "0.700 </script>\ufffd,0.800 mark"; strings.Join(got, ",") != want {
		t.Errorf("got %q; want %q", got, want)
	}
	b.Reset()
	x = export.NewPerfetto(&b, "")
	write(t, x, hand(0))
	must.Do(t, x.Close())
	if marks := readPerfetto(t, b.Bytes()).marks; strings.Join(marks, ",") != `700 </script>\xff,800 mark` {
		t.Errorf("got %q in Perfetto's format", marks)
	}
}

// runs are how long programs have run before most of their frames, in seconds.
var runs = map[string]int64{"a day": 86_400, "a month": 30 * 86_400, "ten years": 3653 * 86_400}

// clocks are the ticks a second of some clocks, and by how much their measured rate differs from frame to frame.
var clocks = []struct{ rate, noise float64 }{{1e9, 0}, {1e9, 1e-6}, {2_893_201_117, 0}, {2_893_201_117, 1e-6}}

// days writes a frame, and five more after a pause.
func days(t *testing.T, x *export.Frames, pause int64, rate, noise float64) (frames []gather.Frame, want sums) {
	p, want := world.NewRandom(1), sums{}
	for i := range 6 {
		f := p.Frame()
		f.TicksPerSecond = rate * (1 + noise*float64(i%3))
		if i > 0 {
			moved(f, platform.Ticks(pause*int64(rate)))
		}
		write(t, x, f)
		addFrame(want, f)
		frames = append(frames, *f)
	}
	must.Do(t, x.Close())
	return frames, want
}

// moved moves a frame's times.
func moved(f *gather.Frame, by platform.Ticks) {
	f.Begin, f.End = f.Begin+by, f.End+by
	for i := range f.Lanes {
		f.Lanes[i].Begin, f.Lanes[i].End = f.Lanes[i].Begin+by, f.Lanes[i].End+by
	}
}

// everyRun runs a test with each length and each clock.
func everyRun(t *testing.T, test func(t *testing.T, pause int64, rate, noise float64)) {
	for name, pause := range runs {
		for _, c := range clocks {
			t.Run(fmt.Sprintf("%s/%.0f/%g", name, c.rate, c.noise), func(t *testing.T) {
				test(t, pause, c.rate, c.noise)
			})
		}
	}
}

// However long a program has run, slices have the engine's times, to the nanoseconds that the edges of six frames are
// rounded to.
func TestStreamsOfDays(t *testing.T) {
	for _, format := range streams {
		t.Run(format.name, func(t *testing.T) {
			everyRun(t, func(t *testing.T, pause int64, rate, noise float64) {
				var b bytes.Buffer
				_, want := days(t, format.new(&b), pause, rate, noise)
				got := format.read(t, b.Bytes())
				for at, w := range want {
					if g := got[at]; g.calls != w.calls || math.Abs(float64(g.ns-w.ns)) > 30 {
						t.Errorf("%q: got %v; want %v", at, g, w)
					}
				}
			})
		})
	}
}

// The pause has the rate of the frame before it, and 53 bits.
func TestFramesOfDays(t *testing.T) {
	everyRun(t, func(t *testing.T, pause int64, rate, noise float64) {
		var b bytes.Buffer
		frames, _ := days(t, export.NewChrome(&b, "test"), pause, rate, noise)
		at, i, most := new(big.Float).SetPrec(200), 0, 1+pause*1e9>>53
		for _, e := range readChrome(t, b.Bytes()).TraceEvents {
			if e.Ph != "X" || e.Tid != 0 {
				continue
			}
			f := &frames[i]
			if i == 1 {
				at.Add(at, nanosOf(f.Begin-frames[0].End, &frames[0]))
			}
			begin, _ := at.Int64()
			at.Add(at, nanosOf(f.End-f.Begin, f))
			end, _ := at.Int64()
			got := nanos(t, e.Ts)
			until := nanos(t, e.Ts) + nanos(t, e.Dur)
			if distance(got, begin) > most ||
				distance(until, end) > most {
				t.Errorf("frame %d: got %d to %d; want %d to %d", i, got, until, begin, end)
			}
			i++
		}
		if i != len(frames) {
			t.Errorf("got %d frames; want %d", i, len(frames))
		}
	})
}

// nanosOf returns the exact length of ticks.
func nanosOf(ticks platform.Ticks, f *gather.Frame) *big.Float {
	exact := new(big.Float).SetPrec(200).SetInt64(int64(ticks))
	return exact.Mul(exact, big.NewFloat(1e9)).Quo(exact, big.NewFloat(f.TicksPerSecond))
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// byStack sums the nodes of all lanes by stack.
func byStack(d *report.Dump) map[string]slice {
	sums := map[string]slice{}
	for _, l := range d.Lanes {
		for i := range l.Nodes {
			key := ""
			for at := i; at >= 0; at = int(l.Nodes[at].Parent) {
				key += string(rune('a' + l.Nodes[at].Zone))
			}
			n := &l.Nodes[i]
			sums[key] = slice{sums[key].ns + int64(math.Round(n.Self*1e6)), sums[key].calls + int64(n.Count)}
		}
	}
	return sums
}

// later returns a dump some time after another: nodes have grown, there are new ones, and the second lane has ended.
// The first lane has got what it had.
func later(d *report.Dump, r *rand.Rand) (*report.Dump, map[string]slice) {
	after, more := *d, random(r.Uint64())
	after.RunTime += time.Second
	after.Lanes = nil
	for _, l := range d.Lanes {
		l.Nodes = append([]report.TreeNode(nil), l.Nodes...)
		after.Lanes = append(after.Lanes, l)
	}
	first := &after.Lanes[0]
	take := func(l *report.LaneTree) {
		base := int32(len(first.Nodes))
		for _, n := range l.Nodes {
			if n.Parent >= 0 {
				n.Parent += base
			}
			first.Nodes = append(first.Nodes, n)
		}
	}
	if len(after.Lanes) > 1 {
		take(&after.Lanes[1])
		after.Lanes = append(after.Lanes[:1], after.Lanes[2:]...)
	}
	more.Lanes = more.Lanes[:1]
	take(&more.Lanes[0])
	return &after, byStack(more)
}

// The difference of two dumps has what was added between them, to the nanosecond and the call, and no negative time. It
// holds also if a lane has ended and another has its time.
func TestDeltasAreExact(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		before := random(seed)
		after, want := later(before, r)
		d := export.Delta(before, after)
		got := byStack(d)
		for _, m := range []map[string]slice{got, want} {
			maps.DeleteFunc(m, func(_ string, s slice) bool { return s == slice{} })
		}
		if !maps.Equal(got, want) || d.RunTime != time.Second {
			t.Fatalf("seed %d: %v: got %v; want %v", seed, d.RunTime, got, want)
		}
		for _, l := range d.Lanes {
			for _, n := range l.Nodes {
				if n.Self < 0 || n.Count < 0 {
					t.Fatalf("seed %d: %+v is negative", seed, n)
				}
			}
		}
		if reset := export.Delta(after, before); !maps.Equal(byStack(reset), byStack(before)) {
			t.Fatalf("seed %d: after a Reset the result is not the second dump", seed)
		}
	}
}
