package capture

import (
	"io"
	"sync"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
)

// sets are the recordings of the program's other sets of frames in a recording of all. Each is a recording of its own,
// with limits of its own, whose stream is this one's.
type sets struct {
	begun chan struct{} // closed when the head of the stream is written, or has failed
	once  sync.Once

	mu     sync.Mutex // held while the stream is written: the index has the same order
	failed error

	// Only Record and then the writing goroutine use it.
	list []*Recorder
}

// setStream is the stream of a set in a recording.
type setStream struct {
	to     *Recorder
	name   string
	chunks []byte // scratch
}

// Write waits until the recording of all has begun.
func (s *setStream) Write(p []byte) (int, error) {
	<-s.to.sets.begun
	s.chunks = framefile.AppendSet(s.chunks[:0], s.name, p)
	if _, err := s.to.emit(s.chunks); err != nil {
		return 0, err
	}
	return len(p), nil
}

// emit writes chunks, unless a Write has failed.
func (r *Recorder) emit(chunks []byte) (n int, err error) {
	r.sets.mu.Lock()
	defer r.sets.mu.Unlock()
	if r.sets.failed == nil {
		r.index.Add(chunks)
		n, r.sets.failed = r.out.Write(chunks)
	}
	return n, r.sets.failed
}

// emitEnd writes the index.
func (r *Recorder) emitEnd() error {
	r.sets.mu.Lock()
	defer r.sets.mu.Unlock()
	if r.sets.failed == nil {
		_, r.sets.failed = r.out.Write(r.index.End(nil))
	}
	return r.sets.failed
}

// begin lets the sets write.
func (s *sets) begin() { s.once.Do(func() { close(s.begun) }) }

// record begins the recordings of sets that have none yet.
func (s *sets) record(to *Recorder, all []*process.Session) {
	for _, set := range all[min(len(s.list), len(all)):] {
		o := to.options
		o.Path, o.To = "", &setStream{to: to, name: set.Sources().Set}
		s.list = append(s.list, start(set, o, nil))
	}
}

// close ends the recordings of the sets.
func (s *sets) close() {
	s.begin()
	for _, r := range s.list {
		_ = r.Close() // the error of the stream is also that of the recording of all
	}
}

// otherSets returns the other sets of frames of a program's own session.
func otherSets(s *process.Session) []*process.Session {
	if all := s.Sources().Sets; len(all) > 0 && all[0] == s {
		return all[1:]
	}
	return nil
}

var _ io.Writer = (*setStream)(nil)
