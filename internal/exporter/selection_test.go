package exporter_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// frames are those of a random program of 60 frames, and a session that has judged them.
func frames(seed uint64) (list []*gather.Frame, judged *process.Session) {
	p := world.NewRandom(seed)
	judged = process.NewSession()
	judged.SetHistoryLimits(process.HistoryLimits{Frames: 100})
	for range 60 {
		f := *p.Frame() // which uses its memory again
		f.Lanes = slices.Clone(f.Lanes)
		for i := range f.Lanes {
			f.Lanes[i].Nodes = slices.Clone(f.Lanes[i].Nodes)
		}
		list = append(list, &f)
		if err := judged.WriteFrame(&f); err != nil {
			panic(err)
		}
	}
	busy := judged.AppendFrames(nil, 60)
	slices.SortFunc(busy, func(a, b report.FrameSummary) int { return cmp.Compare(a.Busy, b.Busy) })
	judged.SetFrameBudget(time.Duration(busy[40].Busy * 1e6 / 1.02)) // some 20 frames are over it
	return list, judged
}

// written is a capture of some frames.
func written(t *testing.T, list []*gather.Frame, judged *process.Session) []byte {
	t.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, framefile.Info{Program: "test"})
	for _, f := range list {
		must.Do(t, w.WriteJudged(f, &process.Judged{Budget: judged.FrameBudget()}))
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// selections are the ways to choose, each with the numbers of the frames that a session says it chooses.
var selections = []struct {
	name string
	pick exporter.Selection
	want func([]report.FrameSummary) []report.FrameSummary
}{
	{"all", exporter.Selection{}, func(all []report.FrameSummary) []report.FrameSummary { return all }},
	{"one frame", exporter.Selection{Lens: inRange(17, 17)}, between(17, 17)},
	{"range", exporter.Selection{Lens: inRange(20, 39)}, between(20, 39)},
	{"over budget", exporter.Selection{Lens: report.Lens{Kind: report.LensOver}}, over(true)},
	{"within budget", exporter.Selection{Lens: report.Lens{Kind: report.LensWithin}}, over(false)},
	{"slowest", exporter.Selection{Lens: report.Lens{Kind: report.LensSlowest, Slowest: 7}}, slowest(7)},
	{"slowest of a range", exporter.Selection{Lens: report.Lens{Kind: report.LensSlowest, Slowest: 3,
		Ranged: true, From: 20, To: 39}},
		func(all []report.FrameSummary) []report.FrameSummary { return slowest(3)(between(20, 39)(all)) }},
	{"lanes", exporter.Selection{Lane: "1"}, func(all []report.FrameSummary) []report.FrameSummary { return all }},
	{"a lane of one frame", exporter.Selection{Only: 2, Lens: inRange(17, 17)}, between(17, 17)},
}

// inRange is the lens of a range of frames.
func inRange(from, to uint64) report.Lens {
	return report.Lens{Kind: report.LensRange, From: from, To: to}
}

type chooser = func([]report.FrameSummary) []report.FrameSummary

func between(first, last uint64) chooser {
	return func(all []report.FrameSummary) []report.FrameSummary {
		return slices.DeleteFunc(slices.Clone(all), func(f report.FrameSummary) bool {
			return f.Index < first || f.Index > last
		})
	}
}

func over(want bool) chooser {
	return func(all []report.FrameSummary) []report.FrameSummary {
		return slices.DeleteFunc(slices.Clone(all), func(f report.FrameSummary) bool { return f.Over != want })
	}
}

func slowest(n int) chooser {
	return func(all []report.FrameSummary) []report.FrameSummary {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b report.FrameSummary) int {
			return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Index, a.Index))
		})
		return all[:min(n, len(all))]
	}
}

// of keeps the frames with these numbers and the chosen lanes.
func of(list []*gather.Frame, chosen []report.FrameSummary, pick *exporter.Selection) (kept []*gather.Frame) {
	for _, f := range list {
		if !slices.ContainsFunc(chosen, func(c report.FrameSummary) bool { return c.Index == f.Index }) {
			continue
		}
		g := *f
		g.Lanes = slices.DeleteFunc(slices.Clone(f.Lanes), func(l gather.LaneFrame) bool {
			return !strings.Contains(l.Name, pick.Lane) || pick.Only != 0 && l.ID != pick.Only
		})
		kept = append(kept, &g)
	}
	return kept
}

// Each format of a selection equals that of a capture with only these frames and lanes. Where its sums can be read
// simply, they are those of the frames, to the nanosecond and the call.
func TestSelections(t *testing.T) {
	for seed := range longtest.Pick(20, 2) {
		list, judged := frames(uint64(seed))
		file := written(t, list, judged)
		summaries := judged.AppendFrames(nil, 100)
		for _, s := range selections {
			want := of(list, s.want(summaries), &s.pick)
			for _, format := range exporter.Formats {
				if format.Name == exporter.Trace || len(want) == 0 {
					continue
				}
				name := fmt.Sprintf("seed %d, %s of %s", seed, format.Name, s.name)
				var got, all bytes.Buffer
				pick := s.pick
				pick.ByFrame = seed%2 == 0
				in := io.Reader(bytes.NewReader(file))
				if seed%2 == 1 {
					in = io.MultiReader(in) // as from a network: it cannot be read twice
				}
				if err := format.Write(&got, in, &pick); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if pick.Frames != uint64(len(want)) {
					t.Fatalf("%s: got %d frames; want %d", name, pick.Frames, len(want))
				}
				few := bytes.NewReader(written(t, want, judged))
				if err := format.Write(&all, few, &exporter.Selection{ByFrame: pick.ByFrame}); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if format.Name != "pprof" && !bytes.Equal(got.Bytes(), all.Bytes()) {
					t.Fatalf("%s: got\n%.3000s\nwant\n%.3000s", name, &got, &all)
				}
				checkSums(t, name, format.Name, got.Bytes(), want)
				if format.Name == "pprof" {
					p := must.Get(profile.ParseData(got.Bytes()))(t)
					if by := len(p.Sample[0].NumLabel["frame"]) > 0; by != pick.ByFrame {
						t.Fatalf("%s: its samples are of single frames: %t; want %t", name, by, pick.ByFrame)
					}
				}
			}
		}
	}
}

// checkSums compares the sums of a file with those of the frames.
func checkSums(t *testing.T, name, format string, file []byte, list []*gather.Frame) {
	t.Helper()
	var ns, calls, gotNS, gotCalls int64
	for _, f := range list {
		for _, l := range f.Lanes {
			for _, n := range l.Nodes {
				ns, calls = ns+int64(n.Self), calls+int64(n.Count)
			}
		}
	}
	switch format {
	case "pprof":
		p, err := profile.ParseData(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, s := range p.Sample {
			gotCalls, gotNS = gotCalls+s.Value[0], gotNS+s.Value[1]
		}
	case "folded", "csv", "openmetrics":
		gotNS, gotCalls = textSums(format, string(file), calls)
	default:
		return
	}
	if gotNS != ns || gotCalls != calls {
		t.Fatalf("%s: got %d ns, %d calls; want %d, %d", name, gotNS, gotCalls, ns, calls)
	}
}

// textSums reads a format of lines. Folded stacks have no calls.
func textSums(format, text string, calls int64) (ns, entries int64) {
	if format == "folded" {
		entries = calls
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		last := func(sep string) string { return line[strings.LastIndex(line, sep)+1:] }
		v, _ := strconv.ParseFloat(last(" "), 64)
		switch {
		case format == "folded":
			ns += int64(v)
		case format == "csv":
			cells := strings.Split(line, ",")
			self, _ := strconv.ParseInt(cells[len(cells)-2], 10, 64)
			n, _ := strconv.ParseInt(cells[len(cells)-3], 10, 64)
			ns, entries = ns+self, entries+n
		case strings.HasPrefix(line, "iprof_zone_self_seconds_total{"):
			ns += int64(math.Round(v * 1e9))
		case strings.HasPrefix(line, "iprof_zone_calls_total{"):
			entries += int64(v)
		}
	}
	return ns, entries
}

// An error, not an empty file.
func TestNothingChosen(t *testing.T) {
	list, judged := frames(1)
	file := written(t, list, judged)
	for _, format := range exporter.Formats {
		for _, pick := range []exporter.Selection{{Lens: inRange(1000, 2000)},
			{Lens: report.Lens{Kind: report.LensSlowest, Ranged: true, From: 1000, To: 2000}}} {
			if err := format.Write(io.Discard, bytes.NewReader(file), &pick); err == nil {
				t.Errorf("%s of %+v: got no error", format.Name, pick)
			} else if errors.Is(err, io.EOF) {
				t.Errorf("%s of %+v: got %v", format.Name, pick, err)
			}
		}
	}
}

// stretch is a state of a lane in a file, in nanoseconds since the first frame that the file has.
type stretch struct {
	lane, begin, end int64
}

// A file of chosen frames has the states at the times of these, also those that came with frames that are not chosen,
// as those of an execution trace do, and no others.
func TestSelectionsHaveTheirStates(t *testing.T) {
	chrome := slices.IndexFunc(exporter.Formats, func(f exporter.Format) bool { return f.Name == "chrome" })
	for seed := range uint64(30) {
		list, judged, all := framesWithStates(seed)
		file := written(t, list, judged)
		for _, s := range selections {
			want := of(list, s.want(judged.AppendFrames(nil, 100)), &s.pick)
			if len(want) == 0 {
				continue
			}
			var b bytes.Buffer
			pick := s.pick
			must.Do(t, exporter.Formats[chrome].Write(&b, bytes.NewReader(file), &pick))
			got := statesIn(t, b.Bytes())
			if has := statesAt(all, want); !slices.Equal(got, has) {
				t.Fatalf("seed %d, %s of %d frames: got\n%v\nwant\n%v", seed, s.name, len(want), got, has)
			}
			if pick.Overlaps > 0 {
				t.Fatalf("seed %d, %s: got %d overlaps; want 0", seed, s.name, pick.Overlaps)
			}
		}
	}
}

// framesWithStates are frames of two lanes, with gaps between them, whose states come with any later frame. They are on
// a clock of nanoseconds.
func framesWithStates(seed uint64) (list []*gather.Frame, judged *process.Session, all []gather.LaneState) {
	r, at := rand.New(rand.NewPCG(seed, 5)), platform.Ticks(1000)
	judged = process.NewSession()
	judged.SetFrameBudget(500) // ns: some frames are over it
	var late []gather.LaneState
	ends := [3]platform.Ticks{}
	for i := range uint64(60) {
		f := &gather.Frame{Index: i, Begin: at, End: at + platform.Ticks(1+r.IntN(1000)), TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}}
		for id := gather.LaneID(1); id < 3; id++ {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: id, Name: fmt.Sprint("lane ", id), Updater: id == 1,
				Begin: f.Begin, End: f.End, Nodes: []gather.Node{{Parent: -1, Self: f.End - f.Begin}}})
			for ends[id] < f.End {
				q := gather.LaneState{Lane: id, Kind: gather.StateSyscall}
				q.Begin = ends[id] + platform.Ticks(r.IntN(300))
				q.End = q.Begin + 1 + platform.Ticks(r.IntN(600))
				ends[id] = q.End
				all, late = append(all, q), append(late, q)
			}
		}
		at = f.End + platform.Ticks(r.IntN(2)*r.IntN(400))
		late = slices.DeleteFunc(late, func(q gather.LaneState) bool {
			now := i == 59 || q.End <= f.End && r.IntN(3) == 0
			if now {
				f.States = append(f.States, q)
			}
			return now
		})
		list = append(list, f)
		if err := judged.WriteFrame(f); err != nil {
			panic(err)
		}
	}
	return list, judged, all
}

// statesAt are the states of lanes that frames have, at the times of these frames.
func statesAt(all []gather.LaneState, list []*gather.Frame) (at []stretch) {
	zero := list[0].Begin
	for _, q := range all {
		if slices.ContainsFunc(list, func(f *gather.Frame) bool {
			return q.Begin < f.End && q.End > f.Begin &&
				slices.ContainsFunc(f.Lanes, func(l gather.LaneFrame) bool { return l.ID == q.Lane })
		}) {
			at = append(at, stretch{int64(q.Lane), max(int64(q.Begin-zero), 0), int64(q.End - zero)})
		}
	}
	slices.SortFunc(at, compareStretches)
	return at
}

func compareStretches(a, b stretch) int {
	return strings.Compare(fmt.Sprintf("%d %9d", a.lane, a.begin), fmt.Sprintf("%d %9d", b.lane, b.begin))
}

// statesIn reads the states of a file for Chrome.
func statesIn(t *testing.T, file []byte) (list []stretch) {
	t.Helper()
	var read struct {
		TraceEvents []struct {
			Cat     string
			Tid     int64
			Ts, Dur json.Number
		}
	}
	must.Do(t, json.Unmarshal(file, &read))
	nanos := func(n json.Number) int64 {
		ns := must.Get(strconv.ParseInt(strings.Replace(string(n), ".", "", 1), 10, 64))(t)
		return ns
	}
	for _, e := range read.TraceEvents {
		if e.Cat == "state" {
			list = append(list, stretch{e.Tid & 3, nanos(e.Ts), nanos(e.Ts) + nanos(e.Dur)})
		}
	}
	slices.SortFunc(list, compareStretches)
	return list
}

// calls is an event source: a call of zone 1 each two ticks.
type calls struct{}

func (calls) EventsSince(gather.LaneID) (platform.Ticks, bool) { return 0, true }

func (calls) AppendEvents(dst []gather.Event, _ gather.LaneID, begin, end platform.Ticks) []gather.Event {
	for at := begin; at < end; at++ {
		dst = append(dst, gather.Event{Time: at, Zone: 1, Node: 1, Level: 0, End: (at-begin)%2 == 1})
	}
	return dst
}

// long writes a capture of so many scopes, 10,000 in each frame, with their events and with states. Each frame has a
// goroutine that none had before.
func long(w io.Writer, scopes int) error {
	out := framefile.NewWriter(w, framefile.Info{Program: "long"})
	const length = 20_000
	for i := range scopes * 2 / length {
		at := platform.Ticks(i * length)
		f := gather.Frame{Index: uint64(i), Begin: at, End: at + length, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}}}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: at, End: at + length,
			Nodes: []gather.Node{{Parent: -1, Self: length / 2},
				{ID: 1, Zone: 1, Self: length / 2, Count: length / 2}}},
			{ID: gather.LaneID(i + 2), Name: fmt.Sprint("goroutine ", i), Begin: at, End: at + length,
				Nodes: []gather.Node{{Parent: -1, Self: length}}}}
		for k := range platform.Ticks(20) {
			f.States = append(f.States, gather.LaneState{Lane: 1, Kind: gather.StateSyscall, Place: "main.go:1",
				Begin: at + 1000*k, End: at + 1000*k + 500})
		}
		if err := out.WriteJudged(&f, &process.Judged{Events: calls{}}); err != nil {
			return err
		}
	}
	return out.Close()
}

// peak is a reader that notes the greatest heap, about every megabyte.
type peak struct {
	io.Reader
	heap uint64
	read int
}

func (p *peak) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if p.read += n; p.read > 1<<20 {
		p.read = 0
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		p.heap = max(p.heap, now.HeapAlloc)
	}
	return n, err
}

// Of 10 million scopes no format holds more than of a tenth.
func TestExportsAreStreams(t *testing.T) {
	scopes := longtest.Pick(10_000_000, 1_000_000)
	for _, format := range exporter.Formats {
		if format.Name == exporter.Trace {
			continue
		}
		t.Run(format.Name, func(t *testing.T) {
			heap := func(scopes int) int {
				from, to := io.Pipe()
				go func() { to.CloseWithError(long(to, scopes)) }()
				p := peak{Reader: from}
				must.Do(t, format.Write(io.Discard, &p, &exporter.Selection{ByFrame: true}))
				return int(p.heap)
			}
			const most = 16 << 20
			few, many := heap(scopes/10), heap(scopes)
			if t.Logf("%d MB, %d MB", few>>20, many>>20); many-few > most {
				t.Errorf("the heap has %d bytes more; want %d at most", many-few, most)
			}
		})
	}
}

// waited writes a recording of two frames of 1 s, in which work is entered for 600 ms and vsync for 100. Samples found
// that work waited for three quarters of that.
func waited(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "out.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "waiter"})
	for i := range platform.Ticks(2) {
		f := gather.Frame{Index: uint64(i), Begin: 1000 * i, End: 1000 * (i + 1), TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}, {Name: "vsync", Idle: true}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 1000 * i, End: 1000 * (i + 1),
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 300}, {ID: 2, Zone: 1, Self: 600, Count: 3},
					{ID: 3, Zone: 2, Self: 100, Count: 1}}}}}
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	must.Do(t, framefile.AddHot(path, &report.HotZones{Waited: map[report.ZoneID]float64{1: 0.75}}))
	return path
}

// In a profile, what samples found waiting can be left out. It is of the whole run, so a part of the frames does not
// have it. Calls and times in all are the same.
func TestWaitedTimeHasALabel(t *testing.T) {
	path := waited(t)
	for name, c := range map[string]struct {
		pick exporter.Selection
		want map[string]int64 // milliseconds
	}{
		"all":       {exporter.Selection{}, map[string]int64{"work": 300, "work waited": 900, "vsync": 200}},
		"one frame": {exporter.Selection{Lens: inRange(0, 0)}, map[string]int64{"work": 600, "vsync": 100}},
	} {
		t.Run(name, func(t *testing.T) {
			got, calls := map[string]int64{}, int64(0)
			for _, s := range profiled(t, path, &c.pick).Sample {
				key := s.Location[0].Line[0].Function.Name
				if len(s.Label["waited"]) > 0 {
					key += " waited"
				}
				calls += s.Value[0]
				got[key] += s.Value[1] / 1e6
			}
			delete(got, "(root)")
			for key, ms := range c.want {
				if got[key] != ms || len(got) != len(c.want) || calls != 4*int64(c.pick.Frames) {
					t.Errorf("got %v, %d calls; want %v, %d", got, calls, c.want, 4*c.pick.Frames)
				}
			}
		})
	}
}

// Below the zone that waited, so that its width stays what it is.
func TestWaitedTimeIsInTheFoldedStacks(t *testing.T) {
	path := waited(t)
	for name, c := range map[string]struct {
		pick exporter.Selection
		want []string
	}{
		"all": {exporter.Selection{}, []string{"main;(root);work 300000000", "main;(root);work;[waited] 900000000",
			"main;(root);vsync [idle] 200000000"}},
		"one frame": {exporter.Selection{Lens: inRange(0, 0)}, []string{"main;(root);work 600000000",
			"main;(root);vsync [idle] 100000000"}},
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(strings.TrimSpace(exported(t, "folded", path, &c.pick)), "\n")
			if got := lines[1:]; !slices.Equal(got, c.want) { // the first is of (root)
				t.Errorf("got %q; want %q", got, c.want)
			}
		})
	}
}

// The same as a label, with the mark of what waits by choice. A part of the frames has none.
func TestWaitedTimeIsInTheMetrics(t *testing.T) {
	path := waited(t)
	for name, c := range map[string]struct {
		pick exporter.Selection
		want map[string]string // seconds by zone and labels
	}{
		"all": {exporter.Selection{}, map[string]string{`work idle="false",waited="false"`: "0.3",
			`work idle="false",waited="true"`: "0.9", `vsync idle="true",waited="false"`: "0.2"}},
		"one frame": {exporter.Selection{Lens: inRange(0, 0)}, map[string]string{
			`work idle="false",waited="false"`: "0.6",
			`vsync idle="true",waited="false"`: "0.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := exported(t, "openmetrics", path, &c.pick)
			for key, seconds := range c.want {
				zone, labels, _ := strings.Cut(key, " ")
				want := fmt.Sprintf("self_seconds_total{zone=%q,function=\"\",%s} %s\n", zone, labels, seconds)
				if !strings.Contains(out, want) {
					t.Errorf("no %s in\n%s", want, out)
				}
			}
			if n := strings.Count(out, "iprof_zone_self_seconds_total{"); n != len(c.want)+1 {
				t.Errorf("%d series; want %d and that of (root)", n, len(c.want))
			}
		})
	}
}

// exported returns what a format makes of a recording.
func exported(t *testing.T, format, path string, pick *exporter.Selection) string {
	t.Helper()
	in := must.Get(os.Open(path))(t)
	defer in.Close()
	at := slices.IndexFunc(exporter.Formats, func(f exporter.Format) bool { return f.Name == format })
	var out strings.Builder
	must.Do(t, exporter.Formats[at].Write(&out, in, pick))
	return out.String()
}

func profiled(t *testing.T, path string, pick *exporter.Selection) *profile.Profile {
	t.Helper()
	in := must.Get(os.Open(path))(t)
	defer in.Close()
	var out bytes.Buffer
	must.Do(t, exporter.Formats[0].Write(&out, in, pick))
	p := must.Get(profile.Parse(&out))(t)
	return p
}
