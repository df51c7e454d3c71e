package agent

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostOpen is the number of captures that stay open. The one that was not asked for longest is closed first.
const mostOpen = 4

// longFile is the least size of a long file in bytes: only its newest frames are read into a session, and all are
// summed. It is a variable for tests.
var longFile = int64(4 << 20)

// newestFrames is the number of newest frames of a long file in a session.
const newestFrames = 512

// capture is an open capture.
type capture struct {
	*framefile.Contents
	name     string
	session  *process.Session
	imported string // what reading a file of another tool has changed
	in       *metered
	stat     os.FileInfo // of the file as it was opened

	// Of a long file, whose session has the newest frames only; else nil.
	file *framefile.File
	sums *framefile.Sums
	near nearby
}

// nearby is the part of a long file that was read last.
type nearby struct {
	session  *process.Session
	from, to uint64 // numbers of its frames
}

// metered is a file whose reads cost each question anew.
type metered struct {
	*os.File
	limits  budget.Budget
	account atomic.Pointer[budget.Account]
	failed  atomic.Pointer[error] // the first error of a read
}

// begin begins a question.
func (m *metered) begin() { m.account.Store(m.limits.File()) }

func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	n, err := m.account.Load().ReaderAt(m.File).ReadAt(p, at)
	if err != nil && err != io.EOF {
		m.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// openCapture opens a file, also of another tool.
func openCapture(file *os.File, name string, limits budget.Budget) (*capture, error) {
	file, result, err := importer.Opened(file, name, importer.Frames{Limits: limits})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quoted(name), err)
	}
	c := &capture{name: name, session: process.NewSession(), in: &metered{File: file, limits: limits}}
	if c.in.begin(); result != nil {
		c.imported = result.Line()
	}
	c.session.SetHistoryLimits(framefile.WholeHistory())
	if err := c.read(); err != nil {
		c.close()
		return nil, fmt.Errorf("%s: %w", quoted(name), err)
	}
	return c, nil
}

// read reads the file into the session.
func (c *capture) read() error {
	info, err := c.in.Stat()
	if err != nil {
		return err
	}
	if info.Size() < longFile {
		c.Contents, err = framefile.Load(c.session, io.NewSectionReader(c.in, 0, info.Size()))
		if err != nil || c.session.HistoryLimits().Whole == nil {
			return err // the session has all frames
		}
		c.session.ForgetProgram()
	}
	c.file, c.sums, c.Contents, err = framefile.NewestOf(c.session, c.in, info.Size(), newestFrames)
	return err
}

// close closes the file.
func (c *capture) close() { c.in.File.Close() }

// around returns a session that has a frame, those before it for the usual times, and some behind it. It returns the
// frame's age there.
func (c *capture) around(index uint64) (s *process.Session, age int, err error) {
	if c.file == nil {
		return aged(c.session, index)
	}
	number, found := c.file.Find(index)
	if !found {
		return nil, 0, noFrame(index)
	}
	if c.near.session == nil || number < c.near.from+framesBefore && c.near.from > 0 || number+1 > c.near.to {
		if err := c.approach(number); err != nil {
			return nil, 0, err
		}
	}
	return aged(c.near.session, index)
}

// The frames to read around one. They begin where those of a session with all frames begin, so that the usual times
// are the same.
const (
	framesBefore = 160
	framesBlock  = 16
	framesBehind = 48
)

// approach reads the frames around one into a session.
func (c *capture) approach(number uint64) error {
	from := (number - min(number, framesBefore)) / framesBlock * framesBlock
	to := min(number+framesBehind, c.file.Frames())
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: int(to - from)})
	if _, err := c.file.Load(s, from, to); err != nil {
		return err
	}
	s.SetFrameBudget(c.session.FrameBudget())
	c.near = nearby{s, from, to}
	return nil
}

// aged returns the age of a frame in a session.
func aged(s *process.Session, index uint64) (*process.Session, int, error) {
	frames := s.AppendFrames(nil, math.MaxInt)
	for i := range frames {
		if frames[i].Index == index {
			return s, len(frames) - 1 - i, nil
		}
	}
	return nil, 0, noFrame(index)
}

func noFrame(index uint64) error {
	return fmt.Errorf("there is no frame %s: list with what=frames has the slowest", frameID(index))
}

// kind is the kind of the program.
func (c *capture) kind() report.Kind { return c.session.View().Info().Kind }

// late is the least judged time of a frame over budget, in ms; 0 without a budget.
func (c *capture) late() float64 { return report.OverFactor * c.session.FrameBudget().Seconds() * 1000 }

// sections returns the sections, oldest first, and the number of older ones left out.
func (c *capture) sections() (list []report.Section, dropped uint64) {
	if c.sums != nil {
		return c.sums.Sections()
	}
	var now process.Snapshot
	c.session.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	return now.Overview.Sections, now.Overview.SectionsDropped
}

// judged calls do with the judged time of each frame whose time is known, oldest first, and its number.
func (c *capture) judged(do func(number uint64, ms float32)) {
	if c.sums != nil {
		c.sums.Judged(do)
		return
	}
	frames := c.session.AppendFrames(nil, math.MaxInt)
	for i := range frames {
		do(uint64(i), frames[i].Judged())
	}
}
