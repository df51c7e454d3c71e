package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// program makes random frames: lanes come and go, zones and counters appear, ids of nodes are used again for other
// stacks.
type program struct {
	random *rand.Rand
	frame  gather.Frame
	lanes  []*randomLane
	freed  []gather.NodeID
	nextID gather.NodeID
	nextLn gather.LaneID
}

type randomLane struct {
	id    gather.LaneID
	name  string
	nodes []gather.Node // all that it ever had
}

func newProgram(seed uint64) *program {
	p := &program{random: rand.New(rand.NewPCG(seed, 1))}
	p.frame.Zones = []gather.ZoneInfo{{Name: "(root)"}}
	p.frame.TicksPerSecond = 2.6e9
	p.frame.Clock = measure.Clock{Source: measure.ClockGo, Why: "the kernel keeps time by hpet", Reading: 41}
	return p
}

// next makes the next frame. It stays as it is: nothing of it is used again.
func (p *program) next() *gather.Frame {
	r := p.random
	for len(p.lanes) < 1+r.IntN(4) {
		p.nextLn++
		l := &randomLane{id: p.nextLn, name: fmt.Sprintf("läne \x00%d", p.nextLn)}
		l.nodes = append(l.nodes, gather.Node{ID: p.id(), Parent: -1})
		p.lanes = append(p.lanes, l)
	}
	if r.IntN(20) == 0 {
		p.end(r.IntN(len(p.lanes)))
	}
	f := &p.frame
	f.Index++
	f.Begin = f.End
	f.End += platform.Ticks(r.IntN(40_000_000))
	f.Label = []string{"", "a level"}[r.IntN(2)]
	f.Memory = gather.MemoryFrame{AllocBytes: r.Uint64N(1e6), Cycles: uint32(r.IntN(3)),
		Pause: time.Duration(r.IntN(1e6)), Mode: 2}
	f.Misuse.ExtraEnd += r.Uint64N(2)
	f.Misuse.Notes = []string{fmt.Sprint("note ", f.Misuse.ExtraEnd)}
	if r.IntN(10) == 0 {
		f.Counters = append(slices.Clip(f.Counters),
			gather.CounterInfo{Name: fmt.Sprint("counter", len(f.Counters)), Level: r.IntN(2) == 0})
	}
	f.Values = nil
	for i := range f.Counters {
		f.Values = append(f.Values, gather.CounterValue{Counter: int32(i), Value: r.NormFloat64()})
	}
	f.Dropped.States += r.Uint64N(2)
	f.Marks = nil
	for range max(r.IntN(6)-3, 0) {
		f.Dropped.Marks += r.Uint64N(2)
		f.Marks = append(f.Marks, gather.MarkInfo{Time: f.Begin + platform.Ticks(r.IntN(1000)),
			Lane: gather.LaneID(r.IntN(3)), Text: []string{"", "mark\x00\xff", "level loaded"}[r.IntN(3)]})
	}
	f.Lanes = nil
	for _, l := range p.lanes {
		f.Lanes = append(f.Lanes, p.lane(l))
	}
	copied := *f
	return &copied
}

func (p *program) id() gather.NodeID {
	if n := len(p.freed); n > 0 && p.random.IntN(2) == 0 {
		id := p.freed[n-1]
		p.freed = p.freed[:n-1]
		return id
	}
	p.nextID++
	return p.nextID - 1
}

func (p *program) end(i int) {
	for _, n := range p.lanes[i].nodes {
		p.freed = append(p.freed, n.ID)
	}
	p.lanes = slices.Delete(p.lanes, i, i+1)
}

// lane makes a lane's part: some new nodes, and a part of the old ones with their ancestors.
func (p *program) lane(l *randomLane) gather.LaneFrame {
	r := p.random
	for range min(r.IntN(3), 40-len(l.nodes)) {
		zone := r.IntN(len(p.frame.Zones) + 1)
		if zone == len(p.frame.Zones) {
			info := gather.ZoneInfo{Name: fmt.Sprint("zone", zone), File: "/a/b.go", Line: zone, Public: zone%2 == 0,
				Idle: zone%7 == 0, Blocked: zone%14 == 0, Computes: zone%14 == 3}
			p.frame.Zones = append(slices.Clip(p.frame.Zones), info)
		}
		parent := int32(r.IntN(len(l.nodes)))
		l.nodes = append(l.nodes, gather.Node{ID: p.id(), Zone: gather.ZoneID(zone), Parent: parent,
			Depth: int32(r.IntN(3))})
	}
	in := make([]bool, len(l.nodes))
	in[0] = true
	for i := len(in) - 1; i > 0; i-- {
		in[i] = in[i] || r.IntN(3) > 0
		if in[i] {
			in[l.nodes[i].Parent] = true
		}
	}
	part := gather.LaneFrame{ID: l.id, Name: l.name, Updater: l.id == 1, Begin: p.frame.Begin, End: p.frame.End,
		Untimed: r.Uint64N(2)}
	place := make([]int32, len(in))
	for i, n := range l.nodes {
		if !in[i] {
			continue
		}
		place[i] = int32(len(part.Nodes))
		if n.Parent >= 0 {
			n.Parent = place[n.Parent]
		}
		n.Self, n.Count, n.Open = platform.Ticks(r.IntN(1e6)-5), uint32(r.IntN(3)), r.IntN(5) == 0
		n.Estimated = gather.Estimated(r.IntN(2))
		part.Nodes = append(part.Nodes, n)
		if r.IntN(4) == 0 {
			part.Extras = append(part.Extras, gather.NodeExtra{
				Node: place[i], Errors: uint64(r.IntN(2)), AllocBytes: r.Uint64(), Units: r.Uint64N(9),
				Variance: r.Float64(),
			})
		}
	}
	return part
}

// Whatever part of a file a session holds, its lenses choose, and its statistics count, as in a session with all
// frames. Quantiles are to 0.8 %.
func TestLensesChooseAmongAllFrames(t *testing.T) {
	const frames = 1500
	b, read := longCapture(t, frames)
	all, few, newest := withHistory(frames), withHistory(40), withHistory(frames)
	for _, s := range []*process.Session{all, few} {
		if _, err := framefile.Load(s, bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
	}
	if reaches, err := framefile.Reach(few, bytes.NewReader(b), int64(len(b))); !reaches || err != nil {
		t.Fatalf("got %v, %v", reaches, err)
	}
	if _, _, _, err := framefile.NewestOf(newest, bytes.NewReader(b), int64(len(b)), 100); err != nil {
		t.Fatal(err)
	}
	budget := time.Duration(all.View().Info().Busy * float64(time.Millisecond))
	for _, s := range []*process.Session{all, few, newest} {
		s.SetFrameBudget(budget)
	}
	lenses := []report.Lens{{Kind: report.LensAll}, {Kind: report.LensOver}, {Kind: report.LensWithin},
		{Kind: report.LensSlowest, Slowest: 5}, {Kind: report.LensSlowest},
		{Kind: report.LensRange, From: read[100].Index, To: read[900].Index}}
	for _, lens := range lenses {
		for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportHierarchicalTime,
			report.ReportCallTree, report.ReportExtra} {
			t.Run(fmt.Sprint(lens.Kind, "/", mode), func(t *testing.T) {
				v := report.View{Lens: lens, Mode: mode}
				want := statisticsOf(all, v)
				if mode != report.ReportExtra && len(want) == 0 {
					t.Fatal("got no rows of all frames")
				}
				for name, s := range map[string]*process.Session{"few": few, "newest": newest} {
					compareStatistics(t, name, statisticsOf(s, v), want)
				}
			})
		}
	}
	few.View().SetLens(report.Lens{Kind: report.LensSlowest, Slowest: 7})
	if got := few.View().Info(); got.LensFrames != 7 || got.LensLost != 0 {
		t.Errorf("got a lens of %d frames, %d lost; want 7", got.LensFrames, got.LensLost)
	}
}

// columnsOfAll are the columns that are compared.
var columnsOfAll = []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnMean,
	report.ColumnMax, report.ColumnMaxSelf, report.ColumnMin, report.ColumnMinSelf, report.ColumnMeanSelf,
	report.ColumnDeviation, report.ColumnDeviationSelf, report.ColumnP50, report.ColumnP99, report.ColumnP50Self,
	report.ColumnP99Self, report.ColumnExtraSelf}

// statisticsOf returns the values of a report's rows, by name and site. Rows that have both alike are left out.
func statisticsOf(s *process.Session, v report.View) map[string][]float64 {
	r := report.Report{Want: report.ColumnsOf(columnsOfAll...)}
	s.View().AppendReportOf(&r, v)
	rows, twice := map[string][]float64{}, map[string]bool{}
	for i := range r.Records {
		k := &r.Records[i]
		name := fmt.Sprint(k.Name, "|", k.Site, "|", k.Indent)
		twice[name] = rows[name] != nil
		for _, c := range columnsOfAll {
			value := math.NaN()
			if k.Mask.Has(c) {
				value = k.Values[c]
			}
			rows[name] = append(rows[name], value)
		}
	}
	for name := range rows {
		if twice[name] {
			delete(rows, name)
		}
	}
	return rows
}

// compareStatistics compares rows of a session with those of one that has all frames.
func compareStatistics(t *testing.T, session string, got, want map[string][]float64) {
	t.Helper()
	for name, values := range want {
		for i, w := range values {
			if got[name] == nil {
				t.Errorf("%s: got no row %s", session, name)
				break
			}
			if g := got[name][i]; math.Abs(g-w) > 0.009*math.Abs(w)+1e-5 || (g == g) != (w == w) {
				t.Errorf("%s: %s: column %v: got %v; want %v", session, name, columnsOfAll[i], g, w)
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: got %d rows; want %d", session, len(got), len(want))
	}
}

// originFrame is a frame of a program with zones of these names, and an entry of the last.
func originFrame(o gather.Origin, index uint64, names ...string) gather.Frame {
	f := gather.Frame{Origin: o, Index: index, TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Begin: platform.Ticks(1000 * index)}
	f.End = f.Begin + 1000
	for _, name := range names {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name})
		f.Counters = append(f.Counters, gather.CounterInfo{Name: name})
	}
	last := len(names)
	f.Values = []gather.CounterValue{{Counter: int32(last - 1), Value: 2}}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: []gather.Node{
		{Parent: -1, Open: true}, {ID: gather.NodeID(last), Zone: gather.ZoneID(last), Count: 1, Self: 1000}}}}
	return f
}

// A session that follows a program is recorded while the program is started anew. Each frame comes back with the names
// of its own program.
func TestARecordingOfSeveralPrograms(t *testing.T) {
	one, two := gather.Origin{Program: 11}, gather.Origin{Program: 12}
	frames := []gather.Frame{
		originFrame(one, 0, "a", "b"), originFrame(one, 1, "a", "b", "c"),
		originFrame(two, 0, "x", "y", "z"), originFrame(two, 1, "x", "y", "z"),
		originFrame(gather.Origin{Program: 12, Clock: 3}, 0, "x", "y", "z"),
		originFrame(one, 5, "p"), originFrame(gather.Origin{}, 5, "q"),
	}
	s := process.NewSession()
	var b, direct bytes.Buffer
	rec := capture.RecordAs(s, capture.Info{Program: "several"}, &b)
	w, sizes := framefile.NewWriter(&direct, capture.Info{}), []int(nil)
	for i := range frames {
		must.Do(t, s.WriteFrame(&frames[i]))
		must.Do(t, w.WriteFrame(&frames[i]))
		sizes = append(sizes, direct.Len())
	}
	must.Do(t, rec.Close())
	must.Do(t, w.Close())
	testDamageBeforeAnother(t, direct.Bytes(), sizes[1])
	for _, file := range [][]byte{b.Bytes(), direct.Bytes()} {
		r := must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
		var f gather.Frame
		for i, want := range frames {
			must.Do(t, r.Next(&f))
			if f.Origin != want.Origin || !reflect.DeepEqual(f.Zones, want.Zones) || !reflect.DeepEqual(f.Counters,
				want.Counters) || !reflect.DeepEqual(f.Lanes[0].Nodes, want.Lanes[0].Nodes) {
				t.Errorf("frame %d: got %+v\nwant %+v", i, f, want)
			}
		}
		if err := r.Next(&f); err != io.EOF {
			t.Errorf("at the end: got %v", err)
		}
	}
	newest := process.NewSession()
	_, _, c, err := framefile.NewestOf(newest, bytes.NewReader(b.Bytes()), int64(b.Len()), 1000)
	if err != nil || c.Frames != 7 || newest.View().Info().Frames != 1 || newest.Zone(1).Name != "q" {
		t.Errorf("newest: got %v, %+v, %d frames, zone %q; want 1 of 7 frames, and q", err, c,
			newest.View().Info().Frames,
			newest.Zone(1).Name)
	}
}

// testDamageBeforeAnother damages a program's last frame before that of a program with three frames, which stay whole.
func testDamageBeforeAnother(t *testing.T, file []byte, at int) {
	t.Helper()
	bad := bytes.Clone(file)
	bad[at-2] ^= 1
	r, f, whole := must.Get(framefile.NewReader(bytes.NewReader(bad)))(t), gather.Frame{}, 0
	for err := error(nil); err != io.EOF; err = r.Next(&f) {
		if err == nil && f.Origin.Program == 12 {
			whole++
		}
	}
	if whole != 3 {
		t.Errorf("a damage before: got %d frames of the next program; want 3", whole)
	}
}

// originStream returns a closed stream of some frames.
func originStream(t *testing.T, o gather.Origin, first uint64, frames int, names ...string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{Program: "remote"})
	for i := range uint64(frames) {
		f := originFrame(o, first+i, names...)
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	return &b
}

// A program that was started anew may have the same zones and later frames.
func TestAFollowerKnowsRunsByTheirOrigin(t *testing.T) {
	s := process.NewSession()
	f := framefile.NewFollower(s)
	for i, c := range []struct {
		origin gather.Origin
		first  uint64
		names  []string
		frames int
		says   string
	}{
		{gather.Origin{Program: 5}, 10, []string{"a", "b"}, 4, ""},
		{gather.Origin{Program: 5}, 20, []string{"a", "b", "c"}, 8, ""},
		{gather.Origin{Program: 6}, 30, []string{"a", "b", "c"}, 4, "forgot 8 earlier frames: another"},
		{gather.Origin{Program: 6}, 40, []string{"a", "b", "c"}, 8, "forgot 8 earlier frames: another program"},
		{gather.Origin{Program: 6, Clock: 2}, 1, []string{"a", "b", "c"}, 4, "forgot 8 earlier frames: the"},
	} {
		err := f.Follow(originStream(t, c.origin, c.first, 4, c.names...), nil)
		if !errors.Is(err, framefile.ErrEnded) {
			t.Fatal(err)
		}
		got := strings.Join(s.Dump(report.DumpOptions{}).Warnings, "\n")
		if int(s.View().Info().Frames) != c.frames || !strings.Contains(got, c.says) ||
			c.says == "" && strings.Contains(got, "forgot ") {
			t.Errorf("stream %d: got %d frames, warnings %q; want %d, %q", i, s.View().Info().Frames, got, c.frames,
				c.says)
		}
	}
}
