package process_test

import (
	"math"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestDumpIsOfOneSideOfAReset resets while dumps are made. All frames between two resets have the same time in their
// zone, so that a dump tells which of them it is of.
func TestDumpIsOfOneSideOfAReset(t *testing.T) {
	s, done, ended := process.NewSession(), make(chan bool), make(chan bool)
	fill := func(generation int) {
		s.Reset()
		for i := range 12 {
			_ = s.WriteFrame(tree(uint64(i), []string{"a"}, "a "+string(rune('1'+generation%9))+" 1\n"))
		}
	}
	fill(0)
	go func() {
		defer close(ended)
		for generation := 1; ; generation++ {
			select {
			case <-done:
				return
			default:
				fill(generation)
			}
		}
	}()
	for range 300 {
		d := s.Dump(report.DumpOptions{AllFrames: true})
		if len(d.History) == 0 {
			continue
		}
		want := float64(d.History[0].Length)
		for _, tree := range d.FrameTrees {
			if math.Abs(tree.Nodes[0].Hier-want) > 1e-6 {
				t.Fatalf("got a tree of %v ms in a history of frames of %v ms", tree.Nodes[0].Hier, want)
			}
		}
		if d.Report != nil && d.Report.Frame.Frames > 0 && math.Abs(d.Report.Frame.Length-want) > 1e-6 {
			t.Fatalf("got a report of a frame of %v ms in a history of frames of %v ms", d.Report.Frame.Length, want)
		}
	}
	close(done)
	<-ended
}
