package console

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Calls over a time are printed, the longest first, with their frames, goroutines and callers.
func TestCallsOverATimeAsLines(t *testing.T) {
	s := replayed(t, 60)
	got := output(t, s, "calls broadphase >0.05ms")
	call := regexp.MustCompile(`(?m)^ +\S+ (ms|us)  frame \d+ at \S+ (ms|us), on \S+, called by \S`)
	head := " calls of broadphase over 50.00 us in 60 frames"
	if n := len(call.FindAllString(got, -1)); n < 10 || !strings.Contains(got, head) {
		t.Errorf("got %d lines in\n%s\nwant the calls", n, got)
	}
	if got := output(t, s, "calls broadphase > 1s"); !strings.HasPrefix(got, "0 calls of broadphase over 1.000 s") {
		t.Errorf("got %q; want none", got)
	}
	s.SetSources(func(c *process.Sources) { c.Events = nil })
	if got := output(t, s, "calls broadphase >1ms"); !strings.Contains(got, "the word events makes it") {
		t.Errorf("got %q; want that no events are kept", got)
	}
}

// Marks and messages are printed, all or those with a word.
func TestMarksAndMessagesAsLines(t *testing.T) {
	s := process.NewSession()
	if got := output(t, s, "marks"); got != "no marks" {
		t.Errorf("got %q; want none", got)
	}
	s = replayed(t, 3)
	s.Mark("level loaded")
	s.Mark("boss dead")
	if got := output(t, s, "marks BOSS"); !strings.Contains(got, ": boss dead") || strings.Contains(got, "level") {
		t.Errorf("got %q; want one mark", got)
	}
	if got := output(t, s, "messages"); got != "no messages" {
		t.Errorf("got %q; want none", got)
	}
}

// Sections are printed with their statistics, and a name selects the frames of the newest.
func TestSectionsAsLines(t *testing.T) {
	s := process.NewSession()
	if got := output(t, s, "sections"); got != "no sections" {
		t.Errorf("got %q; want none", got)
	}
	for i := range 30 {
		f := gather.Frame{Index: uint64(i), Begin: platform.Ticks(i) * 10e6, End: platform.Ticks(i+1) * 10e6,
			TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Section: gather.SectionInfo{Number: uint64(i/10 + 1), Name: "wave \x1b"}}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1, Self: 10e6}}}}
		must.Do(t, s.WriteFrame(&f))
	}
	want := `frames 20 to 29: 10 frames, average 10.00 ms, p99 10.00 ms, worst 10.00 ms: wave \x1b`
	if got := output(t, s, "sections"); strings.Count(got, "\n") != 2 || !strings.HasSuffix(got, want) {
		t.Errorf("got %q; want three lines, the last %q", got, want)
	}
	if got := output(t, s, `sections WAVE \x1b`); got != want || s.View().Get().Lens.From != 20 ||
		s.View().Get().Lens.To != 29 {
		t.Errorf("got %q and lens %+v; want %q and its frames", got, s.View().Get().Lens, want)
	}
	err := Command(s, io.Discard, "sections menu")
	if err == nil || !strings.Contains(err.Error(), `no section "menu"`) {
		t.Errorf("got error %v; want that there is none", err)
	}
}

// slowAtLast returns a session whose clock has that many ticks a millisecond. Its last frame is far slower than the
// others, which take turns.
func slowAtLast(t *testing.T, ticks platform.Ticks) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	now := platform.Ticks(0)
	for i := range 200 {
		root, load := platform.Ticks(10+i%2)*ticks+ticks/3, platform.Ticks(2)*ticks+ticks/3
		if i == 199 {
			load = 61*ticks + ticks/3
		}
		begin := now
		now += root + load
		must.Do(t, s.WriteFrame(&gather.Frame{Index: uint64(i), Begin: begin, End: now,
			TicksPerSecond: 1000 * float64(ticks), Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
			Marks: []gather.MarkInfo{{Lane: 1, Time: begin + root, Text: "here"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: now, Nodes: []gather.Node{
				{ID: 1, Parent: -1, Self: root}, {ID: 2, Zone: 1, Self: load, Count: 1}}}}}))
	}
	return s
}

// By a clock that counts milliseconds the verdict, what why and goroutine print, and the table of a report have no
// decimals of a frame's time. The budget has, for the program chose it, and so has the spread, which is computed.
func TestWordsOfACoarseClockHaveItsDecimals(t *testing.T) {
	coarse, fine := slowAtLast(t, 1), slowAtLast(t, 1000)
	decimals := regexp.MustCompile(`\b(1|2|10|11|61|71|72)\.\d+`)
	for line, want := range map[string]string{"why": "load: +59 ms, 61 instead of 2 +- ", "goroutine": "main, 61 ms"} {
		got := output(t, coarse, line)
		if !strings.Contains(got, want) || decimals.MatchString(got) {
			t.Errorf("%s: got %q; want %q and no decimals of the frame", line, got, want)
		}
		if got := output(t, fine, line); !decimals.MatchString(got) {
			t.Errorf("%s: got %q of a clock of microseconds; want decimals", line, got)
		}
	}
	verdict := regexp.MustCompile(`^frame 199: \+(59|60) ms\. load 61 \(usually 2\)`)
	var v report.Verdict
	if got := output(t, coarse, "why"); !coarse.VerdictOf(&v, 0) || !verdict.MatchString(strings.ToLower(v.String())) {
		t.Errorf("got %q, %q; want no decimals", got, v.String())
	}
	if got := fine.VerdictOf(&v, 0); !got || !strings.Contains(v.String(), "load 61.3 (usually 2.3)") {
		t.Errorf("got %q of a clock of microseconds; want decimals", v.String())
	}
	coarse.View().SetFrame(9)
	if got := output(t, coarse, "why"); got != "frame 190: 12 ms, usually 12: nothing unusual" &&
		got != "frame 190: 12 ms, usually 13: nothing unusual" {
		t.Errorf("got %q; want no decimals", got)
	}
}

func TestTableOfACoarseClockHasItsDecimals(t *testing.T) {
	for ticks, want := range map[platform.Ticks][]string{
		1: {" 61 ", " 11 ", "mark at 11 ms"}, 1000: {" 61.33 ", " 11.33 ", "mark at 11.33 ms"}} {
		s := slowAtLast(t, ticks)
		var r report.Report
		s.View().AppendReport(&r)
		var b bytes.Buffer
		must.Do(t, text.WriteReport(&b, &r, text.Options{}))
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%d ticks a millisecond: got no %q in\n%s", ticks, w, &b)
			}
		}
	}
}

// afterward returns a session whose zone "db" was entered only in the first frame, on a goroutine that ended with it.
// All frames of the history are later ones.
func afterward(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.SetHistory(20, 20)
	s.View().SetAverage(report.AverageInstant)
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "update"}, {Name: "db"}}
	for i := range uint64(60) {
		begin := platform.Ticks(i+1) * 1000
		f := &gather.Frame{Index: i, TicksPerSecond: 1e6, Begin: begin, End: begin + 1000, Zones: zones}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 1000,
			Nodes: []gather.Node{{Parent: -1, Self: 400}, {ID: 1, Zone: 1, Count: 1, Self: 600}}}}
		if i == 0 {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 2, Name: "request", Begin: begin, End: begin + 900,
				Nodes: []gather.Node{{ID: 2, Parent: -1, Self: 100}, {ID: 3, Zone: 2, Count: 1, Self: 800}}})
		}
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// TestCommandsFindEveryZoneOfTheTotals names a zone whose goroutine has ended, in each command that takes a zone.
func TestCommandsFindEveryZoneOfTheTotals(t *testing.T) {
	for _, line := range []string{"calls db off", "mute db off", "zone-budget db 4ms", "select db", "pin db"} {
		t.Run(line, func(t *testing.T) {
			var b bytes.Buffer
			if err := Command(afterward(t), &b, line); err != nil || !strings.Contains(b.String(), "db") {
				t.Errorf("got %v, %q; want the zone found", err, &b)
			}
		})
	}
}

// waitingSession has a frame of two zones that work and two that wait.
func waitingSession(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	f := &gather.Frame{End: 100, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"},
		{Name: "receive", Idle: true}, {Name: "vsync", Idle: true}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 100, Nodes: []gather.Node{{Parent: -1, Self: 1},
			{ID: 1, Zone: 1, Count: 1, Self: 9}, {ID: 2, Zone: 2, Count: 1, Self: 60},
			{ID: 3, Zone: 3, Count: 1, Self: 30}}}}}
	must.Do(t, s.WriteFrame(f))
	return s
}

// The terminal page has one row for the zones that wait. Enter opens it.
func TestPageFoldsWhatWaits(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the page says that nothing is measured")
	}
	s := waitingSession(t)
	p := testPage(s)
	shown := func() string { return read(p.lines(80, 20)) }
	if got := shown(); !strings.Contains(got, "= waiting  (2 zones, folded)") || strings.Contains(got, "vsync") {
		t.Errorf("got\n%s\nwant one row for receive and vsync", got)
	}
	press(p, "\x1b[B\x1b[B\x1b[B\x1b[B")
	if got := shown(); !strings.Contains(got, "> = waiting") {
		t.Errorf("at the last row: got\n%s\nwant the cursor on it", got)
	}
	press(p, "\x1b[A")
	if got := shown(); strings.Contains(got, "> = waiting") {
		t.Errorf("one row up: got\n%s\nwant the cursor above it", got)
	}
	press(p, "\x1b[B")
	shown()
	press(p, "\r")
	if got := shown(); !strings.Contains(got, "vsync") || strings.Contains(got, "folded") {
		t.Errorf("Enter: got\n%s\nwant the rows", got)
	}
	var b bytes.Buffer
	if err := Command(s, &b, "waiting off"); err != nil || !strings.Contains(b.String(), "waiting off") {
		t.Errorf("waiting off: got %q, %v", b.String(), err)
	}
	if got := shown(); strings.Contains(got, "vsync") {
		t.Errorf("waiting off: got\n%s\nwant them folded again", got)
	}
}

func TestTheCommandWhyExplainsTheFrame(t *testing.T) {
	s := process.NewSession()
	if got, want := output(t, s, "why"), "no frame has ended yet"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	s = replayed(t, 120)
	for _, c := range []struct{ line, want string }{
		{"why", "Frame 45: +16.3 ms. streaming 16.8 (usually 0.38).\n" +
			"  streaming: +16.46 ms, 16.84 instead of 0.38 +- 0.02, calls 3 instead of 3"},
		{"frame 0", "frame 119, 0 ago, 15.93 ms, paused"},
		{"average instant", "average instant"},
		{"why", "frame 119: 15.4 ms, usually 15.5: nothing unusual"},
	} {
		if got := output(t, s, c.line); got != c.want {
			t.Errorf("%s: got %q; want %q", c.line, got, c.want)
		}
	}
}

// TestLogEveryExplainsTheWorstFrame replays frames between two lines of a log, with a hitch among them.
func TestLogEveryExplainsTheWorstFrame(t *testing.T) {
	s := process.NewSession()
	r := world.NewGame(1, s)
	run := func(frames int) string {
		var out bytes.Buffer
		stop := LogEvery(s, &out, time.Hour)
		for range frames {
			r.Step()
		}
		stop()
		return out.String()
	}
	run(100)
	got := run(20)
	if strings.Count(got, "\n") != strings.Count(got, "lane")+1 ||
		!strings.Contains(got, "Frame 110: +8.9 ms. streaming") {
		t.Errorf("got %q; want one line on frame 110", got)
	}
	if got := run(20); strings.Contains(got, "Frame") {
		t.Errorf("got %q; want no line on a frame: all were on time", got)
	}
}

func TestTabCompletesACommandAndItsArgument(t *testing.T) {
	s := replayed(t, 3)
	for typed, want := range map[string]string{
		"av": "average ", "zone": "zone-budget ", "re": "re", "rec": "rec", "recu": "recursion ",
		"nonsense":  "nonsense",
		"average s": "average short ", "memory ": "memory ", "memory z": "memory zone ", "compare o": "compare o",
		"goroutine al": "goroutine all ", "nonsense s": "nonsense s", "pin a b": "pin a b", "older-": "older-10 ",
	} {
		if got := completed(s, typed); got != want {
			t.Errorf("%q: got %q; want %q", typed, got, want)
		}
	}
	p := newPage(s)
	p.take([]stroke{{char: ':'}, {char: 'a'}, {char: 'v'}, plainStroke('\t')}, nil)
	if got := p.prompt.typed; got != "average " {
		t.Errorf("Tab after av: got %q; want the command", got)
	}
}

// Every command of the table can be typed.
func TestEveryCommandCanBeTyped(t *testing.T) {
	s := replayed(t, 3)
	for _, c := range viewer.Commands() {
		w, err := find(s, c.Name)
		if err != nil || w.Name != c.Name || w.Do == nil && w.Line == nil || w.Says() == "" {
			t.Errorf("%q: got %+v, %v; want a line that runs it, and words", c.Name, w, err)
		}
	}
	if got := output(t, s, "calltree"); !strings.HasPrefix(got, "calltree: ") ||
		s.View().Get().Mode != report.ReportCallTree {
		t.Errorf("calltree: got %q, mode %v; want the call tree", got, s.View().Get().Mode)
	}
	ran := 0
	viewer.PanelFor(s).AddCommand(viewer.Command{Name: "greet", Action: "say hello",
		Do: func(*process.Session, *viewer.Panel) { ran++ }})
	if help := output(t, s, "help"); !strings.Contains(help, "say hello") {
		t.Errorf("help: got no line for a command that the program added:\n%s", help)
	}
	if output(t, s, "greet"); ran != 1 {
		t.Errorf("greet: got it run %d times; want once", ran)
	}
}
