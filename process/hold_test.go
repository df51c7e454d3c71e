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
