package process_test

import (
	"math"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
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
