//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

var skewedZone, skewedInner = gather.Zone{Name: "skewed"}, gather.Zone{Name: "in the skewed one"}

// skewed is a program whose clock steps back, stands still and jumps. A tick is a nanosecond.
type skewed struct {
	t      *testing.T
	s      *process.Session
	random *rand.Rand
	f      gather.Frame

	now    int64 // of the clock
	wild   bool  // the clock does as it likes
	frozen int64 // ticks that it does not show
	latest int64 // reading of a Begin or End
	watch  bool  // the next reading is one of these
	back   uint64
	jumped int64 // ticks, in all jumps
}

// read is the clock. Two readings are never the same.
func (w *skewed) read() int64 {
	w.now++
	if w.watch {
		if w.now < w.latest {
			w.back++
		}
		w.latest, w.watch = max(w.latest, w.now), false
	}
	return w.now
}

func (w *skewed) pass(ticks int64) {
	stood := min(w.frozen, ticks)
	w.frozen -= stood
	w.now += ticks - stood
	if !w.wild || w.random.IntN(300) > 0 {
		return
	}
	far := int64(math.Pow(10, 10*w.random.Float64())) // 1 ns to 10 s
	switch w.random.IntN(3) {
	case 0:
		w.now -= far
	case 1:
		w.frozen = far
	default:
		w.now += far
		w.jumped += far
	}
}

// frame is one of 16 ms, with 5 ms in a zone, of these 1 ms in another. No part of it is below 0.
func (w *skewed) frame() {
	w.watch = true
	outer := skewedZone.Begin()
	w.pass(2e6)
	w.watch = true
	inner := skewedInner.Begin()
	w.pass(1e6)
	w.watch = true
	inner.End()
	w.pass(2e6)
	w.watch = true
	outer.End()
	w.pass(11e6)
	gather.Collect(&w.f)
	if w.f.End < w.f.Begin {
		w.t.Fatalf("frame %d: from %d to %d", w.f.Index, w.f.Begin, w.f.End)
	}
	for _, l := range w.f.Lanes {
		for _, n := range l.Nodes {
			if n.Self < 0 {
				w.t.Fatalf("frame %d: got %d ticks in %q; want none below 0", w.f.Index, n.Self,
					w.f.Zones[n.Zone].Name)
			}
		}
	}
	write(w.t, w.s, &w.f)
}

// checkShown checks that no number of a report is below 0.
func (w *skewed) checkShown(r *report.Report) {
	w.s.View().AppendReportOf(r, report.View{})
	for _, rec := range r.Records {
		for c, v := range rec.Values {
			if !(v >= 0) || math.IsInf(v, 0) {
				w.t.Fatalf("frame %d, %s, %v: got %v", w.f.Index, rec.Name, report.Column(c), v)
			}
		}
	}
}

// Whatever the clock did, no number is below 0, each reading that is before another is counted, and the averages are
// right again after the time in which they forget the jumps.
func TestAveragesRecoverFromASkewedClock(t *testing.T) {
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	for seed := uint64(1); seed < 10; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := &skewed{t: t, s: process.NewSession(), random: rand.New(rand.NewPCG(seed, 1)), now: 1 << 40}
			platform.SetClock(w.read, 1e9)
			gather.Collect(&w.f)
			before, r := w.f.Misuse.ClockBack, report.Report{Want: report.AllColumns}
			for i := range 2000 {
				w.wild = i > 100
				if w.frame(); i%20 == 0 {
					w.checkShown(&r)
				}
			}
			for w.wild = false; w.now < w.latest || w.frozen > 0; { // until the clock is where it was
				w.frame()
			}
			if got := w.f.Misuse.ClockBack - before; got != w.back || w.back == 0 || w.jumped == 0 {
				t.Errorf("got %d steps back; want %d, and some; jumps are %d ticks", got, w.back, w.jumped)
			}
			w.checkRecovery()
		})
	}
}

// checkRecovery goes on for two settling times, or until the jumps' share of an average is below 2 % of the smaller
// zone. Then the averages have to be within 5 %.
func (w *skewed) checkRecovery() {
	times := max(2, math.Log10(float64(w.jumped)/(0.02*1e6)))
	for average, settling := range []float64{report.AverageShort: 0.8, report.AverageLong: 2.5} {
		for range int(times * settling / 0.016) {
			w.frame()
		}
		view := report.View{Average: report.Average(average)}
		for name, want := range map[string]float64{"skewed": 5, "in the skewed one": 1} {
			if got := value(w.s, view, name, report.ColumnHier); math.Abs(got-want) > 0.05*want {
				w.t.Errorf("average %d of %q: got %.3f ms; want %v", average, name, got, want)
			}
		}
	}
}
