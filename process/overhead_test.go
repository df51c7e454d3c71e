//go:build !iprof_off

package process_test

import (
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestThePlantedCostIsInTheInterval plants the cost of measuring: each reading of a virtual clock takes some ticks, and
// the zones' own work takes none of the readings. What the readings of a run took is the truth.
func TestThePlantedCostIsInTheInterval(t *testing.T) {
	const reading, work, entries = 10, 1000, 5000
	var now atomic.Int64
	platform.SetClock(func() int64 { return now.Add(reading) }, 1e9)
	t.Cleanup(func() {
		platform.SetClock(nil, 0)
		measure.Calibrate()
	})
	s := process.NewSession()
	zone := gather.Zone{Name: "planted"}
	var f gather.Frame
	zone.Begin().End()
	gather.Collect(&f) // finds the new clock
	measure.Calibrate()
	begun := now.Load()
	for range entries {
		scope := zone.Begin()
		now.Add(work)
		scope.End()
	}
	truth := time.Duration(now.Load() - begun - entries*work)
	gather.Collect(&f)
	must.Do(t, s.WriteFrame(&f))
	d := s.Dump(report.DumpOptions{})
	if d.OverheadLow > truth || truth > d.OverheadHigh || d.OverheadLow <= 0 {
		t.Errorf("got %v to %v; want %v in it", d.OverheadLow, d.OverheadHigh, truth)
	}
	if off := float64(d.Overhead)/float64(truth) - 1; off < -0.05 || off > 0.05 {
		t.Errorf("got an overhead of %v; want %v", d.Overhead, truth)
	}
}

// TestTheIntervalAddsUp has the same interval with trees and without.
func TestTheIntervalAddsUp(t *testing.T) {
	f := sideBySide(0, 2)
	for i := range f.Lanes {
		f.Lanes[i].Slow = 1000
	}
	f.ScopeCost = 400 * 1024 // us: 1.2 ms of entries in a frame, and 3 ms of slow paths
	want := [3]time.Duration{12600 * time.Microsecond, 6660 * time.Microsecond, 23400 * time.Microsecond}
	got := func(d *report.Dump) [3]time.Duration {
		return [3]time.Duration{d.Overhead.Round(time.Microsecond), d.OverheadLow.Round(time.Microsecond),
			d.OverheadHigh.Round(time.Microsecond)}
	}
	s := process.NewSession()
	for i := range 3 {
		f.Index = uint64(i)
		must.Do(t, s.WriteFrame(f))
	}
	for name, d := range map[string]*report.Dump{"with trees": s.Dump(report.DumpOptions{}),
		"zones": s.Dump(report.DumpOptions{NoTrees: true})} {
		if got(d) != want {
			t.Errorf("%s: got %v; want %v", name, got(d), want)
		}
	}
}

// The most that entries took is not known if their cost was never measured.
func TestWithoutCalibrationTheIntervalIsOpen(t *testing.T) {
	s := process.NewSession()
	f := sideBySide(0, 2)
	f.Lanes[0].Slow = 1000
	must.Do(t, s.WriteFrame(f))
	d := s.Dump(report.DumpOptions{})
	if d.Calls == 0 || d.OverheadLow <= 0 || d.OverheadHigh != 0 {
		t.Errorf("%d calls: got %v to %v; want a low end and no high one", d.Calls, d.OverheadLow, d.OverheadHigh)
	}
}
