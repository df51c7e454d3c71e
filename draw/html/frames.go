package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"example.com/iprof/process"
)

// encodeFrames returns the trees of single frames, as many as fit, in the order of the dump and separated by commas.
// It takes the slowest and the newest in turn. The other data has used so many bytes.
func encodeFrames(d *process.Dump, o *Options, used int) ([]byte, frameSize) {
	limit := o.FrameBytes
	if limit == 0 {
		limit = min(defaultFrameBytes, max(mostData-used, 0))
	}
	size := frameSize{asked: len(d.FrameTrees)}
	kept := make([][]byte, len(d.FrameTrees))
	for _, i := range byImportance(d) {
		t := &d.FrameTrees[i]
		b := strconv.AppendUint([]byte(`{"i":`), t.Index, 10)
		b = appendVerdict(appendColumns(b, t.Nodes, d.TicksPerSecond), &t.Verdict, nodeOf(t))
		b = append(b, '}')
		if limit >= 0 && size.bytes+len(b) > limit {
			break
		}
		kept[i] = b
		size.kept++
		size.bytes += len(b)
	}
	var joined []byte
	for _, b := range kept {
		if len(b) > 0 && len(joined) > 0 {
			joined = append(joined, ',')
		}
		joined = append(joined, b...)
	}
	return joined, size
}

// byImportance returns the indexes of the frame trees: slowest, newest, second slowest, second newest, and so on.
func byImportance(d *process.Dump) []int {
	busy := make(map[uint64]float32, len(d.History))
	for i := range d.History {
		busy[d.History[i].Index] = d.History[i].Busy
	}
	slow := make([]int, len(d.FrameTrees))
	for i := range slow {
		slow[i] = i
	}
	slices.SortStableFunc(slow, func(a, b int) int {
		return cmp.Compare(busy[d.FrameTrees[b].Index], busy[d.FrameTrees[a].Index])
	})
	order := make([]int, 0, len(slow))
	taken := make([]bool, len(slow))
	take := func(i int) {
		if !taken[i] {
			taken[i] = true
			order = append(order, i)
		}
	}
	for i := range slow {
		take(slow[i])
		take(len(slow) - 1 - i)
	}
	return order
}

// frameSize says what the trees of single frames take.
type frameSize struct{ kept, asked, bytes int }

// String is what the page says of them.
func (s frameSize) String() string {
	if s.asked == 0 {
		return "no trees of single frames"
	}
	return fmt.Sprintf("trees of %d of %d frames, %d kB", s.kept, s.asked, (s.bytes+999)/1000)
}
