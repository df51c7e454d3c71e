package agent

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostOpen is the number of captures that stay open. The one that was not asked for longest is closed first.
const mostOpen = 4

// longFile is the least size of a long file in bytes: only its newest frames are read into a session, and all are
// summed. It is a variable for tests.
var longFile = int64(4 << 20)

// capture is an open capture.
type capture struct {
	tables.Capture
	name     string
	imported string // what reading a file of another tool has changed
	in       *metered
	stat     os.FileInfo // of the file as it was opened

	slowCalled []*report.SlowCall // see slowly
	slowSeen   uint64
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
	c := &capture{Capture: tables.Capture{Session: process.NewSession()}, name: name,
		in: &metered{File: file, limits: limits}}
	if c.in.begin(); result != nil {
		c.imported = result.Line()
	}
	c.Session.SetHistoryLimits(framefile.WholeHistory())
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
		c.Contents, err = framefile.Load(c.Session, io.NewSectionReader(c.in, 0, info.Size()))
		if err != nil || c.Session.HistoryLimits().Whole == nil {
			return err // the session has all frames
		}
		c.Session.ForgetProgram()
	}
	c.File, c.Sums, c.Contents, err = framefile.NewestOf(c.Session, c.in, info.Size(), tables.NewestFrames)
	return err
}

// close closes the file.
func (c *capture) close() { c.in.File.Close() }

// around returns a session that has a frame and those around it, and the frame's age there.
func (c *capture) around(index uint64) (s *process.Session, age int, err error) {
	if s, age, err = c.Around(index); errors.Is(err, tables.ErrNoFrame) {
		err = fmt.Errorf("there is no frame %s: list with what=frames has the slowest", frameID(index))
	}
	return s, age, err
}

// judged calls do with the judged time of each frame whose time is known, oldest first, and its number.
func (c *capture) judged(do func(number uint64, ms float32)) {
	if c.Sums != nil {
		c.Sums.Judged(do)
		return
	}
	frames := c.Session.AppendFrames(nil, math.MaxInt)
	for i := range frames {
		do(uint64(i), frames[i].Judged())
	}
}
