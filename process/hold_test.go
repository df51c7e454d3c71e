//go:build !iprof_off

package process_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// holder runs random programs with holds on a goroutine of its own, under a clock that it moves, and writes down what
// happened. The expected rows follow from the frames that were kept.
type holder struct {
	*player
	t        *testing.T
	s        *process.Session
	now      int64
	zones    [4]gather.Zone
	open     []*heldEntry
	segments []segment // since Reset, without paused time
	paused   bool
	off      bool  // nothing is recorded
	wasOff   bool  // in this frame
	updated  int64 // when the frame began
	last     int64
	log      []string
}

// heldEntry is an entry of a zone.
type heldEntry struct {
	zone    *gather.Zone
	scope   gather.Scope
	hold    gather.Held
	held    bool
	drop    bool
	decided bool
}

// segment is time that passed, and where.
type segment struct {
	stack []*heldEntry
	ticks int64
}

func newHolder(t *testing.T) *holder {
	h := &holder{t: t, s: process.Default(), now: 1000}
	platform.SetClock(func() int64 { return h.now }, 1000)
	for i := range h.zones {
		h.zones[i].Name = fmt.Sprint("held ", i)
	}
	h.player = newPlayer("holder")
	t.Cleanup(func() {
		h.run(func() { gather.Register("holder").Close() })
		close(h.do)
		gather.SetRecording(true)
		h.s.Resume()
		platform.SetClock(nil, 0)
	})
	h.run(func() { h.s.Resume(); h.s.Update(); h.s.Reset() })
	h.updated = h.now
	return h
}

// pass lets time pass.
func (h *holder) pass(ticks int64) {
	h.now += ticks
	if !h.paused && !h.off {
		h.segments = append(h.segments, segment{slices.Clone(h.open), ticks})
	}
	h.note("pass %d", ticks)
}

func (h *holder) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *holder) enter(zone int, held bool) {
	e := &heldEntry{zone: &h.zones[zone], held: held}
	h.run(func() {
		if held {
			e.hold = e.zone.Hold()
		} else {
			e.scope = e.zone.Begin()
		}
	})
	h.open = append(h.open, e)
	h.note("enter %d, held %v", zone, held)
}

func (h *holder) leave(keep bool) {
	e := h.open[len(h.open)-1]
	h.open = h.open[:len(h.open)-1]
	h.run(func() {
		if e.held {
			e.hold.Keep(keep)
		} else {
			e.scope.End()
		}
	})
	e.decided, e.drop = true, e.drop || e.held && !keep
	h.note("leave, keep %v", keep)
}

func (h *holder) discard() {
	h.run(measure.Discard)
	for _, e := range slices.Backward(h.open) {
		if e.held {
			e.drop = true
			break
		}
	}
	h.note("discard")
}

func (h *holder) pause(on bool) {
	h.run(func() {
		if on {
			h.s.Pause()
		} else {
			h.s.Resume()
		}
	})
	h.paused, h.updated, h.wasOff = on, h.now, h.off
	h.note("pause %v", on)
}

func (h *holder) record(on bool) {
	h.run(func() { gather.SetRecording(on) })
	h.off, h.wasOff = !on, true
	h.note("recording %v", on)
}

func (h *holder) reset() {
	h.run(h.s.Reset)
	h.segments, h.updated, h.wasOff = nil, h.now, h.off
	h.note("reset")
}

func (h *holder) update() {
	h.run(h.s.Update)
	h.last, h.updated = h.now-h.updated, h.now
	if !h.wasOff { // else the frame is longer than what was recorded of it
		defer h.checkFrame()
	}
	h.wasOff = h.off
	h.note("update")
}

// where is the path that a stack's time belongs to, as far as it is decided.
func where(stack []*heldEntry) string {
	var path []string
	for _, e := range stack {
		switch {
		case e.held && !e.decided:
			return strings.Join(append(path, "(pending)"), "/")
		case e.held && e.drop:
			return strings.Join(append(path, "(not kept)"), "/")
		}
		path = append(path, e.zone.Name)
	}
	return strings.Join(path, "/")
}

// want is the time since Reset by path, ms.
func (h *holder) want() map[string]float64 {
	sums := map[string]float64{}
	for _, s := range h.segments {
		sums[where(s.stack)] += float64(s.ticks)
	}
	return sums
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

// checkTotals compares the totals with the oracle.
func (h *holder) checkTotals() {
	h.t.Helper()
	var d *report.Dump
	h.run(func() { d = h.s.Dump(report.DumpOptions{NoHistory: true}) })
	got := map[string]float64{}
	for i := range d.Lanes {
		if d.Lanes[i].ID == h.lane {
			got = h.paths(d.Lanes[i].Nodes, d.Zones)
		}
	}
	want := h.want()
	maps.DeleteFunc(want, func(_ string, v float64) bool { return v == 0 })
	if !maps.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
		h.fail("totals: got %v; want %v", got, want)
	}
}

// checkFrame checks that the rows of the newest frame sum to its length in every form.
func (h *holder) checkFrame() {
	h.t.Helper()
	var r report.Report
	v := report.View{Average: report.AverageInstant}
	h.s.View().AppendReportOf(&r, v)
	flat := 0.0
	for i := range r.Records {
		flat += r.Records[i].Values[report.ColumnSelf]
	}
	var past report.PastFrame
	h.s.FrameOf(&past, h.lane, 0)
	trees := map[string][]report.TreeNode{"FrameOf": past.Nodes, "AppendTree": h.s.View().AppendTree(nil, v)}
	length := float64(h.last)
	if math.Abs(flat-length) > 1e-3 || math.Abs(r.Frame.Length-length) > 1e-6 {
		h.fail("report: got rows of %v ms in a frame of %v ms; want %v in both", flat, r.Frame.Length, length)
	}
	for name, nodes := range trees {
		sum := 0.0
		for i := range nodes {
			sum += nodes[i].Self
		}
		if math.Abs(sum-length) > 1e-3 {
			h.fail("%s: got %v ms; want %v", name, sum, length)
		}
	}
}

func (h *holder) fail(format string, args ...any) {
	h.t.Helper()
	h.t.Errorf(format, args...)
	h.t.Log(strings.Join(h.log, "; "))
}

// step does one random thing.
func (h *holder) step(r *rand.Rand) {
	switch dice := r.IntN(100); {
	case dice < 30:
		h.pass(1 + r.Int64N(9))
	case dice < 50 && len(h.open) < 8 && !h.off:
		h.enter(r.IntN(len(h.zones)), r.IntN(2) == 0)
	case dice < 70 && len(h.open) > 0:
		h.leave(r.IntN(3) > 0)
	case dice < 74:
		h.discard()
	case dice < 79:
		h.pause(!h.paused)
	case dice < 83:
		h.reset()
	case dice < 86:
		h.record(h.off)
	case !h.paused:
		h.update()
	default:
		h.run(h.s.Update)
		h.note("update while paused")
	}
	if !h.paused {
		h.checkTotals()
	}
}

// holdPrograms is how many random programs with holds are tried.
func holdPrograms() uint64 {
	if raceEnabled || testing.Short() {
		return 30
	}
	return 300
}

// TestHoldsAgainstTheOracle has random programs of Hold, Keep, Discard, Pause, Resume, Reset and Update.
func TestHoldsAgainstTheOracle(t *testing.T) {
	for seed := range holdPrograms() {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h, r := newHolder(t), rand.New(rand.NewPCG(seed, 29))
			for range 120 {
				if h.step(r); t.Failed() {
					return
				}
			}
		})
		if t.Failed() {
			return
		}
	}
}

// TestHoldOverReset is the smallest program that credited time from before Reset.
func TestHoldOverReset(t *testing.T) {
	h := newHolder(t)
	h.enter(0, true)
	h.pass(3)
	h.reset()
	h.pass(1)
	h.leave(true)
	h.update()
	h.checkTotals()
}

// TestHoldOverPause is kept while nothing is measured.
func TestHoldOverPause(t *testing.T) {
	for name, during := range map[string]bool{"kept while paused": true, "kept after": false} {
		t.Run(name, func(t *testing.T) {
			h := newHolder(t)
			h.enter(0, true)
			h.pass(3)
			h.update()
			h.pause(true)
			h.pass(50)
			if during {
				h.leave(true)
			}
			h.run(h.s.Update)
			h.pause(false)
			h.pass(2)
			if !during {
				h.leave(true)
			}
			h.update()
			h.checkTotals()
		})
	}
}

// TestUpdateEndsTheGapAfterEndFrame has a program that goes over from BeginFrame and EndFrame to Update.
func TestUpdateEndsTheGapAfterEndFrame(t *testing.T) {
	h := newHolder(t)
	h.run(func() { h.s.BeginFrame("loading") })
	h.pass(3)
	h.run(h.s.EndFrame)
	h.pass(2)
	h.run(h.s.Update)
	h.enter(0, false)
	h.pass(5)
	h.leave(true)
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
	h.enter(0, false)
	h.pass(5)
	h.leave(true)
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
		h.enter(0, false)
		h.pass(5)
		h.leave(true)
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
		h.enter(0, false)
		h.pass(10 - outside)
		h.leave(true)
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
	h.pause(true)
	h.reset()
	var r report.Report
	h.s.View().AppendReport(&r)
	if len(r.Warnings) == 0 || slices.Contains(r.Warnings, "no frame has ended yet: call iprof.Update once a frame") {
		t.Errorf("got warnings %q; want word of the pause", r.Warnings)
	}
}
