package capture

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// BlackBoxOptions choose when a BlackBox writes a file, and its contents. Zero fields have defaults, except for Dir.
// Without a budget, as in a server, no frame is late. OverBudget above 0 then lets slow calls trigger, of routes and of
// other zones with Zone.SetPerCall: first those furthest over their usual time.
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
	from    *ring
	closing chan struct{} // closed by Close
	named   time.Time     // in the name of the newest file; only the goroutine that writes a file uses it
	close   sync.Once

	// from.mu guards these.
	joined         uint64 // number of the first frame
	originStart    uint64 // number of the first frame of the newest origin
	judge          judge
	reason         string         // the reason given to Trigger in this frame
	pending        *shot          // the triggered file, which waits for the frames after the trigger
	cooling        platform.Ticks // since the end of this frame
	worst          trouble        // of the files in the cool-down
	newest         uint64         // gather.Frame.Index of the newest frame
	left           leftOut
	writtenTrouble trouble // of the file that is being written
	writing        chan struct{}
	file           *shot // that is being written
	closed         bool
	err            error

	sets   []*setBox
	known  int              // sets that are in sets, or soon will be
	begins []platform.Ticks // of the newest frames, once there are sets
	oldest atomic.Int64     // the first of begins
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
	if t.excess > l.worst.excess {
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
	return fmt.Sprintf("%s before it wrote none, the worst for %s", printed.Count(l.since, "trigger"),
		shortened(l.worst.reason))
}

// shot is a file to be written.
type shot struct {
	trouble
	from, to uint64 // frames, as numbered by the ring; to is excluded
	latest   uint64 // greatest value of to
	frame    uint64 // that names it
	triggers uint64 // in its frames
	info     Info
	segments []*segment
	parts    [][]byte              // bytes of the segments
	calls    framefile.CallEncoder // for the end
	left     leftOut               // before it
	noTrace  error                 // why the execution trace is missing
	session  *process.Session
	sets     []*setShot
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
	b := &BlackBox{options: o.withDefaults(), session: s, info: framefile.ThisProgram(), closing: make(chan struct{}),
		cooling: platform.MaxTicks} // no frame ends later
	b.judge.options = &b.options
	others := otherSets(s)
	b.known = len(others)
	join(s, func(r *ring) {
		b.from, b.joined, b.originStart = r, r.next, r.next
		r.boxes = append(r.boxes, b)
	})
	b.keepSets(others)
	if o.Signals != nil {
		go b.listen()
	}
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
	b.from.mu.Lock()
	defer b.from.mu.Unlock()
	b.reason = "call: " + reason
}

// see looks at the newest frame, and begins to write a file if one is due. It never waits for the disk. The ring's
// mutex is held.
func (b *BlackBox) see(f *gather.Frame, j *process.Judged) {
	if b.closed {
		return
	}
	b.seeSets(f, j.Sets)
	b.newest = f.Index
	t := trouble{b.reason, 1}
	if b.reason = ""; t.reason == "" && b.from.next > b.joined+1 {
		t = b.judge.trouble(f, j)
	}
	if t.reason != "" {
		b.trigger(t, f)
	}
	if b.pending != nil && b.from.next >= b.pending.to {
		b.start()
	}
}

// leave keeps no frames from before the next one, which has another origin.
func (b *BlackBox) leave() { b.originStart = b.from.next }

// memory returns how many bytes the kept frames may take.
func (b *BlackBox) memory() int { return b.options.Memory * (setShare - len(b.sets)) / setShare }

// needs returns the number of the oldest frame that must be kept for the black box.
func (b *BlackBox) needs() uint64 {
	bytes := b.memory()
	if b.file != nil {
		for _, s := range b.from.old {
			bytes -= s.size()
		}
	}
	return max(b.from.window(bytes, b.options.Before+b.options.After+1), b.originStart)
}

// trigger begins to wait for the frames after the newest one. A file that waits already has the frame, and gets the
// name of the worst of its frames.
func (b *BlackBox) trigger(t trouble, f *gather.Frame) {
	since := f.End - b.cooling
	cools := since >= 0 && float64(since) < b.options.CoolDown.Seconds()*f.TicksPerSecond
	switch s := b.pending; {
	case s != nil && b.from.next <= s.to:
		if s.triggers++; t.excess > s.excess {
			s.name(t, b.newest, b.from.next-1)
			s.to = min(b.from.next+uint64(b.options.After), s.latest)
		}
		return
	case (s != nil || cools) && !t.exceeds(b.worst):
		b.left.add(t, 1)
		return
	case s != nil: // it waits for the disk
		b.left.add(s.trouble, s.triggers)
	}
	if !cools {
		b.cooling = f.End
	}
	b.worst, b.pending = t, b.shot(t)
}

// shot describes the file around the newest frame.
func (b *BlackBox) shot(t trouble) *shot {
	newest, after := max(b.from.next, 1)-1, uint64(b.options.After)
	s := &shot{triggers: 1, info: b.info, session: b.session, to: newest + 1 + after, latest: newest + 1 + 2*after}
	s.name(t, b.newest, newest)
	s.from = max(newest-min(newest, uint64(b.options.Before)), b.originStart)
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
	b.from.mu.Lock()
	defer b.from.mu.Unlock()
	return b.left.all
}

// start hands the pending file to a goroutine that writes it.
func (b *BlackBox) start() {
	s := b.pending
	has := b.from.segments[0].first <= s.frame
	if b.writing != nil && s.exceeds(b.writtenTrouble) && has {
		return // it waits for the disk
	}
	if b.pending = nil; b.writing != nil || !has {
		b.left.add(s.trouble, s.triggers)
		return
	}
	b.worst.excess = max(b.worst.excess, s.excess)
	b.writtenTrouble, s.left = s.trouble, b.left.take()
	s.info.LeftOut = s.left.since
	s.segments, s.calls, s.to = b.from.use(s.from), b.from.encoder.WholeCalls(), min(s.to, b.from.next)
	s.sets = b.shots()
	done := make(chan struct{})
	b.writing, b.file = done, s
	go func() {
		defer close(done)
		b.from.fill(s.to)
		s.parts = b.from.partsOf(s.segments)
		err := b.write(s)
		b.from.mu.Lock()
		defer b.from.mu.Unlock()
		b.from.disuse(s.segments)
		b.writing = nil
		b.file = nil
		if b.err == nil {
			b.err = err
		}
	}()
}
