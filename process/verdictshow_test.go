package process_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slowAt writes 200 frames of a program, one of them with a new path, and returns what was planted and the age of the
// frame.
func slowAt(t *testing.T, seed uint64) (*process.Session, world.Planted, int) {
	t.Helper()
	s, p := process.NewSession(), world.NewRandom(seed)
	p.Prepare()
	var planted world.Planted
	for i := range 200 {
		if i == 150 {
			planted = p.Plant(world.NewPath)
		}
		write(t, s, p.Frame())
	}
	return s, planted, 49
}

// cursorZone is the zone of the highlighted record.
func cursorZone(s *process.Session) report.ZoneID {
	var r report.Report
	s.View().AppendReport(&r)
	if r.Cursor < 0 {
		return -1
	}
	return r.Records[r.Cursor].Zone
}

func TestEachWayToASlowFrameLeadsToTheZoneToBlame(t *testing.T) {
	for name, goThere := range map[string]func(*process.Session, int){
		"SetFrame": func(s *process.Session, age int) { s.View().SetFrame(age) },
		"MoveFrame": func(s *process.Session, age int) {
			s.View().SetFrame(age + 1)
			s.View().SetCursor(0)
			s.View().MoveFrame(1)
		},
		"ShowFrame": func(s *process.Session, age int) { s.View().ShowFrame(150) },
		"tree": func(s *process.Session, age int) {
			s.View().SetReportMode(report.ReportCallTree)
			s.View().SetFrame(age)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				s, planted, age := slowAt(t, seed)
				s.Pause()
				s.View().SetCursor(0)
				goThere(s, age)
				if got := cursorZone(s); got != planted.Zone {
					t.Errorf("seed %d: got the cursor on zone %d; want %d", seed, got, planted.Zone)
				}
			}
		})
	}
}

func TestWhoLooksAtOneZoneStaysThere(t *testing.T) {
	s, planted, age := slowAt(t, 1)
	s.Pause()
	other := report.ZoneID(1)
	if other == planted.Zone {
		other++
	}
	s.View().Set(s.View().Get().Opened(other))
	s.View().Select()
	before := cursorZone(s)
	s.View().SetFrame(age)
	if got := cursorZone(s); got != before {
		t.Errorf("call graph: got the cursor on zone %d; want it to stay on %d", got, before)
	}
	s.View().SetReportMode(report.ReportSelfTime)
	s.View().SetFrame(0)
	s.View().PinPath(0)
	s.View().SetCursor(0)
	before = cursorZone(s)
	s.View().SetFrame(age)
	if got := cursorZone(s); got != before {
		t.Errorf("pinned path: got the cursor on zone %d; want it to stay on %d", got, before)
	}
}

func TestShowVerdictGoesToTheFrame(t *testing.T) {
	late := 0
	for seed := range uint64(20) {
		s, p := process.NewSession(), world.NewRandom(seed)
		p.Prepare()
		for range 100 {
			write(t, s, p.Frame())
		}
		var v report.Verdict
		if s.View().ShowVerdict(&v) || s.Paused() {
			t.Fatalf("seed %d: got %q, paused %v; want nothing, not paused", seed, v.String(), s.Paused())
		}
		planted := p.Plant(world.NewPath)
		for range 6 {
			write(t, s, p.Frame())
		}
		if s.VerdictOf(&v, 5); !v.Over {
			continue
		}
		late++
		found, age, zone := s.View().ShowVerdict(&v), s.View().Get().Age, cursorZone(s)
		if !found || !s.Paused() || age != 5 || zone != planted.Zone {
			t.Errorf("seed %d: got %v, paused %v, age %d, zone %d; want true, true, 5, %d", seed, found, s.Paused(),
				age, zone, planted.Zone)
		}
	}
	if late == 0 {
		t.Error("no frame was over budget; want some")
	}
}

// The greater cause is first, also if the smaller one lies in a larger excess of its callers.
func TestTheGreaterCauseIsFirst(t *testing.T) {
	s := process.NewSession()
	r := world.NewGame(1, s)
	for range 400 {
		must.Do(t, r.Step())
	}
	var v report.Verdict
	s.View().SetReportMode(report.ReportExtra)
	s.View().Verdict(&v)
	if len(v.Causes) != 2 || v.Causes[0].Name != "streaming" || v.Causes[1].Name == "streaming" ||
		v.Causes[1].Excess > v.Causes[0].Excess {
		t.Errorf("got causes %+v; want streaming, then a smaller one", v.Causes)
	}
}

// A verdict on the last seconds finds the worst frame among all of them, also when it is asked for only once, at the
// end of a program. The first frame is the start of the program: it is named if no other is late, and the verdict says
// so.
func TestTheWorstFrameOfTheLastSecondsIsFound(t *testing.T) {
	ms := func(at, first, late float64) func(i int) float64 {
		return func(i int) float64 {
			switch {
			case i == 0:
				return first
			case i == int(at):
				return late
			}
			return 12
		}
	}
	for _, c := range []struct {
		frames int
		of     func(i int) float64
		want   string
	}{
		{200, ms(199, 12, 50), "Frame 199: +38.0 ms. work "},
		{200, ms(160, 12, 50), "Frame 160: +38.0 ms. work "},
		{200, ms(100, 12, 50), "Frame 100: +38.0 ms. work "},
		{300, ms(40, 12, 50), "Frame 40: +38.0 ms. work "},
		{200, ms(100, 500, 50), "Frame 100: +38.0 ms. work "},
		{200, ms(-1, 500, 50), "Frame 0, the start: +488 ms. work "},
		{500, ms(99, 12, 50), "Frame 99: +38.0 ms. work "}, // 4.8 s ago
		{500, ms(59, 12, 50), ""},                          // 5.3 s ago
		{900, ms(40, 12, 50), ""},                          // ten seconds ago
	} {
		s := process.NewSession()
		s.SetHistory(1000, 1000)
		for i := range c.frames {
			write(t, s, workFrame(i, c.of(i)))
		}
		var v report.Verdict
		s.View().Verdict(&v)
		if got := v.String(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d frames: got %q; want %q", c.frames, got, c.want)
		}
	}
}

// workFrame is a frame of so many ms in one zone.
func workFrame(index int, ms float64) *gather.Frame {
	ticks := platform.Ticks(ms * 1000)
	return &gather.Frame{Index: uint64(index), TicksPerSecond: 1e6,
		Begin: platform.Ticks(index) * 1e6, End: platform.Ticks(index)*1e6 + ticks,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{
			{Parent: -1, Open: true}, {ID: 1, Zone: 1, Count: 1, Self: ticks}}}}}
}

// A frame over budget, as usual, has no zone that took most of it if the time is spread over many.
func TestNoSmallZoneIsMostOfAFrame(t *testing.T) {
	for want, parents := range map[string][]int32{
		"Spread over many zones, the largest part in work 0.80": make([]int32, 30),
		"Most of it: work 24.0, spread over what it calls, the largest part in work": {
			0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		"Most of it: work 12.0, spread over what it calls, the largest part in work": {
			0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13},
	} {
		s := process.NewSession()
		for i := range 100 {
			f := workFrame(i, 24)
			lane := &f.Lanes[0]
			lane.Nodes = lane.Nodes[:1]
			for k, parent := range parents {
				lane.Nodes = append(lane.Nodes, gather.Node{ID: gather.NodeID(k + 1), Zone: 1, Parent: parent, Count: 1,
					Self: platform.Ticks(24_000 / len(parents))})
				f.Zones = append(f.Zones, gather.ZoneInfo{Name: "work"})
				lane.Nodes[k+1].Zone = gather.ZoneID(k + 1)
			}
			write(t, s, f)
		}
		var v report.Verdict
		if s.VerdictOf(&v, 0); !strings.Contains(v.String(), want) {
			t.Errorf("got %q; want %q", v.String(), want)
		}
	}
}
