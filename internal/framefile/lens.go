package framefile

import (
	"math"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Sum sums the frames that a lens chooses, or the other frames, with statistics.
func (s *fileSource) Sum(l report.Lens, over float64, others bool) (*process.Whole, error) {
	if l.Kind == report.LensAll && !others {
		sums, err := s.sum(nil, true)
		if err != nil {
			return nil, err
		}
		return &sums.Whole, nil
	}
	frames := s.chosen(l, over, others)
	sums, err := s.sum(func(frame uint64) bool {
		_, takes := slices.BinarySearch(frames, frame)
		return takes
	}, true)
	if err != nil {
		return nil, err
	}
	sums.Restrict(frames)
	return &sums.Whole, nil
}

// Chosen returns the numbers of the frames that a lens chooses, the oldest first. over is the least judged time of a
// frame over budget, in ms. The sums are those of this file.
func (f *File) Chosen(sums *Sums, l report.Lens, over float64) []uint64 {
	return (&fileSource{f, sums}).chosen(l, over, false)
}

// chosen returns the numbers of the frames that a lens chooses, or of the other frames.
func (s *fileSource) chosen(l report.Lens, over float64, others bool) (frames []uint64) {
	takes := s.taken(&l, over)
	if l.Kind == report.LensSlowest {
		least, among := s.leastSlow(l.Frames(), takes), takes
		takes = func(frame uint64, ms float32) bool {
			return among(frame, ms) && !(slowness{ms, frame}).before(least)
		}
	}
	s.sums.Judged(func(frame uint64, ms float32) {
		if takes(frame, ms) != others {
			frames = append(frames, frame)
		}
	})
	return frames
}

// taken returns a function that reports whether a lens may choose a frame: see report.Lens.Takes.
func (s *fileSource) taken(l *report.Lens, over float64) func(frame uint64, ms float32) bool {
	from, to := uint64(0), s.frames
	if first, last, some := l.Range(); some {
		from, to = s.numbers(first, last)
	}
	of := l.OfBudget()
	return func(frame uint64, ms float32) bool {
		return frame >= from && frame < to && (of == report.LensAll || (float64(ms) > over) == (of == report.LensOver))
	}
}

// slowness orders frames by time. Of two equally slow frames the newer comes last.
type slowness struct {
	ms    float32
	frame uint64
}

func (a slowness) before(b slowness) bool { return a.ms < b.ms || a.ms == b.ms && a.frame < b.frame }

// leastSlow returns the least of the n slowest frames among those that are taken.
func (s *fileSource) leastSlow(n int, taken func(frame uint64, ms float32) bool) slowness {
	var slowest []slowness // the slowest first
	s.sums.Judged(func(frame uint64, ms float32) {
		f := slowness{ms, frame}
		if !taken(frame, ms) || len(slowest) == n && f.before(slowest[n-1]) {
			return
		}
		at := sort.Search(len(slowest), func(i int) bool { return slowest[i].before(f) })
		slowest = slices.Insert(slowest, at, f)
		slowest = slowest[:min(len(slowest), n)]
	})
	if len(slowest) == 0 {
		return slowness{}
	}
	return slowest[len(slowest)-1]
}

// numbers returns the numbers from..to-1 of the frames with the indices first to last.
func (s *fileSource) numbers(first, last uint64) (from, to uint64) {
	from = s.numberOf(first)
	to = s.frames
	if last < math.MaxUint64 {
		to = s.numberOf(last + 1)
	}
	return from, to
}

// numberOf returns the number of the first frame whose index is at least index.
func (s *fileSource) numberOf(index uint64) (frame uint64) {
	at := sort.Search(len(s.keys), func(i int) bool {
		first, err := s.indexOf(s.keys[i].frames)
		return err != nil || first >= index
	}) - 1
	if at < 0 {
		return 0
	}
	frame = s.keys[at].frames
	_, _ = s.read(frame, s.ends(at).frames, func(f *gather.Frame, _ []eventChunk) {
		if f.Index < index {
			frame++
		}
	})
	return frame
}
