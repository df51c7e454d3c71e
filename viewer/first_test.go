//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// command has the zones of a program that runs once, profile the stacks of a profile.
var (
	command = []worldZone{
		{0, "main", "main", 0.1, 1, false},
		{1, "words", "load", 3.2, 12, false}, {2, "words", "split", 1.6, 400, false},
		{1, "words", "parse", 4.1, 12, false}, {2, "words", "intern", 2.2, 3000, false},
		{1, "words", "index", 1.4, 3, false}, {2, "words", "sortWords", 0.9, 3, false},
		{1, "words", "write", 0.8, 1, false}, {2, "words", "flush", 0.6, 4, true},
	}
	profile = []worldZone{
		{0, "runtime", "runtime.main", 0, 0, false}, {1, "main", "main.main", 0, 0, false},
		{2, "main", "main.load", 40, 0, false}, {3, "strings", "strings.Fields", 160, 0, false},
		{4, "runtime", "runtime.mallocgc", 90, 0, false}, {2, "main", "main.parse", 110, 0, false},
		{3, "runtime", "runtime.mapassign", 220, 0, false}, {4, "runtime", "runtime.growWork", 60, 0, false},
		{0, "runtime", "runtime.gcBgMarkWorker", 20, 0, false}, {1, "runtime", "runtime.gcDrain", 120, 0, false},
		{2, "runtime", "runtime.scanobject", 70, 0, false},
	}
)

// callsOfRoutes are the durations of the calls of each route: those of the third route are the slowest.
type callsOfRoutes struct{}

func (callsOfRoutes) AppendCalls(dst []gather.Calls) []gather.Calls {
	for i := range 12 {
		k := gather.Calls{Lane: 2, Node: gather.NodeID(1000 + len(server) + 3*i + 2),
			Zone: gather.ZoneID(len(server) + 3*i + 1)}
		for n := range 400 {
			k.Add(platform.Ticks(1500 + 200*(i%5) + n%90))
		}
		for range 9 {
			k.Add(platform.Ticks(9000 + 60_000*((i+9)%12)/12))
		}
		dst = append(dst, k)
	}
	return dst
}

// ofKind returns a session with what a file of a kind has.
func ofKind(t *testing.T, kind report.Kind) *process.Session {
	t.Helper()
	s := process.NewSession()
	switch kind {
	case report.KindServer:
		s = writeWorld(t, server, serverRoutes, 6)
		f := *s.Sources().Events.(*causeEvents).frames[worldFrames-1]
		f.Index, f.Begin, f.End = f.Index+1, f.End, f.End+f.End-f.Begin
		f.SlowCalls = []gather.SlowCall{{Zone: 9, Lane: 2, Begin: f.Begin + 4000, End: f.Begin + 68_000, Usual: 1700,
			Parts: []gather.CallPart{{Zone: 10, Count: 30, Time: 61_000}}}}
		must.Do(t, s.WriteFrame(&f))
	case report.KindCommand:
		s = writeWorld(t, command, nil, 0)
	case report.KindProfile:
		f := &gather.Frame{TicksPerSecond: 1e6, Zones: worldZones(profile), Lanes: []gather.LaneFrame{{ID: 1,
			Name: "profile", Updater: true, Nodes: worldNodes(rand.New(rand.NewPCG(5, 62)), profile, 0, 0)}}}
		closeWorld(f)
		must.Do(t, s.WriteFrame(f))
	case report.KindTrace:
		s = goTrace(t)
	default:
		s = writeWorld(t, game, gameWorkers, 4)
	}
	s.SetSources(func(c *process.Sources) {
		if c.Program.Kind = kind; kind == report.KindServer {
			c.Calls, c.Events = callsOfRoutes{}, nil
		}
	})
	return s
}

// goTrace has the frames of an execution trace: goroutines of two go statements.
func goTrace(t *testing.T) *process.Session {
	t.Helper()
	s, events, random := process.NewSession(), &causeEvents{}, rand.New(rand.NewPCG(62, 5))
	s.SetHistory(worldFrames, worldFrames)
	s.SetSources(func(c *process.Sources) { c.Events = events })
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "main.main"}, {Name: "main.fetch"}, {Name: "main.(*Pool).work"}}
	for i := range platform.Ticks(60) {
		f := &gather.Frame{Index: uint64(i), Begin: i * 16_667, TicksPerSecond: 1e6, Zones: zones}
		for g := range 21 {
			zone, name := 2, fmt.Sprintf("main.fetch fetch.go:31 #%d", g+8)
			switch {
			case g == 0:
				zone, name = 1, "main.main #1"
			case g%2 > 0:
				zone, name = 3, fmt.Sprintf("main.(*Pool).work pool.go:112 #%d", g+8)
			}
			run := platform.Ticks(random.IntN(4000 * (zone + 1)))
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(g + 1), Name: name, Updater: g == 0,
				Begin: f.Begin, End: f.Begin + 16_667, Nodes: []gather.Node{{ID: gather.NodeID(2*g + 1), Parent: -1,
					Self: 16_667 - run}, {ID: gather.NodeID(2*g + 2), Zone: gather.ZoneID(zone), Count: 1, Self: run}}})
		}
		f.End = f.Begin + 16_667
		events.frames = append(events.frames, f)
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// beginsWith are the first screens of the kinds.
var beginsWith = [report.NumKinds]struct {
	mode     report.ReportMode
	row      string
	timeline viewer.TimelineMode
	history  bool
	words    string
	size     [2]int // of the picture
}{
	report.KindGame: {report.ReportSelfTime, "decode", viewer.TimelineHidden, true, "FILE",
		[2]int{1280, 720}},
	report.KindServer: {report.ReportHierarchicalTime, "POST /users", viewer.TimelineHidden, true, "FILE",
		[2]int{3840, 2160}},
	report.KindCommand: {report.ReportCallTree, "main", viewer.TimelineHidden, true, "FILE",
		[2]int{390, 844}},
	report.KindProfile: {report.ReportCallTree, "runtime.main", viewer.TimelineHidden, false, "runtime.growWork",
		[2]int{800, 500}},
	report.KindTrace: {report.ReportHierarchicalTime, "main.(*Pool).work", viewer.TimelineLarge, true,
		"timeline of intervals",
		[2]int{1280, 720}},
}

// A capture begins with what a user of its kind asks first. All but a game begin with the whole run, in sums.
func TestEachKindBeginsWithItsOwnScreen(t *testing.T) {
	for kind, want := range beginsWith {
		kind := report.Kind(kind)
		t.Run(kind.String(), func(t *testing.T) {
			s := ofKind(t, kind)
			p := openWorld(s)
			p.ShowFirst()
			m := paint(t, p, want.size[0], want.size[1], 1)
			v, r := s.View().Get(), viewer.Report(p)
			if v.Mode != want.mode || p.Options().Timeline != want.timeline || v.Lens.Sums() == kind.HasFrames() {
				t.Errorf("got mode %v, timeline %v, lens %+v; want %+v", v.Mode, p.Options().Timeline, v.Lens, want)
			}
			if row, _ := r.Line(0); row.Name != want.row {
				t.Errorf("got %s as the first row; want %s", row.Name, want.row)
			}
			if got := plotOf(p).Height() > 0; got != want.history {
				t.Errorf("got a history %v; want %v", got, want.history)
			}
			all := wordsOf(p, 1280, 720)
			if !slices.Contains(all, want.words) || slices.Contains(all, "PAUSED") {
				t.Errorf("got %q; want %q and no pause", all, want.words)
			}
			if words := wordsOf(p, 390, 844); kind == report.KindServer && !slices.Contains(words, "call p99 ms") {
				t.Errorf("got %q in a narrow window; want the column that orders the rows", words)
			}
			if kind == report.KindGame { // its picture is that of other tests
				return
			}
			golden.Picture(t, "first-"+kind.String()+".png", m)
			for _, words := range all {
				if odd := regexp.MustCompile(`(?i)frame|fps|budget|max 5 s`).FindString(words); odd != "" {
					t.Errorf("got %q; want no words on frames", words)
				}
			}
		})
	}
}

// A view, an order or a timeline that the user has chosen stays. So does a view after the first screen.
func TestTheFirstScreenNeverReplacesAChoice(t *testing.T) {
	for name, choose := range map[string]func(s *process.Session, p *viewer.Panel){
		"report": func(s *process.Session, _ *viewer.Panel) { s.View().SetReportMode(report.ReportExtra) },
		"frame":  func(s *process.Session, _ *viewer.Panel) { s.View().SetFrame(7) },
		"lens": func(s *process.Session, _ *viewer.Panel) {
			s.View().SetLens(report.Lens{Kind: report.LensSlowest})
		},
		"timeline": func(_ *process.Session, p *viewer.Panel) { p.Run("timeline") },
		"order": func(s *process.Session, _ *viewer.Panel) {
			s.View().Arrange(func(a *report.Arrangement) { a.Order.Chosen, a.Order.By = true, report.ColumnCount })
		},
	} {
		for _, first := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " after it: ", first), func(t *testing.T) {
				s := ofKind(t, report.KindCommand)
				p := openWorld(s)
				if first {
					p.ShowFirst()
				}
				choose(s, p)
				want, timeline := s.View().Get(), p.Options().Timeline
				s.SetSources(func(c *process.Sources) { c.Program.Kind = report.KindTrace })
				p.ShowFirst()
				if got := s.View().Get(); got.Mode != want.Mode || got.Lens != want.Lens || got.Order != want.Order ||
					got.Age != want.Age || p.Options().Timeline != timeline {
					t.Errorf("got %+v, timeline %v; want %+v, %v", got, p.Options().Timeline, want, timeline)
				}
			})
		}
	}
}

// A running program shows its kind with its frames: the screen follows until the user chooses another.
func TestTheFirstScreenFollowsTheKind(t *testing.T) {
	s := ofKind(t, report.KindGame)
	p := openWorld(s)
	for _, kind := range []report.Kind{report.KindTrace, report.KindGame, report.KindServer} {
		s.SetSources(func(c *process.Sources) { c.Program.Kind = kind })
		p.ShowFirst()
		if want := beginsWith[kind]; s.View().Get().Mode != want.mode || p.Options().Timeline != want.timeline {
			t.Errorf("%v: got mode %v, timeline %v; want %+v", kind, s.View().Get().Mode, p.Options().Timeline, want)
		}
	}
}

// The history of a server names what its goroutines work on. The profiler's own work is never among it.
func TestTheHistoryOfAServerIsOfAllGoroutines(t *testing.T) {
	for _, kind := range []report.Kind{report.KindServer, report.KindGame} {
		s := ofKind(t, report.KindServer)
		if kind == report.KindGame {
			s.SetSources(func(c *process.Sources) { c.Program.Kind = report.KindGame })
			s.SetFrameBudget(20 * time.Millisecond)
		}
		p := openWorld(s)
		settled(t, p, 1280, 720, 1)
		routes := 0
		for _, zone := range viewer.Layers(p) {
			switch name := s.Zone(zone).Name; {
			case name == "iprof update":
				t.Errorf("%v: got %s in the history", kind, name)
			case strings.Contains(name, "/"):
				routes++
			}
		}
		if (routes > 5) != (kind == report.KindServer) {
			t.Errorf("%v: got %d zones of requests in the history", kind, routes)
		}
	}
}

// The menu of frames has nothing on a budget where no frame is late.
func TestTheMenuOfFramesHasABudgetOnlyWithOne(t *testing.T) {
	for kind, want := range map[report.Kind]bool{report.KindGame: true, report.KindServer: false} {
		s := ofKind(t, kind)
		p := openWorld(s)
		settled(t, p, 1280, 720, 1)
		p.Run("frames")
		words := strings.Join(wordsOf(p, 1280, 720), "\n")
		if got := strings.Contains(words, "over budget"); got != want || !strings.Contains(words, "drag over") {
			t.Errorf("%v: got %q; want lines on a budget: %v", kind, words, want)
		}
	}
}
