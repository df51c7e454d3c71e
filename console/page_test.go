package console

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// style matches what the page says to the terminal, and not to the reader.
var style = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// read returns a page as its reader sees it.
func read(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintln(&b, strings.TrimRight(style.ReplaceAllString(line, ""), " "))
	}
	return b.String()
}

func testPage(s *process.Session) *page { return &page{session: s, unicode: true, color: true} }

// press sends keys to a page, as a terminal's bytes.
func press(p *page, bytes string) departure {
	var d decoder
	return p.take(append(d.add([]byte(bytes)), d.add(nil)...), &screen{})
}

func TestPageGolden(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the page says that nothing is measured")
	}
	for name, test := range map[string]struct {
		keys          string
		width, height int
	}{
		"page.live":      {"", 80, 24},
		"page.paused":    {" \x1b[D\x1b[D\x1b[B\x1b[B", 80, 24},
		"page.callgraph": {"\x1b[B\r", 80, 24},
		"page.help":      {"?", 80, 40},
		"page.small":     {"\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B", 40, 10},
		"page.answer":    {":lane\r", 80, 24},
		"page.typing":    {":select bro", 80, 24},
		"page.complaint": {":nonsense\r", 60, 24},
		"page.wide":      {"", 200, 50},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPage(replayed(t, 120))
			press(p, test.keys)
			golden.Text(t, name+".golden", []byte(read(p.lines(test.width, test.height))))
		})
	}
}

func TestThePageHasTheCauseInWhole(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the page says that nothing is measured")
	}
	s := replayed(t, 120)
	for _, width := range []int{40, 60, 80, 200} {
		p := testPage(s)
		lines := p.lines(width, 24)
		if !strings.HasPrefix(read(lines), "62.78 fps  ") {
			t.Errorf("%d columns: got %q first; want the rate", width, lines[0])
		}
		whole := strings.Join(strings.Fields(read(lines[1:1+p.causes])), " ")
		if want := p.report.Verdict.String(); whole != want || want == "" {
			t.Errorf("%d columns: got %q; want %q", width, whole, want)
		}
		height := p.causes
		press(p, " \x1b[D\x1b[D") // frames without a verdict
		if p.lines(width, 24); p.report.Verdict.Found() || p.causes != height {
			t.Errorf("%d columns: got %d lines for the cause, verdict %v; want %d empty ones", width, p.causes,
				p.report.Verdict.Found(), height)
		}
		press(p, " ")
	}
}

// Where there is no room for whom a frame waited for, the title is whole without that.
func TestTheTitleOfANarrowPageIsWhole(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the page says that nothing is measured")
	}
	s := process.NewSession()
	for i := range uint64(40) {
		begin := platform.Ticks(i) * 100
		f := &gather.Frame{Index: i, Begin: begin, End: begin + 16, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "game"}, {Name: "join", Idle: true}, {Name: "simulate"}},
			Lanes: []gather.LaneFrame{
				{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 16, Nodes: []gather.Node{
					{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Count: 1, Self: 2}, {ID: 3, Zone: 2, Count: 1, Self: 14}}},
				{ID: 2, Name: "worker", Begin: begin, End: begin + 16, Nodes: []gather.Node{
					{ID: 4, Parent: -1, Self: 2}, {ID: 5, Zone: 3, Count: 1, Self: 14}}}}}
		must.Do(t, s.WriteFrame(f))
	}
	for width, want := range map[int]string{
		80: "62.50 fps  average 16.000 ms = 2.0 busy + 14.0 waiting for other goroutines\n",
		60: "62.50 fps  average 16.000 ms = 2.0 busy + 14.0 waiting\n",
	} {
		if got := read(testPage(s).lines(width, 24)[:1]); got != want {
			t.Errorf("%d columns: got %q; want %q", width, got, want)
		}
	}
}

func TestPageWithoutUnicode(t *testing.T) {
	p := testPage(replayed(t, 120))
	p.unicode, p.color = false, false
	for _, line := range p.lines(100, 30) {
		for _, r := range style.ReplaceAllString(line, "") {
			if r > 126 {
				t.Fatalf("got %q in %q; want ASCII", r, line)
			}
		}
		for _, code := range style.FindAllString(line, -1) {
			if code != bold && code != reversed && code != ended {
				t.Errorf("got style %q in %q; want no colour", code, line)
			}
		}
	}
}

// hostileSession has one frame of zones with hostile names.
func hostileSession(t testing.TB) *process.Session {
	f := gather.Frame{End: 1e9, TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "\x1b[2J", Updater: true, End: 1e9,
			Nodes: []gather.Node{{Parent: -1, Self: 1e6}}}}}
	for i, name := range sampledump.HostileNames {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name})
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes,
			gather.Node{ID: gather.NodeID(i + 1), Zone: report.ZoneID(i + 1), Self: 1e6, Count: 1})
	}
	s := process.NewSession()
	must.Do(t, s.WriteFrame(&f))
	return s
}

// Whatever is shown, at whatever size: as many lines as the screen has, none too wide, and nothing but text and styles.
func TestPageFitsTheScreen(t *testing.T) {
	for what, s := range map[string]*process.Session{"replayed": replayed(t, 120), "hostile": hostileSession(t),
		"empty": process.NewSession()} {
		t.Run(what, func(t *testing.T) {
			for _, keys := range []string{"", "?", ":help\r", ":lane\r", ":abc", "5", "\x1b[6~",
				"\x1b[6~\x1b[6~\x1b[6~\r"} {
				p := testPage(s)
				press(p, keys)
				for width := 24; width < 160; width += longtest.Pick(11, 33) {
					for height := 4; height < 50; height += longtest.Pick(5, 15) {
						lines := p.lines(width, height)
						if len(lines) != height {
							t.Fatalf("%s %q: got %d lines; want %d", what, keys, len(lines), height)
						}
						checkLines(t, fmt.Sprintf("%s %q %dx%d", what, keys, width, height), lines, width)
					}
				}
			}
		})
	}
}

func checkLines(t *testing.T, what string, lines []string, width int) {
	t.Helper()
	for _, line := range lines {
		plain := style.ReplaceAllString(line, "")
		if utf8.RuneCountInString(plain) > 9*width || strings.ContainsFunc(plain, func(r rune) bool {
			return r < ' ' || r == 0x7f || r == 0x202e
		}) {
			t.Fatalf("%s: got line %q; want at most %d cells of text", what, plain, width)
		}
		if ascii := strings.IndexFunc(plain, func(r rune) bool {
			return r >= 0x300 && (r < 0x2190 || r > 0x2590)
		}) < 0; ascii && utf8.RuneCountInString(plain) > width {
			t.Fatalf("%s: got %d cells; want at most %d: %q", what, utf8.RuneCountInString(plain), width, plain)
		}
	}
}

// The highlighted record is on the page, wherever the cursor goes.
func TestCursorStaysInSight(t *testing.T) {
	p := testPage(replayed(t, 60))
	for range 100 {
		press(p, "\x1b[B")
		if page := read(p.lines(80, 12)); strings.Count(page, "\n> ") != 1 {
			t.Fatalf("no cursor in sight:\n%s", page)
		}
	}
	for range 100 {
		press(p, "\x1b[A")
		if page := read(p.lines(80, 12)); strings.Count(page, "\n> ") != 1 {
			t.Fatalf("no cursor in sight:\n%s", page)
		}
	}
}

func TestKeysDoWhatTheyDoInTheWindow(t *testing.T) {
	for keys, check := range map[string]func(*process.Session) bool{
		" ":              (*process.Session).Paused,
		"2":              func(s *process.Session) bool { return s.View().Get().Mode == report.ReportHierarchicalTime },
		"5":              func(s *process.Session) bool { return s.View().Get().Mode == report.ReportCallTree },
		"\x1b[D\x1b[D":   func(s *process.Session) bool { return s.View().Get().Age == 2 && s.Paused() },
		"\x1b[1;2D":      func(s *process.Session) bool { return s.View().Get().Age == 10 },
		"\x1b[D\x1b[F":   func(s *process.Session) bool { return s.View().Get().Age == 0 && !s.Paused() },
		"m":              func(s *process.Session) bool { return s.View().Get().Age == 60-1-45 },
		"a":              func(s *process.Session) bool { return s.View().Get().Average == report.AverageLong },
		"r":              func(s *process.Session) bool { return s.View().Get().Recursion == report.RecursionSpread },
		"l":              func(s *process.Session) bool { return s.View().Get().Lane != 0 },
		"ll":             func(s *process.Session) bool { return s.View().Get().Lane != 0 },
		"lL":             func(s *process.Session) bool { return s.View().Get().Lane == 0 },
		"\x1b[B\r":       func(s *process.Session) bool { return s.View().Get().Mode == report.ReportCallGraph },
		"x":              func(s *process.Session) bool { return s.View().Info().Frames == 0 },
		":mode 3\r":      func(s *process.Session) bool { return s.View().Get().Mode == report.ReportCallGraph },
		":mode 3x\x7f\r": func(s *process.Session) bool { return s.View().Get().Mode == report.ReportCallGraph },
		":mode 3\x1b":    func(s *process.Session) bool { return s.View().Get().Mode == report.ReportSelfTime },
		"/broad\r":       func(s *process.Session) bool { return s.Zone(s.View().Get().Focus).Name == "broadphase" },
	} {
		t.Run(keys, func(t *testing.T) {
			s := replayed(t, 60)
			if left := press(testPage(s), keys); left != stay || !check(s) {
				t.Errorf("%q: got view %+v, paused %v, left %v", keys, s.View().Get(), s.Paused(), left)
			}
		})
	}
}

func TestKeysThatLeaveThePage(t *testing.T) {
	for keys, want := range map[string]departure{"q": quit, "Q": quit, "\x03": interruption, "aq": quit, ":q": stay,
		":\x03": interruption, "\x1bz": stay} {
		t.Run(keys, func(t *testing.T) {
			if got := press(testPage(replayed(t, 5)), keys); got != want {
				t.Errorf("%q: got %v; want %v", keys, got, want)
			}
		})
	}
}

// The frame shown has its bar in sight, wherever it is.
func TestStripShowsTheFrame(t *testing.T) {
	for _, age := range []int{1, 20, 39, 40, 41, 100, 190, 199} {
		t.Run(fmt.Sprint("age=", age), func(t *testing.T) {
			s := replayed(t, 200)
			s.Pause()
			s.View().SetFrame(age)
			p := testPage(s)
			p.takeReport(46)
			strip := strings.Join(p.strip(46, 1), "")
			bars := []rune(strings.TrimPrefix(style.ReplaceAllString(strip, ""), "PAUSED "))
			if n := strings.Count(strip, reversed); n != 1 || len(bars) > 39 || len(bars) < 20 {
				t.Errorf("age %d: got %d marked bars of %d: %q; want 1 of 20 to 39", age, n, len(bars), strip)
			}
		})
	}
}

// A key that the host has changed in the window is changed on the page, help included.
func TestReboundKeys(t *testing.T) {
	s := replayed(t, 5)
	must.Do(t, input.ControllerFor(s).Rebind("pause", 'W', 0))
	p := testPage(s)
	if press(p, " "); s.Paused() {
		t.Error("space still pauses; want it to do nothing")
	}
	if press(p, "w"); !s.Paused() {
		t.Error("w does not pause; want it to")
	}
	press(p, "?")
	if help := read(p.lines(80, 50)); !regexp.MustCompile(`(?m)^ +w +pause`).MatchString(help) {
		t.Errorf("the help does not say that W pauses:\n%s", help)
	}
}

func TestScreenWritesWhatChanged(t *testing.T) {
	var b strings.Builder
	s := screen{w: &b}
	s.draw(10, []string{"one", "two", "three"})
	b.Reset()
	s.draw(10, []string{"one", "2", "three"})
	if got, want := b.String(), "\x1b[2;1H\x1b[2K2\x1b[0m"; got != want {
		t.Errorf("one line changed: got %q; want %q", got, want)
	}
	b.Reset()
	if s.draw(10, []string{"one", "2", "three"}); b.Len() != 0 {
		t.Errorf("nothing changed: got %q; want nothing", b.String())
	}
	for _, change := range []func(){func() {
		s.draw(11, []string{"one", "2", "three"})
	}, func() { s.draw(11, []string{"one", "2"}) }} {
		b.Reset()
		if change(); !strings.HasPrefix(b.String(), "\x1b[0m\x1b[2J") || !strings.Contains(b.String(), "one") {
			t.Errorf("another size: got %q; want all of it again", b.String())
		}
	}
	s.w = &failing{}
	if err := s.draw(10, []string{"x"}); err != errGone {
		t.Errorf("got error %v; want %v", err, errGone)
	}
}
