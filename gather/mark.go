//go:build !iprof_off

package gather

import (
	"strings"
	"sync"

	"example.com/iprof/gather/internal/source"
	"example.com/iprof/platform"
)

// pending has the marks that no frame has yet.
var pending struct {
	sync.Mutex
	marks   []MarkInfo // by time; at most MostMarks
	dropped uint64     // since start
}

// Mark puts a mark with a text on the time line: see MarkInfo. The text is copied, and cut to 1,024 bytes. A frame has
// at most MostMarks marks; the later ones are dropped and counted in Dropped.Marks. While recording is off there are no
// marks. Any goroutine may call it, with or without a lane. It waits only for other calls of Mark, and for the end of a
// frame to take the marks over. Cost: BenchmarkMark.
func Mark(text string) {
	if !Recording() {
		return
	}
	lane := OwnLane()
	pending.Lock()
	defer pending.Unlock()
	if len(pending.marks) >= MostMarks {
		pending.dropped++
		return
	}
	pending.marks = append(pending.marks, MarkInfo{platform.Now(), lane, strings.Clone(source.Cut(text))})
}

// reportMarks gives the frame the marks before its end. With move, the next frame has only those after it.
func reportMarks(f *Frame, move bool) {
	pending.Lock()
	defer pending.Unlock()
	n := 0
	for n < len(pending.marks) && pending.marks[n].Time <= f.End {
		n++
	}
	f.Marks = append(f.Marks[:0], pending.marks[:n]...)
	f.Dropped.Marks = pending.dropped
	if move {
		rest := copy(pending.marks, pending.marks[n:])
		clear(pending.marks[rest:])
		pending.marks = pending.marks[:rest]
	}
}
