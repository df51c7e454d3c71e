package capture

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// BlackBoxOptions choose when a BlackBox writes a file, and its contents. Zero fields have defaults, except for Dir.
type BlackBoxOptions struct {
	Dir    string // the folder of the files; it is made if it does not exist
	Before int    // frames in a file before the one that triggered it; 300
	After  int    // frames in a file after that frame; 60, below 0 none
	Memory int    // bytes that the kept frames may take; 64 MB. If they need more, fewer are kept

	OverBudget float64                  // triggers: a frame judged at this many frame budgets; 2, below 0 never
	Zones      map[string]time.Duration // triggers: a zone of this name that takes longer on one lane in a frame
	Pause      time.Duration            // triggers: a frame with longer pauses of the garbage collector; 0 is never
	Counters   map[string]float64       // triggers: a Count or Value of this name above the number
	Signals    <-chan os.Signal         // from signal.Notify: each signal writes the kept frames at once

	// Trace is the source of an execution trace that goes into the file, too: a runtime/trace.FlightRecorder that the
	// program has started. iprof export -format trace takes it out for go tool trace. The goroutine that writes the
	// file reads it, After frames after the trigger, so its MinAge should cover these frames. At most 64 MB are taken.
	Trace io.WriterTo

	// Annotate copies a file, with additions, before the file gets its name. The goroutine that writes the file calls
	// it. The function Annotate of module exectrace adds the states of goroutines. After an error the file stays
	// without the additions.
	Annotate func(in io.ReadSeeker, out io.Writer) error

	// CoolDown is a time after a trigger in which only frames trigger that are clearly worse: at least a tenth further
	// over their limit. Other triggers are counted: see BlackBox.LeftOut. 10 s, below 0 none.
	CoolDown time.Duration

	Files int       // files in Dir; 16. The oldest files of black boxes are removed
	Bytes int64     // of these files together; 256 MB. The newest file stays
	Log   io.Writer // gets a line with the name of each file; os.Stderr
}

// withDefaults fills in the defaults.
func (o BlackBoxOptions) withDefaults() BlackBoxOptions {
	o.Before, o.After = max(cmp.Or(o.Before, 300), 0), max(cmp.Or(o.After, 60), 0)
	o.Memory = max(cmp.Or(o.Memory, 64<<20), 0)
	o.OverBudget = cmp.Or(o.OverBudget, 2)
	o.CoolDown = cmp.Or(o.CoolDown, 10*time.Second)
	o.Files = max(cmp.Or(o.Files, 16), 1)
	o.Bytes = cmp.Or(o.Bytes, 256<<20)
	if o.Log == nil {
		o.Log = os.Stderr
	}
	return o
}

// BlackBox keeps the last frames of a session in memory, and writes the frames around a hitch to a capture. Any
// goroutine may call its methods.
type BlackBox struct {
	options BlackBoxOptions
	session *process.Session
	info    Info
	remove  func()
	closing chan struct{} // closed by Close
	close   sync.Once

	mu      sync.Mutex
	ring    ring
	judge   judge
	asked   string // the reason given to Trigger in this frame
	pending *shot  // the triggered file, which waits for the frames after the trigger
	ready   platform.Ticks
	worst   trouble // of the files in the cool-down
	newest  uint64  // gather.Frame.Index of the newest frame
	left    leftOut
	written trouble // of the file that is being written
	writing chan struct{}
	moves   bool // a goroutine encodes the stages
	closed  bool
	err     error

	encoding sync.Mutex // held by a goroutine that encodes stages; locked before mu
	moved    moved
}

// moved is memory of the goroutine that encodes stages.
type moved struct {
	spare stage
	bytes []byte
}

// leftOut counts triggers whose frames are in no file.
type leftOut struct {
	all   uint64
	since uint64  // since the last file
	worst trouble // of these
}

func (l *leftOut) add(t trouble, triggers uint64) {
	l.all += triggers
	l.since += triggers
	if t.over > l.worst.over {
		l.worst = t
	}
}

// take returns the triggers since the last file, and begins anew.
func (l *leftOut) take() leftOut {
	taken := *l
	*l = leftOut{all: l.all}
	return taken
}

// String returns the words for the triggers since the last file.
func (l *leftOut) String() string {
	return fmt.Sprintf("%d triggers before it wrote none, the worst for %s", l.since, shortened(l.worst.reason))
}

// shot is a file to be written.
type shot struct {
	trouble
	from, to uint64 // frames, as numbered by the ring; to is excluded
	latest   uint64 // greatest value of to
	frame    uint64 // that names it
	triggers uint64 // in its frames
	info     Info
	zones    []gather.ZoneInfo
	counters []gather.CounterInfo
	parts    []part
	left     leftOut // before it
	noTrace  error   // why the execution trace is missing
	session  *process.Session
	pictures []report.FramePicture

	notAnnotated error
}

// NewBlackBox starts to keep the last frames of a session. When a frame takes too long, the black box writes the frames
// around it to a capture in Dir, and a line with the file's name to Log. The file is named by time and reason, and only
// its owner may read it. Files with other names stay untouched. It is an error if the folder cannot be made. A
// goroutine writes the file and ends with it. Another encodes the events that Update has copied, where goroutines keep
// events, and ends when all are encoded. A black box without Signals has no other goroutine. If a file is due while
// another is being written, it is left out and counted. The first frame triggers nothing, because it includes the
// program's start. Cost of a frame: BenchmarkBlackBox.
//
//	box, err := capture.NewBlackBox(iprof.Default(), capture.BlackBoxOptions{Dir: "hitches"})
//	…
//	defer box.Close()
//	defer box.OnPanic()
func NewBlackBox(s *process.Session, o BlackBoxOptions) (*BlackBox, error) {
	if o.Dir == "" {
		return nil, errors.New("capture: a black box needs a folder: set Dir")
	}
	if err := outfile.Folder(o.Dir); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	b := &BlackBox{options: o.withDefaults(), session: s, info: ThisProgram(), closing: make(chan struct{})}
	b.ring = ring{most: b.options.Memory, frames: b.options.Before + b.options.After + 1}
	b.judge.options = &b.options
	if o.Signals != nil {
		go b.listen()
	}
	b.remove = s.AddSink(b)
	return b, nil
}

// listen writes a file for each signal.
func (b *BlackBox) listen() {
	for {
		select {
		case <-b.closing:
			return
		case s, ok := <-b.options.Signals:
			if !ok {
				return
			}
			b.now("signal " + s.String())
		}
	}
}

// Trigger writes a file around the frame in progress, unless the last trigger was less than CoolDown ago. The reason is
// any text; it is in the name of the file. A nil BlackBox does nothing.
func (b *BlackBox) Trigger(reason string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = "call: " + reason
}

// WriteFrame keeps a frame. Sessions call WriteJudged instead.
func (b *BlackBox) WriteFrame(f *gather.Frame) error { return b.WriteJudged(f, 0, 0) }

// WriteJudged keeps a frame, and begins to write a file if one is due. The session calls it at the end of each frame.
// It never waits for the disk.
func (b *BlackBox) WriteJudged(f *gather.Frame, judged, budget time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return os.ErrClosed
	}
	first := b.ring.next == 0
	b.ring.encoder.budget, b.newest = budget, f.Index
	b.ring.append(f)
	t := trouble{b.asked, 1}
	if b.asked = ""; t.reason == "" && !first {
		t = b.judge.trouble(f, judged, budget)
	}
	if t.reason != "" {
		b.trigger(t, f)
	}
	if b.pending != nil && b.ring.next >= b.pending.to {
		b.start()
	}
	if b.ring.staged > 0 && !b.moves {
		b.moves = true
		go b.encodeStaged(nil)
	}
	return nil
}

// encodeStaged encodes the events that frames have left as copies, in the given segments, or with nil in all, until
// none is left. The frames' goroutine starts it when there are some, so that Update only copies.
func (b *BlackBox) encodeStaged(in []*segment) {
	b.encoding.Lock()
	defer b.encoding.Unlock()
	for b.encodeOne(in) {
	}
}

// encodeOne encodes a stage, and reports whether there was one.
func (b *BlackBox) encodeOne(in []*segment) bool {
	m := &b.moved
	b.mu.Lock()
	list := in
	if list == nil {
		list = b.ring.segments
	}
	s, t := b.ring.take(list, m.spare)
	if s == nil {
		b.moves = b.moves && in != nil
		b.mu.Unlock()
		return false
	}
	number := s.number
	b.mu.Unlock()
	m.bytes = fill(m.bytes[:0], t.bytes, t.holes)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ring.put(s, number, &t, m.bytes)
	clear(t.holes)
	m.spare = t
	return true
}

// trigger begins to wait for the frames after the newest one. A file that waits already has the frame, and gets the
// name of the worst of its frames.
func (b *BlackBox) trigger(t trouble, f *gather.Frame) {
	coolDown := platform.Ticks(b.options.CoolDown.Seconds() * f.TicksPerSecond)
	cools := f.End < b.ready && f.End >= b.ready-coolDown
	switch s := b.pending; {
	case s != nil && b.ring.next <= s.to:
		if s.triggers++; t.over > s.over {
			s.name(t, b.newest, b.ring.next-1)
			s.to = min(b.ring.next+uint64(b.options.After), s.latest)
		}
		return
	case (s != nil || cools) && !t.exceeds(b.worst):
		b.left.add(t, 1)
		return
	case s != nil: // it waits for the disk
		b.left.add(s.trouble, s.triggers)
	}
	if !cools {
		b.ready = f.End + max(coolDown, 0)
	}
	b.worst, b.pending = t, b.shot(t)
}

// shot describes the file around the newest frame.
func (b *BlackBox) shot(t trouble) *shot {
	newest, after := max(b.ring.next, 1)-1, uint64(b.options.After)
	s := &shot{triggers: 1, info: b.info, session: b.session, to: newest + 1 + after, latest: newest + 1 + 2*after}
	s.name(t, b.newest, newest)
	s.from = newest - min(newest, uint64(b.options.Before))
	return s
}

// name names the file by a frame, which has an index and a number in the ring.
func (s *shot) name(t trouble, index, frame uint64) {
	s.trouble, s.frame = t, frame
	s.info.Reason, s.info.Frame, s.info.HasFrame = t.reason, index, true
}

// LeftOut returns the number of triggers whose frames are in no file: they fell into the cool-down after a frame that
// was about as bad or worse, or a file was being written. The log names the worst. Any goroutine may call it. A nil
// BlackBox has none.
func (b *BlackBox) LeftOut() uint64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left.all
}

// start hands the pending file to a goroutine that writes it.
func (b *BlackBox) start() {
	s := b.pending
	has := b.ring.segments[0].first <= s.frame
	if b.writing != nil && s.exceeds(b.written) && has {
		return // it waits for the disk
	}
	if b.pending = nil; b.writing != nil || !has {
		b.left.add(s.trouble, s.triggers)
		return
	}
	b.worst.over = max(b.worst.over, s.over)
	b.written, s.left = s.trouble, b.left.take()
	s.info.LeftOut = s.left.since
	b.ring.finish()
	s.zones, s.counters = b.ring.zones, b.ring.counters
	segments := b.ring.share()
	done := make(chan struct{})
	b.writing = done
	go func() {
		defer close(done)
		b.encodeStaged(segments)
		b.mu.Lock()
		s.parts = partsOf(segments)
		b.mu.Unlock()
		err := b.write(s)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ring.unshare()
		b.writing = nil
		if b.err == nil {
			b.err = err
		}
	}()
}
