package console

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

func TestTimelineAsLines(t *testing.T) {
	s := replayed(t, 60)
	output(t, s, "frame 3")
	got := output(t, s, "timeline 12")
	lines := strings.Split(got, "\n")
	if !strings.HasPrefix(lines[0], "frame 56, 3 ago, ") || !strings.Contains(got, "on main (1)\n") ||
		!strings.Contains(got, "on loader (2)\n") {
		t.Errorf("got\n%s\nwant the frame and its lanes", got)
	}
	scope := regexp.MustCompile(`(?m)^  [.=]{32} [ <]\s*\S+ \S+\s+\S+ \S+  ( *)\S.*$`)
	if n := len(scope.FindAllString(got, -1)); n != 12 {
		t.Errorf("got %d scopes in\n%s\nwant 12", n, got)
	}
	all := regexp.MustCompile(`left out (\d+) shorter scopes; timeline (\d+) shows all`).FindStringSubmatch(got)
	if all == nil {
		t.Fatalf("got\n%s\nwant how many are left out", got)
	}
	whole := output(t, s, "timeline "+all[2])
	if n := len(scope.FindAllString(whole, -1)); strings.Contains(whole, "left out") || n <= 12 ||
		!strings.Contains(whole, "    broadphase") {
		t.Errorf("got %d scopes in\n%s\nwant all", n, whole)
	}
	output(t, s, "lane loader")
	if got := output(t, s, "timeline"); strings.Contains(got, "on main") || !strings.Contains(got, "on loader") {
		t.Errorf("got\n%s\nwant one lane", got)
	}
	s.SetSources(func(c *process.Sources) { c.Events = nil })
	if got := output(t, s, "timeline"); !strings.Contains(got, "keeps no events; the word events makes it") {
		t.Errorf("got %q; want that no events are kept", got)
	}
	if got := output(t, process.NewSession(), "timeline"); !strings.HasPrefix(got, "no frames yet") {
		t.Errorf("got %q; want that there are no frames", got)
	}
}

// resetting is a writer that calls Reset before each Write, as another goroutine might.
type resetting struct {
	bytes.Buffer
	s *process.Session
}

func (w *resetting) Write(p []byte) (int, error) {
	w.s.Reset()
	return w.Buffer.Write(p)
}

func TestTimelineBesideReset(t *testing.T) {
	w := &resetting{s: replayed(t, 60)}
	if err := Command(w.s, w, "timeline"); err != nil || !strings.Contains(w.String(), "no longer there") {
		t.Errorf("got %v,\n%s\nwant it to say that the frame is no longer there", err, w)
	}
}

func TestCommandsBesideResetDoNotPanic(t *testing.T) {
	defer gather.SetEvents(0) // which "events 1" and "limit 1" change for the whole program
	defer gather.SetOverheadLimit(0)
	t.Chdir(t.TempDir())
	for _, word := range names() {
		for _, argument := range []string{"", " 1", " iprof"} {
			t.Run("line="+word+argument, func(t *testing.T) {
				w := &resetting{s: replayed(t, 60)}
				_ = Command(w.s, w, word+argument)
			})
		}
	}
}

func TestKeptFramesHaveNoTimeline(t *testing.T) {
	s := replayed(t, 400)
	output(t, s, "slowest 1")
	output(t, s, "history 20")
	output(t, s, "slowest 1")
	if got := output(t, s, "timeline"); !strings.Contains(got, "its events of this frame are gone") {
		t.Errorf("got %q; want that there is none", got)
	}
}

// steps runs lines of which each has an answer.
func steps(t *testing.T, s *process.Session, list ...[2]string) {
	t.Helper()
	for _, step := range list {
		if got := output(t, s, step[0]); !strings.HasPrefix(got, step[1]) {
			t.Errorf("%s: got %q; want %q", step[0], got, step[1])
		}
	}
}

func TestWordsOfMeasuring(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	defer gather.SetEvents(0)
	defer gather.SetOverheadLimit(0)
	defer gather.SetRecording(true)
	s := replayed(t, 10)
	steps(t, s, [2]string{"events", "events off"},
		[2]string{"events on", "events on: the newest 65536 of each goroutine"},
		[2]string{"ev 100", "events on: the newest 128"}, [2]string{"events off", "events off"},
		[2]string{"limit", "limit off; measuring takes "}, [2]string{"limit 2.5%", "limit 2.5 %; "},
		[2]string{"lim 3", "limit 3 %; "},
		[2]string{"limit", "limit 3 %"}, [2]string{"limit 0.02", "limit 2 %; "},
		[2]string{"limit 0.5%", "limit 0.5 %; "}, [2]string{"limit 0", "limit off"},
		[2]string{"limit 1", "limit 1 %; "}, [2]string{"limit off", "limit off"},
		[2]string{"recording", "recording on"}, [2]string{"recording off", "recording off"},
		[2]string{"recording on", "recording on"})
}

func TestBudgetAndHistory(t *testing.T) {
	s := replayed(t, 60)
	steps(t, s, [2]string{"budget", "budget 16.67 ms, 60 frames"},
		[2]string{"budget 20ms", "budget 20.00 ms, 50 frames"},
		[2]string{"budget 144fps", "budget 6.944 ms, 144 frames"},
		[2]string{"budget 10", "budget 10.00 ms, 100 frames"})
	if got := s.FrameBudget(); got != 10*time.Millisecond {
		t.Errorf("got budget %v; want 10 ms", got)
	}
	steps(t, s, [2]string{"budget usual", "budget 16.67 ms"},
		[2]string{"history", "history 300 frames, 300 of them whole, and the slowest 16"},
		[2]string{"history 20", "history 20 frames, 20 of them whole"})
	if got := len(s.AppendFrames(nil, 1000)); got != 20 {
		t.Errorf("got %d frames; want 20", got)
	}
}

func TestTheCommandPinRestrictsRows(t *testing.T) {
	s := replayed(t, 60)
	steps(t, s, [2]string{"pin", "pin off"}, [2]string{"pin simulate", "pin: rows count what is below simulate"},
		[2]string{"pin simulate > physics", "pin: rows count what is below simulate > physics_solve"})
	if got := len(s.View().Get().Pin); got != 2 {
		t.Errorf("got %d zones pinned; want 2", got)
	}
	steps(t, s, [2]string{"pin off", "pin off: rows count everything"})
}

func TestCallsOfTheConsole(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	s := process.Default()
	countedZones++
	name := fmt.Sprint("console calls ", countedZones)
	counted := &gather.Zone{Name: name} // its calls are kept, so a repeated test has another
	counted.Begin().End()
	s.Update()
	steps(t, s, [2]string{"calls " + name, name + ": no single calls"}, [2]string{"calls " + name + " on", name + ": "})
	for range 50 {
		counted.Begin().End()
	}
	s.Update()
	if got := output(t, s, "calls "+name); !regexp.MustCompile(
		`^console calls \d+: (49|50) calls, min \d.* p50 .* p99 .* max `).MatchString(got) {
		t.Errorf("got %q; want 50 calls, or one less", got)
	}
	steps(t, s, [2]string{"calls " + name + " OFF", name + ": "})
}

// countedZones is how many zones TestCallsOfTheConsole has used.
var countedZones int

func TestMuteByName(t *testing.T) {
	s := replayed(t, 10)
	if got := output(t, s, "mute decompress on"); got != "decompress: measured" { // it is another program's zone
		t.Errorf("got %q", got)
	}
	var b bytes.Buffer
	if err := Command(s, &b, "mute nothing of that name"); err == nil || !strings.Contains(b.String(), "no zone") {
		t.Errorf("got %v, %q; want that there is no such zone", err, &b)
	}
}

func TestZoneBudgetAsALine(t *testing.T) {
	s := replayed(t, 10)
	steps(t, s, [2]string{"zone-budget decompress 4", "decompress: budget 4ms a frame"},
		[2]string{"zone-budget decompress 500us", "decompress: budget 500µs a frame"},
		[2]string{"zone-budget decompress off", "decompress: no budget"})
	for line, want := range map[string]string{"decompress": "a zone and a time", "nothing 4ms": "no zone",
		"decompress soon": "not a time"} {
		var b bytes.Buffer
		if err := Command(s, &b, "zone-budget "+line); err == nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: got %v, %q; want %q", line, err, &b, want)
		}
	}
}

// An event-driven program can be called so from the console.
func TestEventDrivenAsALine(t *testing.T) {
	s := process.NewSession()
	steps(t, s, [2]string{"idle-outside", "idle-outside off"}, [2]string{"idle-outside on", "idle-outside on"})
	if !s.EventDriven() {
		t.Error("got a session that is not event-driven; want it so")
	}
	steps(t, s, [2]string{"idle-outside off", "idle-outside off"})
}

// coarse is a lane's events of a clock that counts milliseconds.
type coarse []gather.Event

func (c coarse) AppendEvents(dst []gather.Event, _ report.LaneID, _, _ platform.Ticks) []gather.Event {
	return append(dst, c...)
}

func (coarse) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, true }

// TestTimesOfACoarseClockHaveItsDecimals has frames of 17 ms by a clock that counts milliseconds.
func TestTimesOfACoarseClockHaveItsDecimals(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(3) {
		begin := platform.Ticks(i) * 17
		s.SetSources(func(c *process.Sources) {
			c.Events = coarse{{Node: 2, Zone: 1, Time: begin + 2}, {Node: 2, Zone: 1, Time: begin + 5, End: true}}
		})
		must.Do(t, s.WriteFrame(&gather.Frame{Index: i, Begin: begin, End: begin + 17, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 17,
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 14}, {ID: 2, Zone: 1, Self: 3, Count: 1}}}}}))
	}
	for line, want := range map[string]string{"timeline": "2 ms       3 ms  load", "frame": "ago, 17 ms",
		"slowest": "frame 2, 17 ms"} {
		if got := output(t, s, line); !strings.Contains(got, want) || strings.Contains(got, ".000") {
			t.Errorf("%s: got %q; want %q", line, got, want)
		}
	}
}
