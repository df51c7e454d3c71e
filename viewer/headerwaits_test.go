package viewer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// waitedFrames is a session in which one of three frames has waits of all goroutines.
func waitedFrames(t *testing.T, gpu bool) *process.Session {
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	for i := range uint64(90) {
		f := &gather.Frame{Index: i, Begin: platform.Ticks(20 * i), End: platform.Ticks(20*i + 20),
			TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 20}}},
				{ID: 2, Device: gpu, Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 20}}}}}
		if i%3 == 0 {
			f.Memory.RunQueue, f.Memory.LockWait = 123400*time.Microsecond, 101200*time.Microsecond
		}
		must.Do(t, s.WriteFrame(f))
	}
	s.Pause()
	return s
}

// The waits of all goroutines stand in the header beside the length of the frames that have any. Nothing else moves.
func TestTheHeaderHasTheWaitsOfAllGoroutines(t *testing.T) {
	const waits = "runnable ~6.2 · locks ~5.1 goroutines"
	for _, gpu := range []bool{false, true} {
		s := waitedFrames(t, gpu)
		p := viewer.PanelFor(s)
		p.Change(func(o *viewer.Options) { o.Mode, o.Title = viewer.PanelFull, "game" })
		for _, width := range []float32{800, 960, 1280, 1920} {
			var before []draw.Words
			for age := 1; age < 7; age++ {
				s.View().ShowFrame(uint64(89 - age))
				words := slices.DeleteFunc(laidOut(p, width, 540).AppendWords(nil), func(w draw.Words) bool {
					return w.Baseline > 50 || strings.HasPrefix(w.Text, "frame ")
				})
				at := slices.IndexFunc(words, func(w draw.Words) bool { return w.Text == waits })
				if got := at >= 0; got != (age%3 == 2) {
					t.Fatalf("width %v, frame %d: got %v; want waits: %t", width, 89-age, words, age%3 == 2)
				}
				if at >= 0 {
					words = slices.Delete(words, at, at+1)
				}
				if before != nil && !slices.Equal(words, before) {
					t.Errorf("width %v, GPU %t: got %v\nwant %v", width, gpu, words, before)
				}
				before = words
			}
		}
	}
}
