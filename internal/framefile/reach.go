package framefile

import (
	"io"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
)

// Reach lets a session show all frames of a capture of size bytes, which Load has read into it, if the capture has more
// frames than the history holds. When a window, a page or a command shows a frame outside the history, the session
// reads it from the file. Averages cover all frames: see process.HistoryLimits. It reports false if the frames of the
// file can only be read in sequence, and if the history holds all frames. Keep the file open as long as the session is
// used. The error is the file's.
func Reach(s *process.Session, in io.ReaderAt, size int64) (reaches bool, err error) {
	f, err := OpenFile(in, size)
	if err == nil && f.frames != s.View().Info().Frames {
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
	_ process.TotalsSource = (*fileSource)(nil)
	_ process.TotalsChoice = (*fileSource)(nil)
)

// Find returns the number of the frame with an index. Indexes ascend in a file that one program has written.
func (f *File) Find(index uint64) (frame uint64, found bool) {
	at := sort.Search(len(f.keys), func(i int) bool {
		first, err := f.indexOf(f.keys[i].frames)
		return err != nil || first > index
	}) - 1
	if at < 0 {
		return 0, false
	}
	frame = f.keys[at].frames
	_, err := f.read(frame, f.ends(at).frames, func(of *gather.Frame, _ []eventChunk) {
		if found = found || of.Index == index; !found {
			frame++
		}
	})
	return frame, found && err == nil
}

// indexOf returns the index of the first frame of a key.
func (f *File) indexOf(frame uint64) (index uint64, err error) {
	_, err = f.read(frame, frame+1, func(of *gather.Frame, _ []eventChunk) { index = of.Index })
	return index, err
}

// Over returns the nearest frame before or after a frame that takes longer than ms milliseconds.
func (s *fileSource) Over(frame uint64, step int, ms float64) (over uint64, found bool) {
	s.sums.Judged(func(at uint64, took float32) {
		if float64(took) > ms && (step < 0 && at < frame || step > 0 && at > frame && !found) {
			over, found = at, true
		}
	})
	return over, found
}

// Read calls do with each of the frames from..to-1.
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
