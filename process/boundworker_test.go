//go:build !iprof_off

package process_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The headline says for which goroutine a frame waited: by its states, or as that worked just as long.
func TestFramesThatWaitForAnotherGoroutine(t *testing.T) {
	const length = 16 // of which it waits 14
	lock := func(frame uint64, waker gather.LaneID, long platform.Ticks) gather.LaneState {
		begin := platform.Ticks(frame) * 100
		return gather.LaneState{Kind: gather.StateWaiting, Lane: 1, Begin: begin + 1, End: begin + 1 + long,
			Waker: waker}
	}
	for name, c := range map[string]struct {
		worker platform.Ticks
		states []gather.LaneState
		gpu    bool
		want   string
	}{
		"it worked as long":      {worker: 14, want: "2.0 busy + 14.0 waiting for worker 7"},
		"it worked shorter":      {worker: 11, want: "2.0 busy + 14.0 waiting"},
		"it works all the time":  {worker: 15, want: "2.0 busy + 14.0 waiting"},
		"with a GPU":             {worker: 14, gpu: true, want: "CPU 2.0 · GPU 8.0 ms · waiting for worker 7"},
		"with a GPU, not for it": {worker: 4, gpu: true, want: "CPU 2.0 · GPU 8.0 ms · waiting for the display"},
		"it ended the wait": {worker: 4, states: []gather.LaneState{lock(40, 2, 10)},
			want: "2.0 busy + 14.0 waiting for worker 7"},
		"it ended a short one": {worker: 4, states: []gather.LaneState{lock(40, 2, 5)},
			want: "2.0 busy + 14.0 waiting"},
		"a timer ended the wait": {worker: 14, states: []gather.LaneState{lock(40, 0, 10)},
			want: "2.0 busy + 14.0 waiting"},
		"one without a lane": {worker: 4, states: []gather.LaneState{lock(40, 99, 10)},
			want: "2.0 busy + 14.0 waiting for other goroutines"},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			for i := range uint64(41) {
				f := workerFrame(i, length, c.worker)
				if c.gpu {
					f.Lanes = append(f.Lanes, gpuFrame(i, length, 8).Lanes[1])
					f.Lanes[2].ID, f.Lanes[2].Nodes = 3, []gather.Node{{ID: 9, Parent: -1, Self: length - 8},
						{ID: 10, Zone: 3, Count: 1, Self: 8}}
				}
				if i == 40 {
					f.States = c.states
				}
				write(t, s, f)
			}
			s.View().SetAverage(report.AverageInstant)
			i := s.View().Info()
			if got := string(i.AppendParts(nil, 1)); got != c.want {
				t.Errorf("got %q; want %q", got, c.want)
			}
			if got := i.Bound() == report.BoundWorker; got != strings.Contains(c.want, "for w") &&
				got != strings.Contains(c.want, "for o") {
				t.Errorf("got the bound %v", i.Bound())
			}
			s.View().SetAverage(report.AverageLong)
			i = s.View().Info()
			if got := string(i.AppendParts(nil, 1)); c.worker == 14 && c.states == nil &&
				!strings.HasSuffix(got, "waiting for other goroutines") {
				t.Errorf("averaged: got %q; want no name, as it changes", got)
			}
		})
	}
}

// A name that is long is cut, between its letters.
func TestLongNamesOfWorkersAreCut(t *testing.T) {
	s := process.NewSession()
	f := workerFrame(0, 16, 14)
	f.Lanes[1].Name = strings.Repeat("ä", 400)
	write(t, s, f)
	s.View().SetAverage(report.AverageInstant)
	i := s.View().Info()
	if got := string(i.AppendParts(nil, 1)); got != "2.0 busy + 14.0 waiting for "+strings.Repeat("ä", 12) {
		t.Errorf("got %q; want 12 letters of the name", got)
	}
}
