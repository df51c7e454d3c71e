package capture_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// idleSecond is a frame of a server that handles an event for 2 ms and waits for the rest of a second.
func idleSecond(index uint64, driven bool, budgets ...gather.ZoneBudget) *gather.Frame {
	begin := int64(index) * 1000
	f := &gather.Frame{Index: index, TicksPerSecond: 1000, EventDriven: driven, Budgets: budgets,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "handle"}}}
	f.Begin, f.End = platform.Ticks(begin), platform.Ticks(begin+1000)
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: []gather.Node{
		{Parent: -1, Self: 998}, {ID: 1, Zone: 1, Self: 2, Count: 1}}}}
	return f
}

// What changes the meaning of numbers is in the file, and is as it was at each frame. A session that reads it passes it
// on.
func TestSettingsTravel(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	handle := gather.ZoneBudget{Zone: 1, Budget: time.Millisecond}
	for i := range uint64(600) { // beyond a key
		f := idleSecond(i, i >= 10, handle)
		if i < 5 {
			f.Budgets = nil
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	check := func(what string, s *process.Session, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if !s.EventDriven() || s.Budget(1) != time.Millisecond {
			t.Errorf("%s: got event-driven %v, budget %v; want true, 1 ms", what, s.EventDriven(), s.Budget(1))
		}
		var r report.Report
		if s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant}); r.Frame.Busy > 3 {
			t.Errorf("%s: got %v ms busy; want 2", what, r.Frame.Busy)
		}
	}
	var again bytes.Buffer
	second := framefile.NewWriter(&again, capture.Info{})
	s := process.NewSession()
	defer s.AddSink(second)()
	_, err := framefile.Load(s, bytes.NewReader(file.Bytes()))
	check("all", s, err)
	must.Do(t, second.Close())
	s = process.NewSession()
	_, err = framefile.Load(s, bytes.NewReader(again.Bytes()))
	check("read and written again", s, err)
	s = process.NewSession()
	_, _, err = framefile.LoadNewest(s, bytes.NewReader(file.Bytes()), 20)
	check("newest", s, err)
}

// fill sets each number of a structure anew at random.
func fill(r *rand.Rand, of any) {
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		switch field := v.Field(i); {
		case field.CanUint() && v.Type().Field(i).Type.Kind() != reflect.Uint8: // a mode
			field.SetUint(r.Uint64N(1e9))
		case field.CanInt():
			field.SetInt(r.Int64N(1e9))
		}
	}
}

// Each number of a frame comes back, also where others are alike or 0 in most programs.
func TestEachNumberOfAFrameSurvives(t *testing.T) {
	var file bytes.Buffer
	w, p, r := framefile.NewWriter(&file, capture.Info{}), newProgram(3), rand.New(rand.NewPCG(3, 1))
	var want []*gather.Frame
	for range 20 {
		f := p.next()
		fill(r, &f.Dropped)
		fill(r, &f.Misuse)
		fill(r, &f.Memory)
		fill(r, &f.Away)
		fill(r, &f.Clock)
		f.CPU, f.Between, f.EventDriven = time.Duration(r.Int64N(1e9)), platform.Ticks(r.Int64N(1e9)), r.IntN(2) == 0
		for _, cost := range []*platform.Ticks{&f.ScopeCost, &f.InsideCost, &f.CountCost} {
			*cost = platform.Ticks(r.IntN(99))
		}
		want = append(want, f)
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	frames, _, _ := readAll(t, file.Bytes())
	for i := range want {
		if i >= len(frames) || !same(frames[i], want[i]) {
			t.Fatalf("frame %d of %d: got\n%+v\nwant\n%+v", i, len(frames), frames[i].Dropped, want[i].Dropped)
		}
	}
}

// centuries returns a capture of two frames of three lanes. Each time is t.
func centuries(tb testing.TB, t platform.Ticks, perSecond float64) *bytes.Buffer {
	tb.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{Program: "centuries"})
	f := gather.Frame{TicksPerSecond: perSecond, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}}}
	for i := range 2 {
		f.Index = uint64(i)
		f.End = f.Begin + t
		f.CPU = time.Duration(t)
		f.Lanes = nil
		for lane := range 3 {
			id := gather.NodeID(2 * lane)
			nodes := []gather.Node{{ID: id, Parent: -1}, {ID: id + 1, Zone: 1, Count: 1, Self: t}}
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(lane + 1), Updater: lane == 0, End: f.End,
				Begin: f.Begin, CPU: f.CPU, Nodes: nodes})
		}
		must.Do(tb, w.WriteFrame(&f))
	}
	must.Do(tb, w.Close())
	return &b
}

// No sum of a file's times leaves its type, and what was cut is counted.
func TestTimesOfAFileNeverWrap(t *testing.T) {
	const century = 100 * 365 * 24 * time.Hour
	for _, c := range []struct {
		time      platform.Ticks
		perSecond float64
		cut       int
	}{{1e6, 1e9, 0}, {platform.Ticks(century), 1e9, 4 + 4}, {platform.Ticks(-century), 1e9, 4 + 4},
		{platform.Ticks(century) / 1000, 1e6, 4}, {math.MaxInt64, 1e9, 22},
		{math.MinInt64 + 1, 1e9, 22}, {math.MaxInt64, 1, 22}} {
		t.Run(fmt.Sprint(c.time, " at ", c.perSecond), func(t *testing.T) {
			file := centuries(t, c.time, c.perSecond).Bytes()
			r := must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
			var all, cpu, frames big.Int
			var f gather.Frame
			for r.Next(&f) == nil {
				frames.Add(&frames, new(big.Int).Sub(big.NewInt(int64(f.End)), big.NewInt(int64(f.Begin))))
				for _, l := range f.Lanes {
					cpu.Add(&cpu, big.NewInt(int64(l.CPU)))
					for _, n := range l.Nodes {
						all.Add(&all, big.NewInt(int64(n.Self)))
					}
				}
			}
			for name, sum := range map[string]*big.Int{"nodes": &all, "processor": &cpu, "frames": &frames} {
				if !sum.IsInt64() {
					t.Errorf("%s: got a sum of %v", name, sum)
				}
			}
			note := strings.Join(f.Misuse.Notes, "")
			if want := fmt.Sprintf(": %d of them were cut", c.cut); c.cut > 0 && !strings.HasSuffix(note, want) ||
				c.cut == 0 && note != "" {
				t.Errorf("got note %q; want %d cut", note, c.cut)
			}
			s := process.NewSession()
			if _, err := framefile.Load(s, bytes.NewReader(file)); err != nil {
				t.Fatal(err)
			}
			d := s.Dump(report.DumpOptions{})
			for _, n := range d.Merged {
				if (n.Hier < 0 || n.Self < 0) != (c.time < 0 && n.Self != 0 || c.time < 0 && n.Zone == 0) {
					t.Errorf("zone %d: got %g and %g ms of times of one sign", n.Zone, n.Self, n.Hier)
				}
			}
			if c.time > 0 && d.RunTime <= 0 {
				t.Errorf("got a run time of %v", d.RunTime)
			}
			if said := strings.Contains(strings.Join(d.Warnings, "\n"), "292 years"); said != (c.cut > 0) {
				t.Errorf("got warnings %q", d.Warnings)
			}
		})
	}
}

// Several goroutines add up the times of a file. Their limit holds for the sum, so such a file is read in order.
func TestSumsOfSeveralReadersNeverWrap(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const century = platform.Ticks(100 * 365 * 24 * time.Hour)
	for name, set := range map[string]func(f *gather.Frame){
		"frames":    func(f *gather.Frame) { f.End = f.Begin + 2*century },
		"nodes":     func(f *gather.Frame) { f.Lanes[0].Nodes[0].Self = 2 * century },
		"processor": func(f *gather.Frame) { f.CPU = time.Duration(2 * century) },
		"lanes":     func(f *gather.Frame) { f.Lanes[0].CPU = time.Duration(2 * century) },
	} {
		var b bytes.Buffer
		w := framefile.NewWriter(&b, capture.Info{})
		for i := range 600 {
			f := gather.Frame{Index: uint64(i), Begin: platform.Ticks(i), End: platform.Ticks(i + 1),
				TicksPerSecond: 1e9,
				Zones:          []gather.ZoneInfo{{Name: "(root)"}},
				Lanes:          []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1}}}}}
			if i == 100 || i == 500 { // of two keys
				set(&f)
			}
			must.Do(t, w.WriteFrame(&f))
		}
		must.Do(t, w.Close())
		s := process.NewSession()
		_, _, c, err := framefile.NewestOf(s, bytes.NewReader(b.Bytes()), int64(b.Len()), 10)
		if err != nil || c.Frames != 600 {
			t.Errorf("%s: got %v, %d frames", name, err, c.Frames)
		}
		warnings := strings.Join(s.Dump(report.DumpOptions{}).Warnings, "\n")
		if !strings.Contains(warnings, "292 years") {
			t.Errorf("%s: got warnings %q; want one of times that were cut", name, warnings)
		}
	}
}
