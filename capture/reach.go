package capture

import (
	"io"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
	"example.com/iprof/process/totals"
)

// Reach lets a session reach all frames of a capture of so many bytes, which Load has read into it and which has more
// frames than its history holds. Whoever shows an older frame, in a window, on a page or by a command, then has it read
// from the file. Averages are of all frames: see process.HistoryLimits. It reports false for a file whose frames can
// only be read one after the other, and where the history holds all. The file is read while the session is used. The
// error is the file's.
func Reach(s *process.Session, in io.ReaderAt, size int64) (reaches bool, err error) {
	f, err := OpenFile(in, size)
	if err == nil && f.frames != s.Info().Frames {
		return false, nil
	}
	var sums *Sums
	if err == nil {
		sums, err = f.Sum()
	}
	if isDisorder(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	source := &fileSource{f, sums}
	sums.Source, sums.Chosen = source, source
	setWhole(s, &sums.Whole)
	return s.HistoryLimits().Whole != nil, nil
}

// fileSource is a file as the source of a session.
type fileSource struct {
	*File
	sums *Sums
}

var (
	_ totals.Source = (*fileSource)(nil)
	_ totals.Choice = (*fileSource)(nil)
)

// Find returns the number of the frame with an index. Indexes rise in a file that one program has written.
func (s *fileSource) Find(index uint64) (frame uint64, found bool) {
	at := sort.Search(len(s.keys), func(i int) bool {
		first, err := s.indexOf(s.keys[i].frames)
		return err != nil || first > index
	}) - 1
	if at < 0 {
		return 0, false
	}
	frame = s.keys[at].frames
	_, err := s.read(frame, s.ends(at).frames, func(f *gather.Frame, _ []eventChunk) {
		if found = found || f.Index == index; !found {
			frame++
		}
	})
	return frame, found && err == nil
}

// indexOf returns the index of the first frame of a key.
func (s *fileSource) indexOf(frame uint64) (index uint64, err error) {
	_, err = s.read(frame, frame+1, func(f *gather.Frame, _ []eventChunk) { index = f.Index })
	return index, err
}

// Over returns the nearest frame before another, or behind it, that takes longer than so many ms.
func (s *fileSource) Over(frame uint64, step int, ms float64) (over uint64, found bool) {
	s.sums.Judged(func(at uint64, took float32) {
		if float64(took) > ms && (step < 0 && at < frame || step > 0 && at > frame && !found) {
			over, found = at, true
		}
	})
	return over, found
}

// Read calls do with frames.
func (s *fileSource) Read(from, to uint64, do func(f *gather.Frame)) (timeline.EventSource, error) {
	var events *eventStore
	_, err := s.read(from, to, func(f *gather.Frame, chunks []eventChunk) {
		for _, e := range chunks {
			if events == nil {
				events = new(eventStore)
			}
			events.add(e)
		}
		do(f)
	})
	if err != nil || events == nil {
		return nil, err
	}
	return events, nil
}
