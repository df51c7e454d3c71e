package exectrace_test

import (
	"fmt"
	"testing"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The rate of samples is 100 to 1000 a second, and another is an error.
func TestTheRateOfSamplesHasARange(t *testing.T) {
	g := newGame(t)
	source := g.session.HotSource()
	for _, rate := range []int{-1, 1, 99, 1001} {
		if err := source.SetSampling(rate); err == nil || source.Sampling() != 0 {
			t.Errorf("got %v, %d a second; want an error for %d", err, source.Sampling(), rate)
		}
		if _, err := g.watch.SampleAt(rate); err == nil {
			t.Errorf("SampleAt: got no error for %d", rate)
		}
	}
	if _, err := g.watch.SampleAt(0); err == nil {
		t.Error("SampleAt: got no error for 0")
	}
	for _, rate := range []int{100, 1000, 250} {
		if err := source.SetSampling(rate); err != nil {
			t.Skip("the test run is profiled:", err)
		}
		if got := source.Sampling(); got != rate {
			t.Errorf("got %d; want %d samples a second", got, rate)
		}
	}
	if err := source.SetSampling(0); err != nil || source.Sampling() != 0 {
		t.Errorf("stopped: got %v, %d", err, source.Sampling())
	}
}

// The samples of an earlier start are not counted with those of the last: a zone that ran under both rates would have
// the shares of none.
func TestSamplesAreOfOneRate(t *testing.T) {
	before := gather.Events()
	gather.SetEvents(1 << 16)
	defer gather.SetEvents(before)
	g := newGame(t)
	stop, err := g.watch.SampleAt(250)
	if err != nil {
		t.Skip("the test run is profiled:", err)
	}
	samples := func() *exectrace.HotLines {
		for range 50 {
			g.frame(func() {
				scope := hotZone.Begin()
				hotLoop()
				scope.End()
			})
		}
		id, _ := hotZone.ID()
		h := must.Get(g.watch.HotLines(id))(t)
		return h
	}
	for samples().Samples < 20 {
	}
	stop()
	if stop, err = g.watch.SampleAt(report.MinSampling); err != nil {
		t.Fatal(err)
	}
	id, _ := hotZone.ID()
	if h, err := g.watch.HotLines(id); err != nil || h.Samples > 0 {
		t.Errorf("got %d samples from before the start, %v; want none", h.Samples, err)
	}
	for samples().Samples < 5 {
	}
	stop()
}

// More samples find more in a short time. The error says why there are none.
func ExampleWatcher_SampleAt() {
	watch, err := exectrace.Watch(process.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watch.Stop()
	stop, err := watch.SampleAt(250)
	if err != nil {
		fmt.Println(err)
		return
	}
	stop()
	_, err = watch.SampleAt(5000)
	fmt.Println(err)
	// Output: exectrace: 5000 samples a second; want 100 to 1000
}
