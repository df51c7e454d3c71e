package process_test

import (
	"slices"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A dump of chosen frames has their trees, as those of all frames are, and none of frames that are unknown.
func TestDumpHasTheTreesOfChosenFrames(t *testing.T) {
	s := process.NewSession()
	r := replay.New(3, s)
	for range 60 {
		must.Do(t, r.Step())
	}
	all := s.Dump(report.DumpOptions{AllFrames: true})
	if len(all.FrameTrees) < 50 {
		t.Fatalf("got %d trees of all frames; want more", len(all.FrameTrees))
	}
	for _, want := range [][]uint64{{}, {all.FrameTrees[7].Index}, {all.FrameTrees[3].Index, all.FrameTrees[40].Index,
		1 << 60}} {
		d := s.Dump(report.DumpOptions{Frames: want})
		var got []uint64
		for i := range d.FrameTrees {
			tree := &d.FrameTrees[i]
			got = append(got, tree.Index)
			at := slices.IndexFunc(all.FrameTrees, func(t report.FrameTree) bool { return t.Index == tree.Index })
			if !slices.Equal(tree.Nodes, all.FrameTrees[at].Nodes) {
				t.Errorf("frame %d: got other nodes than in the dump of all frames", tree.Index)
			}
		}
		if known := slices.DeleteFunc(slices.Clone(want),
			func(i uint64) bool { return i == 1<<60 }); !slices.Equal(got, known) {
			t.Errorf("got trees of %v; want %v", got, known)
		}
	}
}

// The slowest and the newest frames take turns.
func TestFramesByImportance(t *testing.T) {
	d := &report.Dump{}
	for i, busy := range []float32{1, 9, 2, 8, 3} {
		d.History = append(d.History, report.FrameSummary{Index: uint64(i), Busy: busy})
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: uint64(i)})
	}
	if got, want := d.ByImportance(), []int{1, 4, 3, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
}
