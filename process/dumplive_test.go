package process_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// oneOfLength is a frame whose zone took as many ms as the frame's number says.
func oneOfLength(i uint64) *gather.Frame {
	end := platform.Ticks(i + 1)
	nodes := []gather.Node{{Parent: -1, Self: 1}, {ID: 1, Zone: 1, Parent: 0, Count: 1, Self: end - 1}}
	return &gather.Frame{Index: i, End: end, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: end, Nodes: nodes}}}
}

// Frames may end while a Dump is made: it lets them, and each tree is still that of its frame.
func TestFramesEndDuringADump(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(300) {
		write(t, s, oneOfLength(i))
	}
	stop, done := make(chan bool), make(chan uint64)
	go func() {
		for i := uint64(300); ; i++ {
			select {
			case <-stop:
				done <- i
				return
			default:
				if err := s.WriteFrame(oneOfLength(i)); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	trees := 0
	for range 20 {
		d := s.Dump(report.DumpOptions{AllFrames: true})
		for _, tree := range d.FrameTrees {
			trees++
			if got := tree.Nodes[0].Hier; got != float64(tree.Index+1) {
				t.Fatalf("frame %d: got the tree of a frame of %v ms", tree.Index, got)
			}
		}
	}
	close(stop)
	if last := <-done; trees == 0 {
		t.Errorf("got no tree while %d frames ended; want some", last-300)
	}
}

// TestDumpSeriesHaveTheSpikes has more steady zones than there are layers, and one that is there for a single frame.
func TestDumpSeriesHaveTheSpikes(t *testing.T) {
	s := process.NewSession()
	var names []string
	steady := ""
	for i := range 20 {
		names = append(names, fmt.Sprint("steady", i))
		steady += names[i] + " 1 1\n"
	}
	names = append(names, "autosave")
	for i := range 60 {
		text := steady
		if i == 30 {
			text += "autosave 25 1\n"
		}
		write(t, s, tree(uint64(i), names, text))
	}
	var got []string
	for _, one := range s.Dump(report.DumpOptions{}).Series {
		got = append(got, one.Name)
	}
	if !slices.Contains(got, "autosave") {
		t.Errorf("got series of %q; want autosave among them, which made the one slow frame", got)
	}
}
