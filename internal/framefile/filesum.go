package framefile

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// mostReaders is the greatest number of goroutines that read a file at once.
const mostReaders = 8

// Sums are the sums over all frames of a file.
type Sums struct {
	process.Whole
	Lost      uint64 // frames that the program dropped because its disk was too slow
	Disturbed int    // frames of which the machine gave more than a tenth to other programs: see gather.Frame

	judgedTimes [][]float32    // ms by frame, for each key
	runs        [][]sectionRun // for each key
}

// Judged calls do with the judged time of each frame, in ms, the oldest first: see report.FrameSummary.
func (s *Sums) Judged(do func(frame uint64, ms float32)) {
	frame := uint64(0)
	for _, list := range s.judgedTimes {
		for _, ms := range list {
			do(frame, ms)
			frame++
		}
	}
}

// Sum sums all frames. Several goroutines read the frames of different keys. It takes four bytes for each frame. The
// error is an error of reading the file, a *DamageError, or errNoOrder.
func (f *File) Sum() (*Sums, error) { return f.sum(nil, false) }

// sum sums the frames that takes chooses, or all if it is nil. It can compute statistics, too.
func (f *File) sum(takes func(frame uint64) bool, statistics bool) (*Sums, error) {
	s := &Sums{judgedTimes: make([][]float32, len(f.keys)), runs: make([][]sectionRun, len(f.keys))}
	readers := make([]summer, max(1, min(runtime.GOMAXPROCS(0), mostReaders, len(f.keys))))
	var failed atomic.Bool
	var group sync.WaitGroup
	for i := range readers {
		r := &readers[i]
		r.cursor = f.newCursor()
		r.chooses = takes
		if statistics {
			r.whole.WithStatistics()
		}
		group.Go(func() {
			// Each reader has fixed keys, so that sums are rounded in the same way each time.
			for key := i; key < len(f.keys) && !failed.Load(); key += len(readers) {
				if !r.takesAny(key) {
					continue
				}
				r.runs = nil
				if s.judgedTimes[key], r.err = r.sum(key); r.err != nil {
					failed.Store(true)
				}
				s.runs[key] = r.runs
			}
		})
	}
	group.Wait()
	var used longest
	for i := range readers {
		r := &readers[i]
		if r.err != nil {
			return nil, r.err
		}
		if !used.add(&r.cursor.reader.longest) || !s.Merge(&r.whole) {
			return nil, errNoOrder
		}
		s.Lost += r.lost
		s.Disturbed += r.disturbed
	}
	return s, nil
}

// summer adds up the frames of some keys.
type summer struct {
	cursor  *cursor
	chooses func(frame uint64) bool // nil: all
	whole   process.Whole
	frame   gather.Frame
	runs    []sectionRun // of the key that is being read
	lost    uint64
	err     error

	disturbed int
}

// sum adds up the frames of a key, and returns their judged times.
func (r *summer) sum(key int) (judged []float32, err error) {
	c := r.cursor
	if err := c.seek(key, key+1); err != nil {
		return nil, err
	}
	end := c.file.ends(key)
	before := c.reader.lost
	judged = make([]float32, 0, min(end.frames-c.at, framesPerKey))
	for {
		kind, payload, err := c.reader.chunk()
		switch {
		case errors.Is(err, io.EOF):
			if uint64(len(judged)) != end.frames-c.at {
				return nil, errNoOrder
			}
			r.lost += c.reader.lost - before
			c.offset = end.keptSize
			return judged, nil
		case err != nil:
			return nil, err
		case kind == chunkEvents, kind == chunkMarks, kind == chunkStates, kind == chunkCalls, kind == chunkPicture,
			kind == chunkSlow, kind == chunkSlowly, kind == chunkHot, kind == chunkTrace,
			kind == chunkObjects:
			continue // not chosen
		}
		done, err := c.reader.take(kind, payload, &r.frame)
		if err == nil && done {
			judged = append(judged, 0)
			err = r.add(c.at+uint64(len(judged))-1, &judged[len(judged)-1])
		}
		if err != nil {
			return nil, err
		}
	}
}

// takesAny reports whether any frame of a key is taken.
func (r *summer) takesAny(key int) bool {
	file := r.cursor.file
	for at := file.keys[key].frames; r.chooses != nil; at++ {
		if at >= file.ends(key).frames {
			return false
		}
		if r.chooses(at) {
			break
		}
	}
	return true
}

// add adds a frame if takes chooses it, and sets its judged time.
func (r *summer) add(frame uint64, ms *float32) error {
	if r.chooses != nil && !r.chooses(frame) {
		return nil
	}
	r.whole.Next = frame
	err := r.whole.Add(&r.frame)
	*ms = float32(r.whole.JudgedMS())
	if r.frame.Disturbed() {
		r.disturbed++
	}
	r.runs = addToRuns(r.runs, &r.frame, frame, *ms)
	return err
}

// add adds the times that another reader has taken. It reports whether they are still below the limits.
func (c *longest) add(o *longest) bool {
	for _, k := range [...][2]*uint64{{&c.frames, &o.frames}, {&c.nodes, &o.nodes}, {&c.cpu, &o.cpu},
		{&c.lanes, &o.lanes}} {
		if *k[1] > years || *k[0]+*k[1] > years {
			return false
		}
		*k[0] += *k[1]
	}
	return o.cut == 0
}
