package capture_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// counted is a source whose histograms grow, go and start anew at random. Its list is ordered as a reader's.
type counted struct {
	random *rand.Rand
	list   []gather.Calls
	stacks int
}

func newCounted(seed uint64, stacks int) *counted {
	return &counted{random: rand.New(rand.NewPCG(seed, 7)), stacks: stacks}
}

// step makes some calls.
func (c *counted) step() {
	r := c.random
	for lane := range gather.LaneID(3) {
		for node := range gather.NodeID(c.stacks) {
			at, found := slices.BinarySearchFunc(c.list, gather.Calls{Lane: lane, Node: node}, order)
			switch {
			case r.IntN(8) > 0:
				continue
			case !found:
				c.list = slices.Insert(c.list, at, gather.Calls{Lane: lane, Node: node, Zone: gather.ZoneID(r.IntN(2))})
			case r.IntN(40) == 0: // its goroutine ended, or counting has stopped
				c.list = slices.Delete(c.list, at, at+1)
				continue
			case r.IntN(40) == 0: // counting has started anew
				c.list[at].Count, c.list[at].Sum, c.list[at].Buckets = 0, 0, nil
			}
			for range 1 + r.IntN(5) {
				c.list[at].Add(platform.Ticks(r.ExpFloat64() * 1e5))
			}
			c.list[at].Missing = r.Uint64N(3)
		}
	}
}

func order(a, b gather.Calls) int {
	return int(a.Lane)<<32 + int(a.Node) - int(b.Lane)<<32 - int(b.Node)
}

// AppendCalls appends copies, and one from events, which no capture has.
func (c *counted) AppendCalls(dst []gather.Calls) []gather.Calls {
	for _, k := range c.list {
		k.Buckets = slices.Clone(k.Buckets)
		dst = append(dst, k)
	}
	return append(dst, gather.Calls{Lane: 9, FromEvents: true})
}

// checkCalls compares what a reader has with the source's list.
func checkCalls(t *testing.T, from process.CallSource, want []gather.Calls) {
	t.Helper()
	var got []gather.Calls
	if from != nil {
		got = from.AppendCalls(nil)
	}
	if len(got) != len(want) {
		t.Fatalf("got %d histograms; want %d", len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("histogram %d: got\n%+v\nwant\n%+v", i, got[i], want[i])
		}
	}
}

// The histograms of single calls are those of the program, in a whole file, in one whose newest frames are read alone,
// and in one that has been copied frame by frame.
func TestCallsComeBack(t *testing.T) {
	for seed, stacks := range []int{2, 40, 400} {
		source, p := newCounted(uint64(seed), stacks), newProgram(uint64(seed))
		p.frame.Zones = append(p.frame.Zones, gather.ZoneInfo{Name: "counted"})
		var file, copied bytes.Buffer
		w := framefile.NewWriter(&file, capture.Info{Program: "calls"})
		for range 700 {
			source.step()
			must.Do(t, w.WriteJudged(p.next(), &process.Judged{Calls: source}))
		}
		must.Do(t, w.Close())
		r := must.Get(framefile.NewReader(bytes.NewReader(file.Bytes())))(t)
		again := framefile.NewWriter(&copied, capture.Info{})
		var f gather.Frame
		for r.Next(&f) == nil {
			must.Do(t, again.WriteJudged(&f, r.Judged()))
		}
		checkCalls(t, r.Calls(), source.list)
		must.Do(t, again.Close())
		_, damages, second := readAll(t, copied.Bytes())
		if checkCalls(t, second.Calls(), source.list); damages > 0 {
			t.Errorf("got %d damages", damages)
		}
		newest := process.NewSession()
		if c, all, err := framefile.LoadNewest(newest, bytes.NewReader(file.Bytes()), 50); all || err != nil {
			t.Fatalf("got all %t of %+v, %v", all, c, err)
		}
		if got, want := callsOf(newest, 1), countOf(source.list, 1); got != want || want == 0 {
			t.Errorf("the newest frames: got %d calls of zone 1; want %d", got, want)
		}
	}
}

// callsOf returns how many calls of a zone a session counts.
func callsOf(s *process.Session, zone report.ZoneID) (n uint64) {
	for _, b := range s.AppendCalls(nil, zone) {
		n += b.Count
	}
	return n
}

func countOf(list []gather.Calls, zone report.ZoneID) (n uint64) {
	for i := range list {
		if list[i].Zone == zone {
			n += list[i].Count
		}
	}
	return n
}

// What is lost in the middle of a file comes back with the next key.
func TestCallsAfterDamage(t *testing.T) {
	source, p := newCounted(5, 30), newProgram(5)
	p.frame.Zones = append(p.frame.Zones, gather.ZoneInfo{Name: "counted"})
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for range 600 {
		source.step()
		must.Do(t, w.WriteJudged(p.next(), &process.Judged{Calls: source}))
	}
	must.Do(t, w.Close())
	for _, at := range []int{file.Len() / 9, file.Len() / 4} {
		bad := bytes.Clone(file.Bytes())
		bad[at] ^= 4
		_, damages, r := readAll(t, bad)
		if damages != 1 {
			t.Errorf("byte %d: got %d damages", at, damages)
		}
		checkCalls(t, r.Calls(), source.list)
	}
}

// Those of another run are forgotten.
func TestAFollowerHasTheCallsOfTheProgramNow(t *testing.T) {
	s := process.NewSession()
	f := framefile.NewFollower(s)
	for run, counts := range []bool{true, false, true} {
		source := newCounted(uint64(run), 3)
		var b bytes.Buffer
		w := framefile.NewWriter(&b, capture.Info{Program: "p"})
		frame := gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1}}}}}
		for range 30 {
			source.step()
			frame.Index++
			frame.End += 1e5
			var j process.Judged
			if counts {
				j.Calls = source
			}
			must.Do(t, w.WriteJudged(&frame, &j))
		}
		must.Do(t, w.Close())
		if err := f.Follow(&b, nil); err != framefile.ErrEnded {
			t.Fatal(err)
		}
		want := countOf(source.list, 1)
		if !counts {
			want = 0
		}
		if got := callsOf(s, 1); got != want || counts && want == 0 {
			t.Errorf("run %d: got %d calls; want %d", run, got, want)
		}
	}
}

// fixed is a source that does not change.
type fixed []gather.Calls

func (c fixed) AppendCalls(dst []gather.Calls) []gather.Calls { return append(dst, c...) }

// Those of a node whose id is too large, and those beyond the number of histograms. Reports say how many.
func TestCallsThatACaptureHasNoRoomForAreMissing(t *testing.T) {
	few := gather.Calls{Lane: 1, Node: 1, Zone: 1}
	few.Add(1000)
	large := gather.Calls{Lane: 1, Node: 1 << 22, Zone: 1, Missing: 2}
	for range 5 {
		large.Add(1000)
	}
	source := fixed{few, large}
	for node := range gather.NodeID(1 << 15) {
		one := gather.Calls{Lane: 2, Node: node, Zone: 1}
		one.Add(1000)
		source = append(source, one)
	}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	frame := gather.Frame{End: 1_000_000, TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "counted"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Count: 6, Self: 6000}}}}}
	must.Do(t, errors.Join(w.WriteJudged(&frame, &process.Judged{Calls: source}), w.Close()))
	s := process.NewSession()
	if _, err := framefile.Load(s, &file); err != nil {
		t.Fatal(err)
	}
	r := report.Report{Want: report.AllColumns}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportSelfTime})
	for i := range r.Records {
		if v := r.Records[i].Values; r.Records[i].Name == "counted" {
			counted, missing := v[report.ColumnCallsCounted], v[report.ColumnCallsMissing]
			if counted < 31_000 || missing < 7 || counted+missing != 1+5+2+1<<15 {
				t.Errorf("got %v calls and %v missing; want %d in all, at least 7 missing", counted, missing, 8+1<<15)
			}
			return
		}
	}
	t.Error("the zone has no row")
}

// Of each zone those that a capture has no room for are counted.
func TestMissingCallsOfEachZone(t *testing.T) {
	var source fixed
	want := map[gather.ZoneID]uint64{}
	for i := range 9 {
		c := gather.Calls{Lane: 1, Node: gather.NodeID(1<<22 + i), Zone: gather.ZoneID(i % 3), Missing: uint64(7 * i)}
		for range i + 1 {
			c.Add(1000)
		}
		want[c.Zone] += c.Count + c.Missing
		source = append(source, c)
	}
	var file bytes.Buffer
	w, p := framefile.NewWriter(&file, capture.Info{}), newProgram(5)
	p.frame.Zones = make([]gather.ZoneInfo, 3)
	must.Do(t, errors.Join(w.WriteJudged(p.next(), &process.Judged{Calls: source}), w.Close()))
	_, _, r := readAll(t, file.Bytes())
	got := r.Calls().AppendCalls(nil)
	for _, c := range got {
		if c.Count > 0 || c.Missing != want[c.Zone] {
			t.Errorf("zone %d: got %d calls, %d missing; want %d missing", c.Zone, c.Count, c.Missing, want[c.Zone])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d histograms; want one for each of %d zones", len(got), len(want))
	}
}

// crowded has many histograms of so many buckets each.
type crowded struct{ stacks, buckets int }

func (c crowded) AppendCalls(dst []gather.Calls) []gather.Calls {
	for i := range c.stacks {
		k := gather.Calls{Lane: 1, Node: gather.NodeID(i)}
		for step := range c.buckets {
			k.Add(platform.Ticks(1) << step)
		}
		dst = append(dst, k)
	}
	return dst
}

// A reader keeps 8 MB of buckets, whatever a file has.
func TestCallsOfAFileAreBounded(t *testing.T) {
	var file bytes.Buffer
	w, p := framefile.NewWriter(&file, capture.Info{}), newProgram(1)
	must.Do(t, w.WriteJudged(p.next(), &process.Judged{Calls: crowded{30_000, 40}}))
	must.Do(t, w.Close())
	_, damages, r := readAll(t, file.Bytes())
	buckets := 0
	for _, c := range r.Calls().AppendCalls(nil) {
		buckets += len(c.Buckets)
	}
	if most := histogram.MaxBytes / 8; damages > 0 || buckets < most*9/10 || buckets > most+40 {
		t.Errorf("got %d buckets, %d damages; want %d of %d", buckets, damages, most, 30_000*40)
	}
}
