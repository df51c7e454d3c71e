package auto

import (
	"cmp"
	"encoding/json"
	"os"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostRecorded is the size in bytes of a recording without -o after which frames are at least a second long.
const mostRecorded = 64 << 20

// mostHeld is the greatest number of bytes that wait in memory for the next flush. Beyond it a frame writes them
// itself.
const mostHeld = 1 << 20

// recording is the file with the frames, and the state of the notes beside it.
var recording recorder

type recorder struct {
	out *stream // nil: no recording

	mu     sync.Mutex
	notes  [2]*file  // written in turn
	turn   int       // of notes
	ended  time.Time // the latest frame of a recording that is too large
	noted  time.Time
	has    int  // size of the notes: see Notes.size
	rests  bool // as in the notes
	closed bool // the last notes are written
}

// wants reports whether a frame may end now: a recording without -o stays small.
func (r *recorder) wants() bool {
	if r.out == nil || settings().Keep || r.out.size() < mostRecorded {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.ended) < time.Second {
		return false
	}
	r.ended = time.Now()
	return true
}

// notesEvery is the time between two notes of a working program.
const notesEvery = time.Second

// flush writes the frames so far. It writes the notes now and then; soon after the start and before a rest it writes
// them if they have grown.
func (r *recorder) flush(rests bool) {
	r.out.flush()
	if rests || time.Since(r.noted) > notesEvery || time.Since(begun) < notesEvery {
		r.note(false, rests)
	}
}

// close writes the end of the recording.
func (r *recorder) close() {
	_ = r.out.writer.Close()
	r.out.flush()
	r.note(true, false)
}

// note writes the notes, unless the last ones are recent and have as much. It never replaces the last notes: the end
// of the program may overtake a tick. It writes seldom, because writing took more time than all other work of a tick.
// One of the two files is whole at any time. It ignores errors: a program never fails for its profiler.
func (r *recorder) note(ended, rests bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.closed = ended
	n := Notes{Ended: ended, Rests: rests, After: time.Since(begun), CPU: platform.CPUTime(), Muted: mutedZones(),
		Spawns: spawned(), Routes: routesSoFar(), Own: time.Duration(worked.Load()), Cut: r.out.cut()}
	if n.GC = collected(); ended {
		n.Away, _ = platform.ProcessDelay(0) // it opens files, whose numbers the program could see
	}
	linesSoFar(&n)
	much := n.size()
	if !ended && much == r.has && rests == r.rests && time.Since(r.noted) < notesEvery {
		return
	}
	r.has, r.rests = much, rests
	defer measure.LeaveOutHeap(mostNoted)()
	if text, err := json.Marshal(&n); err == nil && rewrite(r.notes[r.turn], text) == nil {
		r.turn = 1 - r.turn
	}
	r.noted = time.Now()
}

// stream is the file of a recording. It keeps frames in memory until the next flush, so that a frame of the program
// rarely waits for the disk. The session's lock guards the writer.
type stream struct {
	writer *framefile.Writer
	name   string

	mu      sync.Mutex
	file    *file // nil after an error
	spare   *file // takes over after an error, nil without one
	failed  error // the first one of a file
	held    []byte
	written int64
}

// record begins the recording of all frames. It opens all files that are needed: one that is opened later has the
// lowest free number for a moment, and the program would see that.
func record(name, spare string) (s *stream, err error) {
	s = &stream{name: name}
	if s.file, err = createFile(name); err == nil && spare != "" {
		s.spare, err = createFile(spare)
	}
	for i, end := range NotesEnds {
		if err == nil {
			beside := cmp.Or(spare, name) + end
			_ = os.Remove(beside) // of a run without a report
			recording.notes[i], err = createFile(beside)
		}
	}
	if err != nil {
		return nil, err
	}
	s.writer = framefile.NewWriter(s, framefile.ThisProgram())
	process.Default().AddSink(s.writer)
	s.flush()
	return s, nil
}

// Write keeps p for the next flush.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = append(s.held, p...)
	if len(s.held) > mostHeld {
		s.flushLocked()
	}
	return len(p), nil
}

func (s *stream) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushLocked()
}

// flushLocked writes the held bytes. After an error the spare file takes over. An error of that ends the recording: a
// program never fails for its profiler.
func (s *stream) flushLocked() {
	for s.file != nil && len(s.held) > 0 {
		n, err := s.file.Write(s.held)
		s.written += int64(n)
		s.held = s.held[:copy(s.held, s.held[n:])]
		if err != nil {
			s.fail(err)
		}
	}
	s.held = s.held[:0]
}

// fail ends the file, and begins the spare one with its contents.
func (s *stream) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
	s.file.Close()
	s.file, s.spare = s.spare, nil
	if s.file == nil {
		return
	}
	before, err := os.ReadFile(s.name)
	if err != nil || int64(len(before)) < s.written { // another program has changed it
		s.file.Close()
		s.file = nil
		return
	}
	s.held = append(before[:s.written:s.written], s.held...)
	s.written = 0
}

// cut returns the reason why the recording ends early, "" if it does not.
func (s *stream) cut() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		return ""
	}
	return s.failed.Error()
}

// size returns the size of the file in bytes.
func (s *stream) size() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

// Notes holds data for the report besides the frames. It is in two files beside the recording, or the spare one. The
// newer one that is whole counts.
type Notes struct {
	Ended   bool              // the program ended by itself: main returned, or os.Exit was called
	Rests   bool              // the program does nothing, so it has entered no zone for some time
	After   time.Duration     // the time since the program's start
	CPU     time.Duration     // processor time of the process
	Muted   []gather.ZoneInfo // muted functions, in the order of muting
	Spawns  []report.Spawn    // go statements
	Routes  []Route           // of requests
	Samples []Sample          // of the CPU profiler, without those of only the runtime
	Sampled int               // samples of the CPU profiler in all
	// Measuring is the number of these in the profiler's code, called by functions with a zone.
	Measuring int            `json:",omitempty"`
	Outside   map[string]int // of these, outside functions with a zone, by the outermost package; see Foreign
	Own       time.Duration  // working time of the profiler's goroutine
	GC        time.Duration  // processor time of the collector's own goroutines, as the runtime estimates it
	Away      time.Duration  // the process's threads were ready and had no processor; 0 if not Ended
	Lost      bool           // samples did not fit
	Yielded   bool           // the samples end where the program began a CPU profile of its own
	Cut       string         // why the file Record has not all: see Settings.Spare
}

// size returns a number that grows with the contents of the notes.
func (n *Notes) size() (size int) {
	size = len(n.Muted) + n.Sampled
	for _, s := range n.Spawns {
		size += int(s.Goroutines)
	}
	for _, r := range n.Routes {
		size += r.Requests
	}
	return size
}

// NotesEnds end the names of the files of notes. They follow the name of the recording, or of the spare one.
var NotesEnds = [2]string{".notes", ".notes2"}
