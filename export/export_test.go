package export_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// hostile are names that formats trip over.
var hostile = []string{"a;b", "new\nline", "<b>&\"x\"</b>", "", "\xff\xfe", "plain", "日本", "a b 12"}

// random returns a dump of random trees; no time is negative.
func random(seed uint64) *report.Dump {
	r := rand.New(rand.NewPCG(seed, 2))
	d := &report.Dump{Program: "test", Time: time.Unix(1e9, 0), RunTime: time.Second}
	for i := range 20 {
		d.Zones = append(d.Zones, gather.ZoneInfo{Name: hostile[i%len(hostile)] + strings.Repeat("x", i/len(hostile)),
			File: "/a/b.go", Line: i})
	}
	for i := range 1 + r.IntN(4) {
		l := report.LaneTree{ID: report.LaneID(i + 1), Name: "lane " + hostile[r.IntN(len(hostile))]}
		for j := range 1 + r.IntN(60) {
			n := report.TreeNode{Parent: -1, Zone: report.ZoneID(r.IntN(20)), Self: float64(r.IntN(1e9)) / 1e6,
				Count: float64(r.IntN(5))}
			if j > 0 {
				n.Parent = int32(r.IntN(j))
			}
			l.Nodes = append(l.Nodes, n)
		}
		d.Lanes = append(d.Lanes, l)
	}
	return d
}

// total is the sum of all self times in nanoseconds, and of all calls.
func total(d *report.Dump) (ns, calls int64) {
	for _, l := range d.Lanes {
		for _, n := range l.Nodes {
			ns, calls = ns+int64(math.Round(n.Self*1e6)), calls+int64(n.Count)
		}
	}
	return ns, calls
}

// Each format's times sum to the dump's, to the nanosecond.
func TestTotalsAreTheEngines(t *testing.T) {
	for _, format := range []struct {
		name string
		sum  func(*testing.T, *report.Dump) int64
	}{{"folded", foldedSum}, {"pprof", pprofSum}} {
		t.Run(format.name, func(t *testing.T) {
			for seed := range longtest.Pick(1000, 20) {
				d := random(uint64(seed))
				if want, _ := total(d); format.sum(t, d) != want {
					t.Fatalf("seed %d: got %d ns; want %d", seed, format.sum(t, d), want)
				}
			}
		})
	}
}

func foldedSum(t *testing.T, d *report.Dump) (sum int64) {
	var b bytes.Buffer
	must.Do(t, export.Folded(&b, d))
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		ns, err := strconv.ParseInt(line[strings.LastIndexByte(line, ' ')+1:], 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		sum += ns
	}
	return sum
}

func pprofSum(t *testing.T, d *report.Dump) (sum int64) {
	var b bytes.Buffer
	must.Do(t, export.Pprof(&b, d))
	p := must.Get(profile.Parse(&b))(t)
	calls := int64(0)
	for _, s := range p.Sample {
		calls, sum = calls+s.Value[0], sum+s.Value[1]
	}
	if _, want := total(d); calls != want {
		t.Fatalf("%d calls; want %d", calls, want)
	}
	return sum
}

// The real consumer prints the zones and their times.
func TestGoToolPprofOpensIt(t *testing.T) {
	d := &report.Dump{
		Program: "test", Zones: []gather.ZoneInfo{{Name: "(root)"},
			{Name: "physics <b>", Function: "main.physics", File: "physics.go", Line: 7}},
		Lanes: []report.LaneTree{{ID: 1, Name: "main", Nodes: []report.TreeNode{
			{Parent: -1, Self: 25}, {Zone: 1, Parent: 0, Self: 75, Count: 300},
		}}},
	}
	file := filepath.Join(t.TempDir(), "profile")
	var b bytes.Buffer
	must.Do(t, export.Pprof(&b, d))
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	for _, test := range []struct{ index, want string }{{"wall", "75ms"}, {"calls", "300"}} {
		t.Run(test.index, func(t *testing.T) {
			cmd := exec.Command("go", "tool", "pprof", "-top", "-sample_index="+test.index, file)
			cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), test.want) ||
				!strings.Contains(string(out), "physics ‹b›") {
				t.Errorf("%v\n%s\nwant physics with %s", err, out, test.want)
			}
		})
	}
}

// The same row, whichever function entered the zone first.
func TestPprofComparesPublicZones(t *testing.T) {
	files := []string{}
	for i, zone := range []gather.ZoneInfo{{Name: "query", Function: "db.a", File: "/src/db/a.go", Line: 7},
		{Name: "query", Function: "db.(*pool).b", File: "/src/db/b.go", Line: 9}} {
		zone.Public = true
		d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}, zone}, Lanes: []report.LaneTree{{ID: 1,
			Nodes: []report.TreeNode{{Parent: -1}, {Zone: 1, Parent: 0, Self: 50 + 10*float64(i), Count: 1}}}}}
		var b bytes.Buffer
		must.Do(t, export.Pprof(&b, d))
		files = append(files, filepath.Join(t.TempDir(), "profile"))
		must.Do(t, os.WriteFile(files[i], b.Bytes(), 0o600))
	}
	cmd := exec.Command("go", "tool", "pprof", "-top", "-diff_base="+files[0], files[1])
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if text := string(out); err != nil || strings.Count(text, "query") != 1 || !strings.Contains(text, "10ms") {
		t.Errorf("%v\n%s\nwant one row with 10ms", err, out)
	}
}

// What waits can be left out, with -tagignore idle=true.
func TestIdleStacksHaveALabel(t *testing.T) {
	for _, idle := range []bool{false, true} {
		d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "vsync", Idle: idle}},
			Lanes: []report.LaneTree{{Name: "main", Nodes: []report.TreeNode{
				{Parent: -1, Self: 1}, {Zone: 1, Parent: 0, Self: 2, Count: 1, Idle: idle}}}}}
		var out, without bytes.Buffer
		must.Do(t, export.Pprof(&out, d))
		z := must.Get(gzip.NewReader(&out))(t)
		if _, err := without.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		// a label is message 3 of a sample, message 2 of the profile
		labels := bytes.Count(without.Bytes(), []byte{3<<3 | 2, 4, 1 << 3})
		if labels != 2 && !idle || labels != 3 && idle {
			t.Errorf("idle %v: got %d labels of 2 stacks; want one each for the lane, and one for idle", idle, labels)
		}
	}
}

// A session as folded stacks.
func ExampleFolded() {
	d := &report.Dump{
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}, {Name: "vsync", Idle: true}},
		Lanes: []report.LaneTree{{Name: "main", Nodes: []report.TreeNode{
			{Parent: -1, Self: 1}, {Zone: 1, Parent: 0, Self: 2.5, Count: 3},
			{Zone: 2, Parent: 0, Self: 4, Count: 1, Idle: true},
		}}},
	}
	if err := export.Folded(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	// Output:
	// main;(root) 1000000
	// main;(root);physics 2500000
	// main;(root);vsync [idle] 4000000
}

// spoken is a frame of hand of which the program said something: of a scope that began before, of one in the frame in
// the tick of its end, and of scopes that are not there.
func spoken() *gather.Frame {
	f := hand(0)
	begin := f.Lanes[0].Begin
	f.Remarks = []gather.Remark{{Time: begin + 90, Lane: 1, Zone: 1, Valued: true, Value: 7},
		{Time: begin + 210, Lane: 1, Zone: 2, Level: 1, Text: "chunk 12,7"},
		{Time: begin + 210, Lane: 1, Zone: 3, Level: 1, Text: "of another zone"},
		{Time: begin + 210, Lane: 1, Zone: 3, Level: 9, Text: "too deep"},
		{Time: begin + 210, Lane: 2, Zone: 2, Level: 1, Text: "of another lane"},
		{Time: begin + 250, Lane: 1, Zone: 2, Level: 1, Text: "</script>\xff"},
		{Time: begin + 250, Lane: 1, Zone: 2, Level: 1, Valued: true, Value: -2.5}}
	return f
}

// Slices have what the program said of their scopes as arguments, whatever it said.
func TestSlicesHaveRemarks(t *testing.T) {
	var b bytes.Buffer
	x := export.NewChrome(&b, "")
	must.Do(t, x.WriteJudged(spoken(), &process.Judged{Events: scopes{}}))
	must.Do(t, x.Close())
	var file struct {
		TraceEvents []struct {
			Name string
			Tid  int
			Args struct {
				Text  *string
				Value *float64
			}
		}
	}
	must.Do(t, json.Unmarshal(b.Bytes(), &file))
	var got []string
	for _, e := range file.TraceEvents {
		if e.Args.Text != nil {
			got = append(got, e.Name[:2]+" "+*e.Args.Text)
		}
		if e.Args.Value != nil && e.Tid == 2 {
			got = append(got, e.Name[:2]+" "+fmt.Sprint(*e.Args.Value))
		}
	}
	if want := "zo chunk 12,7, </script>\ufffd|zo -2.5|</ 7"; strings.Join(got, "|") != want {
		t.Errorf("got  %q\nwant %q", strings.Join(got, "|"), want)
	}
}

// Perfetto shows the annotations of a slice's end with those of its begin.
func TestPerfettoSlicesHaveRemarks(t *testing.T) {
	var b bytes.Buffer
	x := export.NewPerfetto(&b, "")
	must.Do(t, x.WriteJudged(spoken(), &process.Judged{Events: scopes{}}))
	must.Do(t, x.Close())
	readPerfetto(t, b.Bytes())
	var got []string
	for _, p := range decode(t, b.Bytes())[1] {
		e := decode(t, p.bytes).message(t, 11)
		if e == nil || e.number(9) != 2 {
			continue
		}
		for _, a := range e[4] {
			switch m := decode(t, a.bytes); m.number(1) {
			case 2:
				got = append(got, m.text(6))
			case 3:
				got = append(got, fmt.Sprint(math.Float64frombits(m[5][0].number)))
			}
		}
	}
	if want := []string{`chunk 12,7, </script>\xff`, "-2.5", "7"}; !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// stretch is a state as a format has it, or an arrow: from lane to on at begin.
type stretch struct {
	on, title  string
	begin, end int64
	ended      string // where a wait was ended
}

// states are those of a file, and its arrows.
type states struct{ all, arrows []stretch }

// The files have the states that a session has of the same frames, and an arrow for each wait that a lane ended.
func TestStatesAreTheSessions(t *testing.T) {
	for _, format := range []struct {
		name string
		read func(*testing.T, []byte) states
	}{{"chrome", chromeStates}, {"perfetto", perfettoStates}} {
		t.Run(format.name, func(t *testing.T) {
			for seed := range uint64(20) {
				b, want := withStates(t, format.name, seed)
				got := format.read(t, b)
				order(got.all)
				order(got.arrows)
				if !slices.Equal(got.all, want.all) {
					t.Fatalf("seed %d: got\n%v\nwant\n%v", seed, got.all, want.all)
				}
				if !slices.Equal(got.arrows, want.arrows) || len(want.arrows) < 10 {
					t.Fatalf("seed %d: got arrows\n%v\nwant\n%v", seed, got.arrows, want.arrows)
				}
			}
		})
	}
}

func order(list []stretch) {
	slices.SortFunc(list, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.on, b.on), cmp.Compare(a.title, b.title))
	})
}

// withStates writes a random program with random states, and returns what a session knows of them. Some states come
// with later frames.
func withStates(t *testing.T, format string, seed uint64) (file []byte, want states) {
	t.Helper()
	var b bytes.Buffer
	x := export.NewPerfetto(&b, "test")
	if format == "chrome" {
		x = export.NewChrome(&b, "test")
	}
	p, s, r := world.NewRandom(seed), process.NewSession(), rand.New(rand.NewPCG(seed, 9))
	defer s.AddSink(x)()
	names, zero := map[gather.LaneID]string{}, platform.Ticks(0)
	last := map[gather.LaneID]platform.Ticks{}
	var late []gather.LaneState
	for i := range 50 {
		f := p.Frame()
		if f.States = nil; i == 0 {
			zero = f.Begin
		}
		for k := range f.Lanes {
			names[f.Lanes[k].ID] = f.Lanes[k].Name
			f.States = append(f.States, randomStates(r, f, f.Lanes[k].ID, last)...)
		}
		f.States = append(f.States, randomStates(r, f, 0, last)...)
		late = append(late, f.States...)
		r.Shuffle(len(late), func(a, b int) { late[a], late[b] = late[b], late[a] })
		n := r.IntN(len(late) + 1)
		if i == 49 {
			n = len(late)
		}
		f.States, late = late[:n], late[n:]
		must.Do(t, s.WriteFrame(f))
	}
	if err := x.Close(); err != nil || x.Overlaps() > 0 {
		t.Fatalf("got %v and %d overlaps; want none", err, x.Overlaps())
	}
	known := map[gather.LaneState]bool{}
	for age := range 50 {
		for _, q := range s.AppendStates(nil, age) {
			known[q] = true
		}
	}
	for q := range known {
		want.all = append(want.all, stretch{trackName(q, names), (&timeline.Stretch{LaneState: q}).Title(),
			int64(q.Begin - zero), int64(q.End - zero), q.At})
		if q.Waker != 0 && q.Lane != 0 {
			at := int64(q.End - zero)
			want.arrows = append(want.arrows, stretch{names[q.Lane], names[q.Waker], at, at, ""})
		}
	}
	order(want.all)
	order(want.arrows)
	return b.Bytes(), want
}

func trackName(q gather.LaneState, names map[gather.LaneID]string) string {
	if q.Lane != 0 {
		return names[q.Lane]
	}
	return q.Kind.String()
}

// randomStates are those of a lane that end in a frame. One of them may have begun before it.
func randomStates(r *rand.Rand, f *gather.Frame, lane gather.LaneID,
	last map[gather.LaneID]platform.Ticks) (list []gather.LaneState) {
	at := max(last[lane], f.Begin-platform.Ticks(r.IntN(50_000)), 0)
	for range r.IntN(6) {
		q := gather.LaneState{Lane: lane, Kind: gather.StateKind(r.IntN(5)), Begin: at + platform.Ticks(r.IntN(9_000))}
		if lane == 0 {
			q.Kind = gather.StateMarking + gather.StateKind(r.IntN(3))
		}
		q.End = q.Begin + 1 + platform.Ticks(r.IntN(90_000))
		if at = q.End; at > f.End {
			break
		}
		if q.Kind == gather.StateWaiting {
			q.Reason, q.At = "mutex <b>", fmt.Sprintf("\"world\".go:%d", r.IntN(100))
			if by := f.Lanes[r.IntN(len(f.Lanes))].ID; by != lane {
				q.Waker = by
			}
		}
		list, last[lane] = append(list, q), at
	}
	return list
}

// chromeStates reads the states of a file, and its arrows. An arrow begins and ends in slices of lanes.
func chromeStates(t *testing.T, b []byte) (got states) {
	t.Helper()
	names, from := map[int]string{}, map[string]stretch{}
	events := readChrome(t, b).TraceEvents
	inLane := func(tid int, at int64) bool {
		for _, e := range events {
			if begin := int64(0); e.Ph == "X" && e.Tid == tid {
				if begin = nanos(t, e.Ts); begin <= at && at <= begin+nanos(t, e.Dur) {
					return true
				}
			}
		}
		return false
	}
	for _, e := range events {
		switch {
		case e.Name == "thread_name":
			names[e.Tid] = e.Args.Name
		case e.Cat == "state":
			begin, name := nanos(t, e.Ts), names[e.Tid]
			if len(name) > 10 && name[:10] == "states of " {
				name = name[10:]
			}
			got.all = append(got.all, stretch{name, e.Name, begin, begin + nanos(t, e.Dur), e.Args.Ended})
		case e.Ph == "s":
			from[strconv.Itoa(e.ID)] = stretch{title: names[e.Tid], begin: nanos(t, e.Ts)}
			if !inLane(e.Tid, nanos(t, e.Ts)) {
				t.Fatalf("an arrow begins in no slice of %q", names[e.Tid])
			}
		case e.Ph == "f":
			a := from[strconv.Itoa(e.ID)]
			a.end = nanos(t, e.Ts)
			a.on = names[e.Tid]
			if e.Bp != "e" {
				t.Fatalf("an arrow ends at the next slice of %q, not in one", a.on)
			}
			got.arrows = append(got.arrows, a)
		}
	}
	return got
}

func perfettoStates(t *testing.T, b []byte) states {
	t.Helper()
	r := readPerfetto(t, b)
	for i := range r.states.all {
		if s := &r.states.all[i]; s.on == "states" {
			t.Fatalf("the states %v have no lane", s)
		}
	}
	return r.states
}

// Overlapping ones, those before the file, and those of a lane that the file lacks.
func TestStatesAreCut(t *testing.T) {
	var b bytes.Buffer
	x := export.NewChrome(&b, "")
	f := hand(1)
	f.States = []gather.LaneState{
		{Lane: 1, Kind: gather.StateRunning, Begin: 0, End: 900},                         // before
		{Lane: 1, Kind: gather.StateSyscall, Begin: 900, End: 1100},                      // from 1000
		{Lane: 1, Kind: gather.StateWaiting, Begin: 1050, End: 1200, Waker: 77, By: "f"}, // from 1100, without a waker
		{Lane: 1, Kind: gather.StateRunning, Begin: 1110, End: 1190},                     // within that
		{Lane: 9, Kind: gather.StateRunning, Begin: 1100, End: 1300},                     // no lane
		{Kind: gather.StateKind(200), Begin: 1500, End: 1600},
	}
	write(t, x, f)
	must.Do(t, x.Close())
	got := chromeStates(t, b.Bytes())
	want := []stretch{{"main\ufffd\"", "in a system call", 0, 1000, ""}, {"main\ufffd\"", "waiting", 1000, 2000, ""},
		{"process stopped", "process stopped", 5000, 6000, ""}}
	if !slices.Equal(got.all, want) || len(got.arrows) != 0 || x.Overlaps() != 2 {
		t.Errorf("got %v and %v, %d overlaps; want %v and 2 overlaps", got.all, got.arrows, x.Overlaps(), want)
	}
}
