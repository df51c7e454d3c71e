package history

import (
	"math/rand/v2"
	"testing"

	"example.com/iprof/process/report"
)

// A frame costs what it mentions: of 10,000 paths, those that it entered and those above them.
func TestTouchedIsWhatWasEntered(t *testing.T) {
	var tree Tree
	root := tree.Child(-1, 0, false, 0)
	for i := range 10_000 {
		tree.Child(tree.Child(root, report.ZoneID(i+1), false, 0), report.ZoneID(i+10_001), false, 0)
	}
	var of Touched
	for frame := range 3 {
		p := Frame{PerTick: 1, Times: Times{SpanMS: 100}, Lanes: []LaneRecords{{To: 3, Updater: true}},
			Records: []Record{{Self: 1},
				{Self: 5, Path: uint32(2000*frame + 2)}, {Self: 7, Path: uint32(4000*frame + 2)}}}
		of.Take(&p, EveryLane, &tree, 20_001)
		paths, sum := 0, 0.0
		of.paths.each(func(i int32) { paths, sum = paths+1, sum+of.values.At(int(i)).Self })
		if want := []int{3, 5, 5}[frame]; paths != want || sum != 13 || of.values.At(0).Hier != 100 {
			t.Errorf("frame %d: got %d paths with %v ms, %v ms in all; want %d, 13 and 100", frame, paths, sum,
				of.values.At(0).Hier, want)
		}
	}
}

// Series says of the last frames what a plain list says.
func TestSeriesOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, length := range []uint64{2, 63, 64, 65, 300, 1000} {
		memory := new(Chunks)
		series := [3]*Series{}
		for i := range series {
			s := memory.NewSeries(nil)
			series[i] = &s
		}
		var all [3][]float32
		for seq := range uint64(3000) {
			first := seq + 1 - min(seq+1, length)
			memory.trim(first)
			for i, s := range series {
				v := float32(0)
				if random.IntN(1+i*200) == 0 {
					v = float32(random.IntN(1 + 2*i*i))
				}
				s.Put(seq, v)
				all[i] = append(all[i], v)
				if random.IntN(10) == 0 {
					compareSeries(t, s, all[i], first, seq+1)
				}
			}
		}
		if most := 3 * (int(length)/chunkFrames + 3); memory.made > most+slabChunks {
			t.Errorf("%d frames: got %d chunks; want about %d", length, memory.made, most)
		}
	}
}

func compareSeries(t *testing.T, s *Series, all []float32, first, next uint64) {
	t.Helper()
	sum, most := 0.0, float32(0)
	for _, v := range all[first:] {
		sum, most = sum+float64(v), max(most, v)
	}
	if got := s.Sum(first); got != sum {
		t.Fatalf("frames %d..%d: got sum %v; want %v", first, next, got, sum)
	}
	if got := s.Max(first); got != most {
		t.Fatalf("frames %d..%d: got greatest %v; want %v", first, next, got, most)
	}
	for i, v := range s.AppendRange(nil, first, next) {
		if seq := first + uint64(i); v != all[seq] || s.At(seq) != v {
			t.Fatalf("frame %d: got %v and %v; want %v", seq, v, s.At(seq), all[seq])
		}
	}
}
