package process_test

import (
	"testing"

	"example.com/iprof/internal/replay"
	"example.com/iprof/internal/synth"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slowAt writes 200 frames of a program, one of them with a new path, and returns what was planted and the age of the
// frame.
func slowAt(t *testing.T, seed uint64) (*process.Session, synth.Planted, int) {
	t.Helper()
	s, p := process.NewSession(), synth.New(seed)
	p.Prepare()
	var planted synth.Planted
	for i := range 200 {
		if i == 150 {
			planted = p.Plant(synth.NewPath)
		}
		write(t, s, p.Frame())
	}
	return s, planted, 49
}

// cursorZone is the zone of the highlighted record.
func cursorZone(s *process.Session) report.ZoneID {
	var r report.Report
	s.AppendReport(&r)
	if r.Cursor < 0 {
		return -1
	}
	return r.Records[r.Cursor].Zone
}

func TestEachWayToASlowFrameLeadsToTheZoneToBlame(t *testing.T) {
	for name, goThere := range map[string]func(*process.Session, int){
		"SetFrame":  func(s *process.Session, age int) { s.SetFrame(age) },
		"MoveFrame": func(s *process.Session, age int) { s.SetFrame(age + 1); s.SetCursor(0); s.MoveFrame(1) },
		"ShowFrame": func(s *process.Session, age int) { s.ShowFrame(150) },
		"tree":      func(s *process.Session, age int) { s.SetReportMode(report.ReportCallTree); s.SetFrame(age) },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				s, planted, age := slowAt(t, seed)
				s.Pause()
				s.SetCursor(0)
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
	s.SetView(s.View().Opened(other))
	s.Select()
	before := cursorZone(s)
	s.SetFrame(age)
	if got := cursorZone(s); got != before {
		t.Errorf("call graph: got the cursor on zone %d; want it to stay on %d", got, before)
	}
	s.SetReportMode(report.ReportSelfTime)
	s.SetFrame(0)
	s.PinPath(0)
	s.SetCursor(0)
	before = cursorZone(s)
	s.SetFrame(age)
	if got := cursorZone(s); got != before {
		t.Errorf("pinned path: got the cursor on zone %d; want it to stay on %d", got, before)
	}
}

func TestShowVerdictGoesToTheFrame(t *testing.T) {
	late := 0
	for seed := range uint64(20) {
		s, p := process.NewSession(), synth.New(seed)
		p.Prepare()
		for range 100 {
			write(t, s, p.Frame())
		}
		var v report.Verdict
		if s.ShowVerdict(&v) || s.Paused() {
			t.Fatalf("seed %d: got %q, paused %v; want nothing, not paused", seed, v.String(), s.Paused())
		}
		planted := p.Plant(synth.NewPath)
		for range 6 {
			write(t, s, p.Frame())
		}
		if s.VerdictOf(&v, 5); !v.Over {
			continue
		}
		late++
		found, age, zone := s.ShowVerdict(&v), s.View().Age, cursorZone(s)
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
	r := replay.New(1, s)
	for range 400 {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	var v report.Verdict
	s.VerdictOfView(&v, report.View{Mode: report.ReportExtra})
	if len(v.Causes) != 2 || v.Causes[0].Name != "streaming" || v.Causes[1].Excess > v.Causes[0].Excess {
		t.Errorf("got causes %+v; want streaming, then a smaller one", v.Causes)
	}
}
