//go:build !iprof_off

package process_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// holder is a player under a clock that the test moves.
type holder struct {
	*player
	s    *process.Session
	now  int64
	zone gather.Zone
}

func newHolder(t *testing.T) *holder {
	h := &holder{s: process.Default(), now: 1000, zone: gather.Zone{Name: "held 0"}}
	platform.SetClock(func() int64 { return h.now }, 1000)
	h.player = newPlayer("holder")
	t.Cleanup(func() {
		h.run(func() { gather.Register("holder").Close() })
		close(h.do)
		h.s.Resume()
		platform.SetClock(nil, 0)
	})
	h.run(func() { h.s.Resume(); h.s.Update(); h.s.Reset() })
	return h
}

// pass lets time pass.
func (h *holder) pass(ticks int64) { h.now += ticks }

func (h *holder) enter() { h.run(func() { h.scopes = append(h.scopes, h.zone.Begin()) }) }

func (h *holder) leave() {
	h.run(h.scopes[0].End)
	h.scopes = h.scopes[1:]
}

// paths are the self times of a tree by path, those of 0 left out.
func (h *holder) paths(nodes []report.TreeNode, zones []gather.ZoneInfo) map[string]float64 {
	names, sums := make([]string, len(nodes)), map[string]float64{}
	for i, n := range nodes {
		switch {
		case n.Parent < 0:
		case n.Level == 1:
			names[i] = zones[n.Zone].Name
		default:
			names[i] = names[n.Parent] + "/" + zones[n.Zone].Name
		}
		sums[names[i]] += n.Self
	}
	maps.DeleteFunc(sums, func(_ string, v float64) bool { return math.Abs(v) < 1e-6 })
	return sums
}

// TestUpdateEndsTheGapAfterEndFrame has a program that goes over from BeginFrame and EndFrame to Update.
func TestUpdateEndsTheGapAfterEndFrame(t *testing.T) {
	h := newHolder(t)
	h.run(func() { h.s.BeginFrame("loading") })
	h.pass(3)
	h.run(h.s.EndFrame)
	h.pass(2)
	h.run(h.s.Update)
	h.enter()
	h.pass(5)
	h.leave()
	h.run(h.s.Update)
	var f report.PastFrame
	h.s.FrameOf(&f, h.lane, 0)
	if got := h.paths(f.Nodes, zonesOf(h.s)); len(got) != 1 || got["held 0"] != 5 {
		t.Errorf("got %v; want 5 ms in the zone alone", got)
	}
	h.s.FrameOf(&f, h.lane, 1)
	if got := h.paths(f.Nodes, zonesOf(h.s)); got["(between frames)"] != 2 {
		t.Errorf("the frame before: got %v; want 2 ms between frames", got)
	}
}

// TestUpdateElsewhereEndsTheGap has a program that loads on one goroutine, with BeginFrame and EndFrame, and then
// calls Update on another.
func TestUpdateElsewhereEndsTheGap(t *testing.T) {
	h := newHolder(t)
	before := warnings(h.s)
	h.run(func() { h.s.BeginFrame("loading") })
	h.pass(3)
	h.run(h.s.EndFrame)
	h.pass(2)
	h.s.Update() // on the goroutine of the test
	h.pass(1)
	h.enter()
	h.pass(5)
	h.leave()
	h.s.Update()
	var f report.PastFrame
	h.s.FrameOf(&f, h.lane, 0)
	if got := h.paths(f.Nodes, zonesOf(h.s)); got["held 0"] != 5 || got["(between frames)"] != 0 {
		t.Errorf("got %v; want 5 ms in the zone, below nothing", got)
	}
	h.s.FrameOf(&f, h.lane, 1)
	if got := h.paths(f.Nodes, zonesOf(h.s)); got["(between frames)"] != 2 {
		t.Errorf("the frame before: got %v; want 2 ms between frames", got)
	}
	if got := warnings(h.s); got != before {
		t.Errorf("got warnings %q; want %q, no misuse", got, before)
	}
}

func warnings(s *process.Session) string {
	return strings.Join(s.Dump(report.DumpOptions{NoHistory: true}).Warnings, "; ")
}

// TestWaitingForEventsIsIdle has a program that waits outside zones.
func TestWaitingForEventsIsIdle(t *testing.T) {
	h := newHolder(t)
	h.s.View().SetAverage(report.AverageInstant)
	defer h.s.View().SetAverage(report.AverageShort)
	defer h.s.SetEventDriven(false)
	for _, on := range []bool{true, false, true} {
		h.s.SetEventDriven(on)
		h.pass(4500)
		h.enter()
		h.pass(5)
		h.leave()
		h.run(h.s.Update)
		busy, idle := 4505.0, 0.0
		if on {
			busy, idle = 5, 4500
		}
		if i := h.s.View().Info(); i.Busy != busy || i.Idle != idle || i.Length != 4505 || i.Over != (busy > 17) {
			t.Errorf("on %v: got busy %v, idle %v of %v ms, over %v; want busy %v, idle %v of 4505", on, i.Busy, i.Idle,
				i.Length, i.Over, busy, idle)
		}
		var r report.Report
		h.s.View().AppendReport(&r)
		for _, rec := range r.Records {
			if rec.Name == "(root)" && rec.Idle != on {
				t.Errorf("on %v: got a root that is idle %v; want %v", on, rec.Idle, on)
			}
		}
		for _, trees := range []bool{false, true} {
			d := h.s.Dump(report.DumpOptions{NoHistory: true, NoFrames: true, NoTrees: !trees})
			if got := d.Zones[0].Idle; got != on {
				t.Errorf("on %v, trees %v: got a dump with a root that is idle %v; want %v", on, trees, got, on)
			}
		}
		if h.s.EventDriven() != on {
			t.Errorf("got %v; want %v", h.s.EventDriven(), on)
		}
	}
	if total := h.s.Dump(report.DumpOptions{NoHistory: true}).Calls; total < 3 {
		t.Errorf("got %d calls in the totals; want the 3 of this program, also across the switch", total)
	}
}

// TestTheTreesRootRowIsOfItsOwnTime has frames of 10 ms, some of them in no zone. The tree's row of the root had the
// mean and the maximum of whole frames.
func TestTheTreesRootRowIsOfItsOwnTime(t *testing.T) {
	h := newHolder(t)
	for _, outside := range []int64{2, 4} {
		h.enter()
		h.pass(10 - outside)
		h.leave()
		h.pass(outside)
		h.run(h.s.Update)
	}
	var r report.Report
	h.s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallTree, Average: report.AverageInstant})
	for _, rec := range r.Records {
		v := &rec.Values
		if rec.Name == "(root)" && (v[report.ColumnHier] != 4 || v[report.ColumnMean] != 3 ||
			v[report.ColumnMax] != 4) {
			t.Errorf("got %v ms, mean %v, maximum %v; want 4, 3 and 4", v[report.ColumnHier],
				v[report.ColumnMean], v[report.ColumnMax])
		}
	}
}

func zonesOf(s *process.Session) []gather.ZoneInfo {
	return s.Dump(report.DumpOptions{NoHistory: true}).Zones
}

func TestResetWhilePausedAsksForResume(t *testing.T) {
	h := newHolder(t)
	h.run(h.s.Pause)
	h.run(h.s.Reset)
	var r report.Report
	h.s.View().AppendReport(&r)
	if len(r.Warnings) == 0 || slices.Contains(r.Warnings, "no frame has ended yet: call iprof.Update once a frame") {
		t.Errorf("got warnings %q; want word of the pause", r.Warnings)
	}
}
