package process_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// steady writes frames of 16 ms in which a zone takes so many ms.
func steady(t *testing.T, s *process.Session, from, frames int, ms float64, name string) {
	t.Helper()
	for i := range frames {
		write(t, s, tree(uint64(from+i), []string{"a", "late"}, fmt.Sprintf("a %g 1\n%s %g 2\n", 16-ms, name, ms)))
	}
}

func value(s *process.Session, v report.View, name string, c report.Column) float64 {
	var r report.Report
	s.View().AppendReportOf(&r, v)
	for _, rec := range r.Records {
		if rec.Name == name {
			return rec.Values[c]
		}
	}
	return -1
}

// The averages take on 90 % of a step in 0.8 and 2.5 s, whatever the frame rate.
func TestAveragesSettle(t *testing.T) {
	for _, test := range []struct {
		average report.Average
		seconds float64
	}{{report.AverageShort, 0.8}, {report.AverageLong, 2.5}} {
		t.Run(fmt.Sprint(test.seconds, " s"), func(t *testing.T) {
			s := process.NewSession()
			steady(t, s, 0, 2000, 1, "late")
			frames := int(test.seconds / 0.016)
			steady(t, s, 2000, frames, 11, "late")
			got := value(s, report.View{Average: test.average}, "late", report.ColumnSelf)
			if math.Abs(got-10) > 0.15 {
				t.Errorf("average %d after %g s: got %.3f; want 10", test.average, test.seconds, got)
			}
		})
	}
}

func TestResetPauseAndTheFirstFrames(t *testing.T) {
	s := process.NewSession()
	var r report.Report
	s.View().AppendReport(&r)
	if len(r.Records) != 0 || r.Cursor != -1 || (len(r.Warnings) > 0) != gather.Enabled {
		t.Errorf("before the first frame: got %d records, cursor %d, warnings %q; want 0, -1 and, unless compiled "+
			"out, advice", len(r.Records), r.Cursor, r.Warnings)
	}
	steady(t, s, 0, 5, 2, "late")
	s.Pause()
	steady(t, s, 5, 5, 9, "late")
	if got := value(s, report.View{Average: report.AverageInstant}, "late", report.ColumnSelf); got != 2 {
		t.Errorf("paused: got %v; want 2", got)
	}
	s.Resume()
	s.Reset()
	if frames := s.AppendFrames(nil, 100); len(frames) != 0 {
		t.Errorf("after Reset: got %d frames; want none", len(frames))
	}
	steady(t, s, 10, 1, 3, "late")
	if got := value(s, report.View{}, "late", report.ColumnSelf); math.Abs(got-3) > 1e-9 {
		t.Errorf("first frame after Reset: got %v; want 3", got)
	}
}

func TestHistoryWalk(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(50, 20)
	for i := range 60 {
		steady(t, s, i, 1, float64(i%10), "late")
	}
	s.SetFrameBudget(15 * time.Millisecond)
	if got := len(s.AppendFrames(nil, 1000)); got != 50 {
		t.Errorf("got %d frames; want 50", got)
	}
	s.View().SetFrame(3)
	if i := s.View().Info(); i.Index != 56 || i.Age != 3 || i.Live {
		t.Errorf("age 3: got %+v; want frame 56", i)
	}
	if got := value(s, s.View().Get(), "late", report.ColumnSelf); got != 6 {
		t.Errorf("age 3: got %v; want 6", got)
	}
	s.View().MoveFrame(-20)
	if i := s.View().Info(); !i.Gone || i.Index != 36 {
		t.Errorf("age 23: got %+v; want frame 36, its report gone", i)
	}
	s.View().MoveFrame(-1000)
	if got := s.View().Get().Age; got != 49 {
		t.Errorf("got age %d; want the oldest, 49", got)
	}
	s.View().SetFrame(-5)
	if got := s.View().Get().Age; got != 0 {
		t.Errorf("got age %d; want 0", got)
	}
}

// TestBudgetJudgesTheHistory has frames of 1 to 10 ms, and budgets set when they have ended.
func TestBudgetJudgesTheHistory(t *testing.T) {
	s := process.NewSession()
	for i := range 30 {
		write(t, s, tree(uint64(i), []string{"a"}, fmt.Sprintf("a %d 1\n", 1+i%10)))
	}
	for _, c := range []struct {
		budget time.Duration
		over   int
	}{{16 * time.Millisecond, 0}, {5 * time.Millisecond, 15}, {time.Millisecond, 27}, {20 * time.Millisecond, 0},
		{9 * time.Millisecond, 3}} {
		t.Run(c.budget.String(), func(t *testing.T) {
			s.SetFrameBudget(c.budget)
			over, slow := 0, 0
			for _, f := range s.AppendFrames(nil, 100) {
				if f.Over {
					over++
				}
			}
			for _, f := range s.AppendSlowest(nil) {
				if f.Over != (float64(f.Busy) > 1.02*c.budget.Seconds()*1000) {
					slow++
				}
			}
			var r report.Report
			s.View().AppendReportOf(&r, report.View{Lens: report.Lens{Kind: report.LensOver}})
			if over != c.over || r.Frame.LensFrames != c.over || slow != 0 {
				t.Errorf("budget %v: got %d frames over it, %d through the lens, %d of the slowest misjudged; want %d "+
					"and none", c.budget, over, r.Frame.LensFrames, slow, c.over)
			}
		})
	}
}

func TestMoveToOverBudget(t *testing.T) {
	s := process.NewSession()
	for i := range 30 {
		ms := 1.0
		if i == 10 || i == 20 {
			ms = 15
		}
		f := tree(uint64(i), []string{"a", "b"}, fmt.Sprintf("a %g 1\nb 10 1\n", ms))
		write(t, s, f)
	}
	for _, want := range []int{9, 19, 19} {
		s.View().MoveToOverBudget(-1)
		if got := s.View().Get().Age; got != want {
			t.Errorf("got age %d; want %d", got, want)
		}
	}
	s.View().MoveToOverBudget(1)
	if got := s.View().Get().Age; got != 9 {
		t.Errorf("back: got age %d; want 9", got)
	}
}

func TestSelectAndParent(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"physics", "ai", "raycast"}, "physics 1 1\n  raycast 2 10\nai 3 1\n  raycast 4 5\n"))
	s.View().Select() // the cursor is on raycast: it has the most self time
	if v := s.View().Get(); v.Mode != report.ReportCallGraph || v.Focus != 3 || v.Cursor != 2 {
		t.Fatalf("got %+v; want the call graph of raycast, cursor on row 2", v)
	}
	s.View().SelectParent()
	if v := s.View().Get(); v.Focus != 2 {
		t.Errorf("parent: got zone %d; want ai, 2", v.Focus)
	}
	s.View().SetReportMode(report.ReportSelfTime)
	s.View().SetCursor(0)
	s.View().SelectParent()
	if v := s.View().Get(); v.Focus != 2 || v.Mode != report.ReportCallGraph {
		t.Errorf("parent from a flat report: got %+v; want ai", v)
	}
	s.View().SelectParent()
	s.View().SelectParent()
	if v := s.View().Get(); v.Focus != 0 {
		t.Errorf("got zone %d; want the root, which has no parent", v.Focus)
	}
}

func TestLaneAlone(t *testing.T) {
	s := process.NewSession()
	f := tree(0, []string{"a", "b"}, "a 16 1\n")
	f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 7, Name: "worker", End: f.End, Nodes: []gather.Node{
		{ID: 10, Parent: -1, Self: 6000}, {ID: 11, Zone: 2, Count: 3, Self: 10000}}})
	write(t, s, f)
	s.View().SetLane(7)
	var r report.Report
	s.View().AppendReport(&r)
	expect(t, &r, line{none, "b", 10, 10, 3}, line{plus, "(root)", 6, 16, 0})
	if r.Frame.Lane != "worker" {
		t.Errorf("got lane %q; want worker", r.Frame.Lane)
	}
	s.View().SetLane(0)
	if i := s.View().Info(); math.Abs(i.Idle-6) > 1e-9 {
		t.Errorf("idle: got %v; want 6, the worker's time outside zones", i.Idle)
	}
	if got := value(s, report.View{Average: report.AverageInstant}, "(root)", report.ColumnHier); got != 16 {
		t.Errorf("merged root: got %v; want the updating lane's 16", got)
	}
}

func TestOverheadAndCostlyRows(t *testing.T) {
	s := process.NewSession()
	f := tree(0, []string{"tiny", "big"}, "tiny 1 10000\nbig 9 1\n")
	f.ScopeCost = 50 * 1024 / 1000 // 50 ns of a clock of 1 us: 0.05 ticks
	write(t, s, f)
	var r report.Report
	s.View().AppendReport(&r)
	if math.Abs(r.Frame.Overhead-0.05) > 0.01 || len(r.Warnings) != 1 {
		t.Errorf("got overhead %.3f, warnings %q; want 0.05 and one warning", r.Frame.Overhead, r.Warnings)
	}
	for _, rec := range r.Records {
		if rec.Costly != (rec.Name == "tiny") {
			t.Errorf("%s: costly is %v", rec.Name, rec.Costly)
		}
	}
}

func TestFramesThatContradictThemselvesAreRefused(t *testing.T) {
	s := process.NewSession()
	for name, nodes := range map[string][]gather.Node{
		"zone unknown":      {{Parent: -1, Zone: 9}},
		"parent after it":   {{Parent: -1}, {Parent: 1}},
		"two roots":         {{Parent: -1}, {Parent: -1}},
		"zone below nought": {{Parent: -1, Zone: -1}},
		"id too large":      {{Parent: -1, ID: math.MaxUint32}},
	} {
		f := &gather.Frame{Zones: make([]gather.ZoneInfo, 2), Lanes: []gather.LaneFrame{{Nodes: nodes}}}
		if err := s.WriteFrame(f); err == nil {
			t.Errorf("%s: the frame was taken", name)
		}
	}
	odd := &gather.Frame{Zones: make([]gather.ZoneInfo, 1), Begin: 10, End: 5, TicksPerSecond: math.NaN(),
		Lanes: []gather.LaneFrame{{Updater: true, Nodes: []gather.Node{{Parent: -1, Self: -5}}}}}
	write(t, s, odd)
	if i := s.View().Info(); i.Length != 0 || math.IsNaN(i.FPS) || math.IsInf(i.FPS, 0) {
		t.Errorf("got %+v; want a frame without length", i)
	}
}

// Every promise that a method may be called from any goroutine, at once; the race detector is the judge.
func TestEverythingAtOnce(t *testing.T) {
	s := process.NewSession()
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			var r report.Report
			for i := range 60 {
				switch worker {
				case 0:
					steady(t, s, i, 1, 1, "late")
				case 1:
					s.View().MoveCursor(i - 30)
					s.View().Select()
					s.View().SelectParent()
				case 2:
					s.View().AppendReport(&r)
				case 3:
					s.View().SetReportMode(report.ReportMode(i % 6))
					s.View().ToggleFold(i % 3)
					s.View().PinPath(report.ZoneID(i % 3))
				case 4:
					s.View().MoveFrame(-1)
					s.View().MoveToOverBudget(-1)
					s.View().SetAverage(report.Average(i % 4))
				case 5:
					_ = s.AppendSeries(nil, 10)
					_ = s.View().AppendTree(nil, s.View().Get())
					_ = s.AppendTotals(nil)
					_ = s.Dump(report.DumpOptions{})
				case 6:
					s.Pause()
					s.Resume()
					s.View().SetRecursion(report.Recursion(i % 3))
					s.View().SetLane(report.LaneID(i % 3))
					_ = s.View().AppendLanes(nil)
				case 7:
					if i%20 == 0 {
						s.Reset()
						s.SetHistory(10+i, i)
					}
					_ = s.AppendPathHistory(nil, 1, 9)
					_ = s.AppendZoneHistory(nil, 1, 9)
					_, _, _ = s.View().Info(), s.Zone(1), s.View().Generation()
				}
			}
		})
	}
	wg.Wait()
}

// busy makes frames of many nodes.
func busy(nodes int) *gather.Frame {
	f := &gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 1000}}}
	for i := range nodes {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprintf("zone %03d", i)})
		parent := int32(i)
		if i%10 == 0 {
			parent = 0
		}
		l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: report.ZoneID(i + 1), Parent: parent,
			Count: 3, Self: platform.Ticks(1000 + 37*i%911)})
	}
	f.End = 1 << 20
	f.Lanes = []gather.LaneFrame{l}
	return f
}

func TestNoAllocationInSteadyState(t *testing.T) {
	s, f := process.NewSession(), busy(200)
	s.SetHistory(20, 20)
	var r report.Report
	views := []report.View{{}, {Mode: report.ReportHierarchicalTime, Average: report.AverageInstant},
		{Mode: report.ReportCallGraph, Focus: 5},
		{Mode: report.ReportCallTree}, {Age: 5}, {Recursion: report.RecursionSpread}, {Lane: 1}}
	var series []report.Series
	var frames []report.FrameSummary
	var nodes []report.TreeNode
	everything := func() {
		f.Index++
		write(t, s, f)
		for _, v := range views {
			s.View().AppendReportOf(&r, v)
		}
		series = s.AppendSeries(series[:0], 20)
		frames = s.AppendFrames(frames[:0], 20)
		nodes = s.View().AppendTree(nodes[:0], report.View{})
	}
	for range 200 { // memory comes in chunks of 64 frames
		everything()
	}
	if raceEnabled { // there goroutines that other tests leave go on for longer, and what they allocate counts, too
		return
	}
	if got := allocstest.PerRun(20, everything); got > 0 {
		t.Errorf("got %v allocations a frame; want none", got)
	}
}

// A zone that is opened from what is extra in slow frames is shown in those frames, not in the newest.
func TestOpenedFromExtraItStaysInTheSlowFrames(t *testing.T) {
	for name, open := range map[string]func(*process.Session){
		"select": func(s *process.Session) { s.View().Select() },
		"parent": func(s *process.Session) { s.View().SelectParent() },
		"view":   func(s *process.Session) { s.View().Set(s.View().Get().Opened(1)) },
	} {
		s := bumpy(t)
		s.View().SetReportMode(report.ReportExtra)
		open(s)
		v := s.View().Get()
		if v.Mode != report.ReportCallGraph || v.Lens.Kind != report.LensOver {
			t.Errorf("%s: got mode %v, lens %v; want a call graph of the frames over budget", name, v.Mode, v.Lens.Kind)
		}
		if s.View().SetFrame(0); s.View().Get().Lens.Kind != report.LensOff {
			t.Errorf("%s: got lens %v after SetFrame; want none", name, s.View().Get().Lens.Kind)
		}
		s.View().SetReportMode(report.ReportSelfTime)
		if open(s); s.View().Get().Lens.Kind != report.LensOff {
			t.Errorf("%s: got lens %v from a usual report; want none", name, s.View().Get().Lens.Kind)
		}
	}
}

func TestOpenedFromExtraThroughALensKeepsThat(t *testing.T) {
	s := bumpy(t)
	s.View().SetLens(report.Lens{Kind: report.LensSlowest, Slowest: 1})
	s.View().SetReportMode(report.ReportExtra)
	if s.View().Select(); s.View().Get().Lens != (report.Lens{Kind: report.LensSlowest, Slowest: 1}) {
		t.Errorf("got lens %+v; want the slowest frame", s.View().Get().Lens)
	}
}

// ends is a sink whose values cannot be compared, as it is a map. It counts the frames by their ends.
type ends map[platform.Ticks]int

func (e ends) WriteFrame(f *gather.Frame) error {
	e[f.End]++
	return nil
}

// A sink may be of any type, and may be added twice. Each remove function takes one of the two away.
func TestSinksNeedNotBeComparable(t *testing.T) {
	s, r := process.NewSession(), make(ends)
	removeFirst, removeSecond := s.AddSink(r), s.AddSink(r)
	for i, after := range []func(){removeFirst, removeSecond, func() {}} {
		end := platform.Ticks(i + 1)
		write(t, s, &gather.Frame{TicksPerSecond: 1000, Begin: end - 1, End: end})
		if got, want := r[end], 2-i; got != want {
			t.Errorf("frame %d went to %d sinks; want %d", i, got, want)
		}
		after()
	}
}

func TestNamesOfFunctionsAreShort(t *testing.T) {
	for _, c := range []struct{ name, function, want string }{
		{"main.(*BlockRender).drawChunks", "example.com/game/main.(*BlockRender).drawChunks", "BlockRender.drawChunks"},
		{"world.Step", "example.com/game/world.Step", "Step"},
		{"main.run.func1", "main.run.func1", "run.func1"},
		{"level 1.2", "main.run", ""},
		{"a.b", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report.ShortName(&gather.ZoneInfo{Name: c.name, Function: c.function}); got != c.want {
				t.Errorf("%s in %s: got %q; want %q", c.name, c.function, got, c.want)
			}
		})
	}
}

func ExampleShortName() {
	z := gather.ZoneInfo{Name: "main.(*BlockRender).drawChunks", Function: "main.(*BlockRender).drawChunks"}
	fmt.Println(report.ShortName(&z))
	fmt.Printf("%q\n", report.ShortName(&gather.ZoneInfo{Name: "level 1", Function: "main.load"}))
	// Output:
	// BlockRender.drawChunks
	// ""
}

// The default session may be fed with a replay; then what the running program does is no part of it.
func TestReplayInTheDefaultSession(t *testing.T) {
	s := process.Default()
	s.Reset()                                 // other tests ran in it
	t.Cleanup(func() { process.RunAgain(s) }) // and more may come
	steady(t, s, 0, 5, 2, "late")
	s.Pause()
	s.AppendTotals(nil)
	s.Resume()
	steady(t, s, 5, 1, 2, "late")
	if got := len(s.AppendFrames(nil, 100)); got != 6 {
		t.Errorf("got %d frames after a pause; want all 6", got)
	}
}

// A program whose nodes have large ids has the reports and sums of one that counts them from 0. The tables by id have
// room for them after some thousand frames only.
func TestIDsOfNodesDoNotMatter(t *testing.T) {
	small, large, p := process.NewSession(), process.NewSession(), world.NewRandom(1)
	for i := range 6000 {
		f := p.Frame()
		write(t, small, f)
		write(t, large, withLargeIDs(f))
		if i%1000 != 1 {
			continue
		}
		for mode := report.ReportSelfTime; mode <= report.ReportCallTree; mode++ {
			var got, want report.Report
			large.View().AppendReportOf(&got, report.View{Mode: mode})
			small.View().AppendReportOf(&want, report.View{Mode: mode})
			if len(want.Records) < 5 || !reflect.DeepEqual(got.Records, want.Records) {
				t.Fatalf("frame %d, mode %v: got\n%+v\nwant\n%+v", i, mode, got.Records, want.Records)
			}
		}
		got, want := large.Dump(report.DumpOptions{}), small.Dump(report.DumpOptions{})
		if !reflect.DeepEqual(got.Merged, want.Merged) || !reflect.DeepEqual(got.Lanes, want.Lanes) {
			t.Fatalf("frame %d: got other sums", i)
		}
	}
}

// withLargeIDs is a frame with other ids.
func withLargeIDs(f *gather.Frame) *gather.Frame {
	large := *f
	large.Lanes = slices.Clone(f.Lanes)
	for i := range large.Lanes {
		nodes := slices.Clone(large.Lanes[i].Nodes)
		for k := range nodes {
			nodes[k].ID += 1 << 21
		}
		large.Lanes[i].Nodes = nodes
	}
	return &large
}
