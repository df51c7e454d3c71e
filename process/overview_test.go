package process_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// hitcher feeds a session with frames of some zones. A zone may take long in some frames.
type hitcher struct {
	s    *process.Session
	t    *testing.T
	next uint64
	at   platform.Ticks
}

// frame ends a frame: each zone took so many milliseconds.
func (p *hitcher) frame(names []string, ms ...float64) {
	p.t.Helper()
	f := gather.Frame{Index: p.next, Begin: p.at, TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, Begin: p.at, Nodes: []gather.Node{{Parent: -1}}}
	for i, v := range ms {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: names[i]})
		l.Nodes = append(l.Nodes, gather.Node{Zone: gather.ZoneID(i + 1), ID: gather.NodeID(i + 1), Count: 1,
			Self: platform.Ticks(v * 1e6)})
		p.at += platform.Ticks(v * 1e6)
	}
	f.End, l.End = p.at, p.at
	f.Lanes = []gather.LaneFrame{l}
	p.next++
	must.Do(p.t, p.s.WriteFrame(&f))
}

func overviewOf(s *process.Session) *report.Overview {
	var all process.Snapshot
	for range 200 {
		if s.View().Snapshot(&all, process.SnapshotOptions{Overview: true}); all.Overview.Pending == 0 {
			break
		}
	}
	return &all.Overview
}

var hitchNames = []string{"update", "compact", "pathfind"}

// hitches feeds 30,000 frames: compact takes long in each 600th frame, pathfind takes longer and longer now and then.
func hitches(t *testing.T, history int) (s *process.Session, late map[uint64]float64) {
	s = process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: history})
	p := hitcher{s: s, t: t}
	late = map[uint64]float64{}
	for i := range 30_000 {
		compact, path := 1.0, 1.5
		if i%600 == 599 {
			compact = 31
		}
		if i%1777 == 1000 {
			path = 20 + float64(i)/1000 + float64(i*i%7)
		}
		if compact+path > 16 {
			late[uint64(i)] = 5 + compact + path
		}
		p.frame(hitchNames, 5, compact, path)
	}
	return s, late
}

// However long a run is, its overview has the longest frame of each stretch, and all late frames by their causes.
func TestOverviewLosesNoSpike(t *testing.T) {
	s, late := hitches(t, 300)
	o := overviewOf(s)
	if o.Frames != 30_000 || len(o.Stretches) > 2048 || o.First != 30_000-300 {
		t.Fatalf("got %d frames in %d stretches, the history from %d", o.Frames, len(o.Stretches), o.First)
	}
	most := map[uint64]float64{}
	for frame, ms := range late {
		most[frame/o.Each] = max(most[frame/o.Each], ms)
	}
	for at, ms := range most {
		if got := float64(o.Stretches[at].Judged); math.Abs(got-ms) > 0.01 || o.Stretches[at].Frame/o.Each != at {
			t.Errorf("stretch %d: got %.2f ms in frame %d; want %.2f", at, got, o.Stretches[at].Frame, ms)
		}
	}
	if len(o.Late) != len(late) {
		t.Errorf("got %d late frames; want %d", len(o.Late), len(late))
	}
	for _, f := range o.Late {
		if math.Abs(late[f.Frame]-float64(f.Judged)) > 0.01 || f.Index != f.Frame {
			t.Errorf("late frame %d: got %.2f ms; want %.2f", f.Frame, f.Judged, late[f.Frame])
		}
	}
}

// Late frames that left the history long ago have their cause, and groups know how they follow each other.
func TestLateFramesAreGroupedByCause(t *testing.T) {
	s, _ := hitches(t, 300)
	o := overviewOf(s)
	got := map[string]report.LateGroup{}
	for _, g := range o.Groups {
		got[g.Name] = g
	}
	if g := got["compact"]; g.Count < 49 || g.Every != 600 || g.Rising || g.Zone != 2 {
		t.Errorf("compact: got %+v; want 50 frames, each 600", g)
	}
	if g := got["pathfind"]; g.Count < 16 || !g.Rising || g.Longest < 45 {
		t.Errorf("pathfind: got %+v; want 17 frames, rising", g)
	}
	for _, f := range o.Late {
		if at := o.At(f.Frame); o.Stretches[at].Frame == f.Frame && o.Stretches[at].Group != f.Group {
			t.Errorf("frame %d: got group %d in its stretch; want %d", f.Frame, o.Stretches[at].Group, f.Group)
		}
		isIt := func(k report.FrameSummary) bool { return k.Index == f.Index }
		kept := slices.ContainsFunc(s.AppendSlowest(nil), isIt)
		if f.Here != (f.Frame >= o.First || kept) {
			t.Errorf("frame %d: got here %v, the history from %d", f.Frame, f.Here, o.First)
		}
	}
}

func TestOverviewFollowsTheBudgetAndReset(t *testing.T) {
	s, _ := hitches(t, 300)
	overviewOf(s)
	s.SetFrameBudget(1e9)
	if o := overviewOf(s); len(o.Late) != 0 || o.Frames != 30_000 {
		t.Errorf("budget of a second: got %d late of %d frames; want none", len(o.Late), o.Frames)
	}
	s.SetFrameBudget(5e6) // as all frames are
	if o := overviewOf(s); len(o.Late) != 300 {
		t.Errorf("budget of 5 ms: got %d late frames; want the 300 of the history", len(o.Late))
	}
	s.Reset()
	if o := overviewOf(s); o.Frames != 0 || len(o.Groups) != 0 {
		t.Errorf("after a reset: got %d frames, %d groups", o.Frames, len(o.Groups))
	}
	s.UndoReset()
	if o := overviewOf(s); o.Frames != 30_000 || len(o.Late) != 300 {
		t.Errorf("undone: got %d frames, %d late", o.Frames, len(o.Late))
	}
}

// A program whose frames are all late has its overview in bounded memory, and its longest frames stay in it.
func TestOverviewOfLateFramesIsBounded(t *testing.T) {
	s := process.NewSession()
	p := hitcher{s: s, t: t}
	for i := range 9000 {
		ms := 20.0
		if i%1000 == 77 {
			ms = 300
		}
		p.frame(hitchNames, ms, 1, 1)
	}
	o := overviewOf(s)
	long := 0
	for _, f := range o.Late {
		if f.Judged > 300 {
			long++
		}
	}
	if len(o.Late) > 2048 || long != 9 {
		t.Errorf("got %d late frames, %d of the long ones; want at most 2048, 9", len(o.Late), long)
	}
}

// Overviews allocate nothing once they have their size.
func TestOverviewDoesNotAllocate(t *testing.T) {
	s, _ := hitches(t, 300)
	var all process.Snapshot
	fill := func() { s.View().Snapshot(&all, process.SnapshotOptions{Overview: true}) }
	for range 20 {
		fill()
	}
	if n := allocstest.PerRun(20, fill); n != 0 {
		t.Errorf("got %v allocations; want 0", n)
	}
}

// Rows of hundreds of paths have statistics, too, as long as they do not hold up the report.
func TestRowsOfManyPathsHaveStatistics(t *testing.T) {
	const tops, mids, frames = 120, 60, 300
	s, names, text := process.NewSession(), []string{"leaf"}, strings.Builder{}
	for i := range tops {
		names = append(names, fmt.Sprint("top", i))
		fmt.Fprintf(&text, "top%d 0 1\n", i)
		for j := range mids {
			fmt.Fprintf(&text, "  mid%d 0 1\n    leaf %d 1\n", j, j+1)
		}
	}
	for j := range mids {
		names = append(names, fmt.Sprint("mid", j))
	}
	f := tree(0, names, text.String())
	for range frames {
		write(t, s, f)
		f.Index++
		f.Begin, f.End = f.End, f.End+f.End-f.Begin
	}
	r := report.Report{Want: report.ColumnsOf(report.ColumnP50)}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 1, Average: report.AverageInstant})
	with := 0
	for i := range r.Records {
		if rec := &r.Records[i]; rec.Group == report.GroupParent && rec.Mask.Has(report.ColumnP50) {
			if with++; !close1(rec.Values[report.ColumnP50], rec.Values[report.ColumnHier]) {
				t.Errorf("%s: got %v; want %v", rec.Name, rec.Values[report.ColumnP50], rec.Values[report.ColumnHier])
			}
		}
	}
	if with < mids*9/10 || with == mids {
		t.Errorf("got statistics in %d of %d rows; want them in most, with a bound", with, mids)
	}
}

// laneTruth is what a lane did in the frames of the history, by age: from the records, one frame at a time.
type laneTruth struct {
	busy       []float64
	self, hier []map[report.ZoneID]float64
}

func truthOf(s *process.Session, lane report.LaneID, frames int) (t laneTruth) {
	var f report.PastFrame
	for age := range frames {
		self, hier := map[report.ZoneID]float64{}, map[report.ZoneID]float64{}
		busy := 0.0
		if s.FrameOf(&f, lane, age) {
			busy = f.Lane.Self
		}
		for _, n := range f.Nodes { // no zone recurses
			self[n.Zone] += n.Self
			hier[n.Zone] += n.Hier
		}
		t.busy, t.self, t.hier = append(t.busy, busy), append(t.self, self), append(t.hier, hier)
	}
	return t
}

func close1(a, b float64) bool { return math.Abs(a-b) < 1e-4*math.Max(1, math.Abs(b)) }

// A view of one lane has that lane's numbers everywhere: headline, mean, max, history and graph.
func TestALaneHasItsOwnNumbers(t *testing.T) {
	const frames, loader = 120, 2
	s := process.NewSession()
	r := world.NewGame(1, s)
	step := func() {
		must.Do(t, r.Step())
	}
	for range frames / 2 {
		step()
	}
	s.View().SetAverage(report.AverageInstant)
	s.View().SetReportMode(report.ReportHierarchicalTime)
	s.View().SetLane(loader)
	var p process.Snapshot
	options := process.SnapshotOptions{Frames: frames, Series: 12, Also: -1, Past: report.Window{Frames: frames},
		History: 20}
	s.View().Snapshot(&p, options)
	for range frames / 2 { // some frames before the lane is viewed, some after
		step()
	}
	options.Columns = report.ColumnsOf(report.ColumnMin, report.ColumnP50, report.ColumnP99, report.ColumnP90Self)
	s.View().Snapshot(&p, options)
	truth := truthOf(s, loader, frames)
	if i := &p.Report.Frame; !close1(i.Busy, truth.busy[0]) || i.Busy >= i.Length || i.Length < 10 {
		t.Errorf("headline: got %v busy of %v; want %v", i.Busy, i.Length, truth.busy[0])
	}
	for _, row := range p.Report.Records {
		sum, most := 0.0, 0.0
		for _, f := range truth.hier {
			sum, most = sum+f[row.Zone], math.Max(most, f[row.Zone])
		}
		mean := row.Values[report.ColumnMean]
		if !row.Mask.Has(report.ColumnMax) || !close1(mean, sum/frames) ||
			!close1(row.Values[report.ColumnMax], most) {
			t.Errorf("%s: got mean %v, max %v; want %v, %v", row.Name, mean, row.Values[report.ColumnMax],
				sum/frames, most)
		}
	}
	checkQuantiles(t, p.Report.Records, &truth)
	checkColumns(t, &p, &truth)
	s.View().SetLane(0)
	if s.View().Snapshot(&p, options); close1(float64(p.Past.Columns[0].Busy), truth.busy[frames-1]) {
		t.Error("all goroutines again: got the lane's columns")
	}
}

// checkQuantiles compares the quantiles of a lane's zones with the records.
func checkQuantiles(t *testing.T, rows []report.Record, truth *laneTruth) {
	t.Helper()
	for i := range rows {
		row := &rows[i]
		var hier, self []float64
		for age := range truth.hier {
			hier, self = append(hier, truth.hier[age][row.Zone]), append(self, truth.self[age][row.Zone])
		}
		slices.Sort(hier)
		slices.Sort(self)
		rank := func(v []float64, share float64) float64 { return v[int(math.Ceil(share*float64(len(v))))-1] }
		for c, want := range map[report.Column]float64{report.ColumnMin: hier[0], report.ColumnP50: rank(hier, 0.5),
			report.ColumnP99: rank(hier, 0.99), report.ColumnP90Self: rank(self, 0.9)} {
			if got := row.Values[c]; !row.Mask.Has(c) || !close1(got, want) {
				t.Errorf("%s, %s: got %v; want %v", row.Name, c.Info().Name, got, want)
			}
		}
	}
}

// checkColumns compares the graph with the records.
func checkColumns(t *testing.T, p *process.Snapshot, truth *laneTruth) {
	t.Helper()
	if len(p.Series) == 0 || len(p.Past.Columns) != len(truth.busy) {
		t.Fatalf("got %d series, %d columns; want some, %d", len(p.Series), len(p.Past.Columns), len(truth.busy))
	}
	for i, c := range p.Past.Columns {
		if !close1(float64(c.Busy), truth.busy[c.Age]) {
			t.Fatalf("column of age %d: got %v; want %v", c.Age, c.Busy, truth.busy[c.Age])
		}
		sum := 0.0
		for _, series := range p.Past.Series {
			want := truth.self[c.Age][series.Zone]
			if sum += want; !close1(float64(series.Values[i]), want) {
				t.Fatalf("%s, age %d: got %v; want %v", series.Name, c.Age, series.Values[i], want)
			}
		}
		if !close1(sum, truth.busy[c.Age]) {
			t.Fatalf("age %d: got %v of zones; want %v, all of them", c.Age, sum, truth.busy[c.Age])
		}
	}
}

// A lens and an average have the lane's numbers, too.
func TestMeansOfALane(t *testing.T) {
	const frames, loader = 60, 2
	s := process.NewSession()
	for r := world.NewGame(1, s); s.View().Info().Frames < frames; {
		must.Do(t, r.Step())
	}
	s.View().SetLane(loader)
	truth := truthOf(s, loader, frames)
	keep, sum, weight := 1.0, 0.0, 0.0
	for age, f := range s.AppendFrames(nil, frames) {
		_ = f
		k := math.Pow(0.1, float64(s.AppendFrames(nil, frames)[frames-1-age].Length)/1000/0.8)
		sum, weight, keep = sum+keep*(1-k)*truth.busy[age], weight+keep*(1-k), keep*k
	}
	if got := s.View().Info().Busy; !close1(got, sum/weight) {
		t.Errorf("average of 0.8 s: got %v busy; want %v", got, sum/weight)
	}
	s.View().SetLens(report.Lens{Kind: report.LensRange, From: 10, To: 19})
	sum = 0
	for index := 10; index < 20; index++ {
		sum += truth.busy[frames-1-index] / 10
	}
	var r report.Report
	if s.View().AppendReport(&r); !close1(r.Frame.Busy, sum) {
		t.Errorf("range of ten frames: got %v busy; want %v", r.Frame.Busy, sum)
	}
	for _, row := range r.Records {
		if mean := row.Values[report.ColumnMean]; row.Mask.Has(report.ColumnMean) && row.Zone != 0 &&
			!close1(mean, row.Values[report.ColumnHier]) {
			t.Errorf("%s: got mean %v; want its mean in the range, %v", row.Name, mean, row.Values[report.ColumnHier])
		}
	}
}

// The time outside the zones of a lane that ends no frames is idle, so it is the last row. On the other it is work.
func TestTimeOutsideZonesOfALaneIsIdle(t *testing.T) {
	const updating, loader = 1, 2
	s := process.NewSession()
	r := world.NewGame(1, s)
	for range 20 {
		must.Do(t, r.Step())
	}
	for _, lane := range []report.LaneID{updating, loader} {
		s.View().SetLane(lane)
		var shown report.Report
		s.View().AppendReport(&shown)
		for i, record := range shown.Records {
			last := i == len(shown.Records)-1
			if record.Zone == 0 && (record.Idle != (lane == loader) || record.Idle != last) {
				t.Errorf("lane %d: got (root) idle %v, last %v; want both on the loader alone", lane, record.Idle, last)
			}
		}
	}
}

// Frames whose records were lost before a lane was viewed are gaps in its history. They are no zeros, and mean and
// maximum leave them out.
func TestLostFramesOfALaneAreGaps(t *testing.T) {
	const frames, kept, loader = 60, 20, 2
	s := process.NewSession()
	s.SetHistory(frames, kept)
	r := world.NewGame(1, s)
	for range frames {
		must.Do(t, r.Step())
	}
	s.View().SetLane(loader)
	s.View().SetReportMode(report.ReportHierarchicalTime)
	var p process.Snapshot
	s.View().Snapshot(&p, process.SnapshotOptions{Frames: frames, Series: 12, Also: -1,
		Past:    report.Window{Frames: frames},
		History: frames})
	truth := truthOf(s, loader, kept)
	for i, c := range p.Past.Columns {
		lost := c.Age >= kept
		if unknown := c.Busy != c.Busy; unknown != lost || unknown != (p.LaneBusy[i] != p.LaneBusy[i]) ||
			unknown != (p.Past.Series[0].Values[i] != p.Past.Series[0].Values[i]) {
			t.Fatalf("age %d: got busy %v, %v, first zone %v; want NaN %v", c.Age, c.Busy, p.LaneBusy[i],
				p.Past.Series[0].Values[i], lost)
		}
	}
	for i, row := range p.Report.Records {
		sum := 0.0
		for _, f := range truth.hier {
			sum += f[row.Zone]
		}
		if mean := row.Values[report.ColumnMean]; !close1(mean, sum/kept) {
			t.Errorf("%s: got mean %v; want %v, of the frames with records", row.Name, mean, sum/kept)
		}
		if h := p.History(i); h[0] == h[0] || h[frames-1] != h[frames-1] {
			t.Errorf("%s: got history %v .. %v; want NaN, then times", row.Name, h[0], h[frames-1])
		}
	}
}

// The keys [ and ] go by the busy time of the lane that is viewed.
func TestStepsOverBudgetAreOfTheLane(t *testing.T) {
	const frames, loader = 120, 2
	s := process.NewSession()
	r := world.NewGame(1, s)
	for range frames {
		must.Do(t, r.Step())
	}
	truth := truthOf(s, loader, frames)
	most := slices.Max(truth.busy[2:])
	s.SetFrameBudget(time.Duration(most / 1.3 * 1e6))
	s.View().SetLane(loader)
	s.View().MoveFrame(-1)
	s.View().MoveToOverBudget(-1)
	if age := s.View().Get().Age; age < 2 || truth.busy[age] < most/1.3 ||
		slices.Max(truth.busy[2:age+1]) > truth.busy[age] {
		t.Errorf("got the frame of age %d; want the first where the lane was busy for longer than %v", age, most/1.3)
	}
}
