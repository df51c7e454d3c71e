package framefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Contents describes a capture that was read.
type Contents struct {
	Info
	Frames   uint64   // frames read
	Lost     uint64   // frames that the program dropped because its disk was too slow
	Damages  []error  // the first 16 unreadable stretches, each a *DamageError, and errors of the session
	Complete bool     // the capture was closed properly
	Sets     []string // other sets of frames in what was read: see CopySet

	file io.Closer // of Open and OpenNewest, if the session reads more of it
}

// Close closes the file that a session from Open or OpenNewest reads on demand. After that the session has the frames
// in its history only. It returns the file's error, and nil if there is nothing to close.
func (c *Contents) Close() (err error) {
	if c.file != nil {
		err = c.file.Close()
		c.file = nil
	}
	return err
}

const mostDamages = 16

// Open reads a capture into a new session. The session's reports, history, averages and statistics are the same as in
// the program's own session. Its history keeps at most 100,000 frames and 256 MiB. Averages cover all frames. Of a
// longer capture, the session reads other frames from the file when they are shown, until [Contents.Close]. The error
// is the file's, ErrNotACapture or a *NewerError. Damaged stretches are not an error: see [Contents.Damages].
func Open(path string) (*process.Session, *Contents, error) {
	return opened(path, func(s *process.Session, file *os.File, size int64) (c *Contents, reads bool, err error) {
		if c, err = Load(s, file); err != nil || s.HistoryLimits().Whole == nil {
			return c, false, err
		}
		reads, err = Reach(s, file, size)
		return c, reads, err
	})
}

// OpenNewest is Open for a large capture: it reads the newest frames, at least frames of them, and sums all for
// averages. The session reads the file again for lenses and statistics, until [Contents.Close]. Contents describes all
// frames. A capture whose frames can only be read in sequence, because it is damaged, is read whole.
func OpenNewest(path string, frames int) (*process.Session, *Contents, error) {
	return opened(path, func(s *process.Session, file *os.File, size int64) (*Contents, bool, error) {
		f, _, c, err := NewestOf(s, file, size, frames)
		return c, f != nil, err
	})
}

// WholeHistory are the limits of the history of a capture.
func WholeHistory() process.HistoryLimits {
	return process.HistoryLimits{Frames: 100_000, Bytes: 256 << 20}
}

// opened reads a file into a new session. It leaves the file open if the session reads more of it.
func opened(path string, read func(s *process.Session, file *os.File, size int64) (c *Contents, reads bool, err error),
) (*process.Session, *Contents, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("capture: %w", err)
	}
	s := process.NewSession()
	s.SetHistoryLimits(WholeHistory())
	var c *Contents
	reads := false
	info, err := file.Stat()
	if err == nil {
		c, reads, err = read(s, file, info.Size())
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if !reads {
		file.Close()
	} else {
		c.file = file
	}
	return s, c, nil
}

// Load reads a capture into a session, which keeps its own limits. The session gets the program's frame budget, and its
// timeline reads the events of the capture. At most 64 MB of events are kept, the newest ones. The error is in's,
// ErrNotACapture or a *NewerError. Damaged stretches are not an error: see [Contents.Damages].
func Load(s *process.Session, in io.Reader) (*Contents, error) {
	r, err := NewReader(in)
	if err != nil {
		return nil, err
	}
	l := loader{session: s, reader: r, contents: new(Contents)}
	var f gather.Frame
	for {
		err := r.Next(&f)
		var damage *DamageError
		switch {
		case err == nil:
			err = l.take(&f)
		case errors.Is(err, io.EOF):
			l.name()
			l.takeHot()
			l.showPictures()
			setWhole(s, &l.whole)
			c := l.contents
			c.Info, c.Lost, c.Complete = r.Info(), r.Lost(), r.Complete()
			c.Sets = r.tables.sets
			return c, nil
		case errors.As(err, &damage):
		default:
			return nil, err
		}
		if c := l.contents; err != nil && len(c.Damages) < mostDamages {
			c.Damages = append(c.Damages, err)
		}
	}
}

// loader is the state of Load.
type loader struct {
	session  *process.Session
	reader   *Reader
	contents *Contents
	program  report.Program
	budget   time.Duration
	events   *eventStore // nil before the first events
	calls    *callStore  // the call source of the session
	whole    process.Whole
	hot      *report.HotZones
	objects  *allocated.Table
}

// take gives the session a frame, its events first.
func (l *loader) take(f *gather.Frame) error {
	l.name()
	if b := l.reader.Budget(); b > 0 && b != l.budget {
		l.budget = b
		l.session.SetFrameBudget(b)
	}
	for _, e := range l.reader.events {
		if l.events == nil {
			l.events = new(eventStore)
			l.session.SetSources(func(c *process.Sources) { c.Events = l.events })
		}
		l.events.add(e)
	}
	if c := l.reader.tables.calls; c != l.calls {
		l.calls = c
		l.session.SetSources(func(c *process.Sources) { c.Calls = l.reader.Calls() })
	}
	l.takeHot()
	l.contents.Frames++
	l.showPictures()
	if err := l.session.WriteFrame(f); err != nil {
		return err
	}
	return l.whole.Add(f)
}

// takeHot gives the session the hot lines, which may follow the last frame, and the traced allocations.
func (l *loader) takeHot() {
	if h := l.reader.Hot(); h != l.hot {
		l.hot = h
		l.session.SetSources(func(c *process.Sources) { c.Hot = h })
	}
	if t := l.reader.Allocated(); t != l.objects {
		l.objects = t
		l.session.SetSources(func(c *process.Sources) { c.Allocated = t })
	}
}

// showPictures gives the session the pictures of earlier frames.
func (l *loader) showPictures() {
	for _, p := range l.reader.Pictures() {
		l.session.SetPicture(p.Frame, p.Picture)
	}
}

// name gives the session the name of the program.
func (l *loader) name() {
	i := l.reader.Info()
	p := report.Program{Name: i.Program, GoVersion: i.GoVersion, Machine: i.Machine, Start: i.Start, Kind: i.Kind}
	if p != l.program {
		l.program = p
		l.session.SetSources(func(c *process.Sources) { c.Program = p })
	}
}
