//go:build !iprof_off

package workload

import (
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

var testWait = iprof.Zone{Name: "test wait", Idle: true}

// busy works for a while, wait waits.
func busy(d time.Duration) {
	defer iprof.Begin("test busy").End()
	for begin := time.Now(); time.Since(begin) < d; {
	}
}

func wait(d time.Duration) {
	defer testWait.Begin().End()
	time.Sleep(d)
}

// A slow frame keeps the events of the pipeline's workers, whether it was busy or waited, when their rings have been
// overwritten many times over.
func TestSlowFramesOfThePipelineKeepTheWorkersEvents(t *testing.T) {
	longtest.Skip(t)
	for _, c := range []struct {
		name string
		slow func(d time.Duration)
	}{{"busy", busy}, {"waited", wait}} {
		t.Run(c.name, func(t *testing.T) {
			iprof.SetEvents(4096) // for good: a lane that an earlier goroutine left would begin again at its next event
			w := must.Get(New("goroutines", Options{Seed: 1}))(t)
			defer w.Close()
			s := process.Default()
			s.Reset()
			frame := func(before func()) uint64 {
				before()
				must.Do(t, w.Step(time.Second/60))
				iprof.Update()
				return s.View().Info().Index
			}
			for range 5 {
				frame(func() {})
			}
			slow := frame(func() { c.slow(3 * time.Second) })
			for range 150 {
				frame(func() {})
			}
			tiles := map[report.LaneID]int{}
			for _, scope := range s.AppendTimelineFrame(nil, 0, slow) {
				if s.Zone(scope.Zone).Name == "tile" {
					tiles[scope.Lane]++
				}
			}
			sum := 0
			for _, n := range tiles {
				sum += n
			}
			if sum < 45 {
				t.Errorf("got %d tiles on %d lanes; want all 45 of the slow frame", sum, len(tiles))
			}
			for _, l := range s.AppendTimelineFrameLanes(nil, slow) {
				if l.State != timeline.Whole {
					t.Errorf("%s: got state %d; want all events of the frame", l.Name, l.State)
				}
			}
		})
	}
}
