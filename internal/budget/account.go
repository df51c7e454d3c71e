package budget

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"
)

// Error reports a need beyond the budget.
type Error struct {
	Excess string // describes the excess
	Limit  string // for -limits, with a higher value
}

// Error names the limit and the flag to raise it.
func (e *Error) Error() string { return e.Excess + "; allow more with -limits " + e.Limit }

// Account counts the cost of one file or one remote program so far. Any goroutine may call its methods. A nil *Account
// allows everything.
type Account struct {
	limits  Budget
	begin   time.Time
	peer    bool // of a remote program: received bytes raise no limit, only time does
	read    atomic.Int64
	held    atomic.Int64
	written atomic.Int64
	frames  atomic.Int64
}

// File begins the account of a file.
func (b Budget) File() *Account { return &Account{limits: b, begin: time.Now()} }

// Peer begins the account of a remote program.
func (b Budget) Peer() *Account { return &Account{limits: b, begin: time.Now(), peer: true} }

// Depth returns the greatest depth of nested zones.
func (a *Account) Depth() int {
	if a == nil {
		return math.MaxInt32
	}
	return a.limits.Depth
}

// MaxFrames returns the greatest number of frames to make from a file without frames.
func (a *Account) MaxFrames() int64 {
	if a == nil {
		return math.MaxInt64
	}
	return a.limits.Frames
}

// Hold counts n more bytes of memory held at once. A negative n gives bytes back.
func (a *Account) Hold(n int64) error {
	if a == nil || a.held.Add(n) <= a.allowed(a.limits.Memory) {
		return nil
	}
	most := a.allowed(a.limits.Memory)
	return &Error{fmt.Sprintf("it takes more than %s of memory", size(most)), "memory=" + size(2*most)}
}

// Frame counts a frame.
func (a *Account) Frame() error {
	if a == nil || a.frames.Add(1) <= a.limits.Frames {
		return nil
	}
	return a.tooManyFrames()
}

// Frames returns an error if n frames are too many to make from a file without frames. It does not count them.
func (a *Account) Frames(n int64) error {
	if a == nil || n <= a.limits.Frames {
		return nil
	}
	return a.tooManyFrames()
}

func (a *Account) tooManyFrames() error {
	return &Error{fmt.Sprintf("it has more than %d frames", a.limits.Frames), fmt.Sprint("frames=", 10*a.limits.Frames)}
}

// Late returns an error once the time is over.
func (a *Account) Late() error {
	if a == nil || time.Since(a.begin) <= a.limits.Time {
		return nil
	}
	return &Error{fmt.Sprintf("it takes longer than %v", a.limits.Time), fmt.Sprint("time=", 2*a.limits.Time)}
}

// allowed returns a limit, raised by the bytes read so far.
func (a *Account) allowed(limit int64) int64 {
	if a.peer {
		return limit
	}
	return limit + PerByte*a.read.Load()
}

// Read counts n bytes read from the file or the remote program. It returns an error if they came too fast or too late.
func (a *Account) Read(n int) error {
	if a == nil {
		return nil
	}
	read := a.read.Add(int64(n))
	if a.peer {
		seconds := min(time.Since(a.begin), a.limits.Time).Seconds()
		if most := a.limits.Written + int64(seconds*float64(a.limits.Rate)); read > most {
			return &Error{fmt.Sprintf("it sends more than %s a second", size(a.limits.Rate)),
				"rate=" + size(8*a.limits.Rate)}
		}
	}
	return a.Late()
}

// Write counts n bytes of a written file.
func (a *Account) Write(n int) error {
	if a == nil {
		return nil
	}
	if most := a.allowed(a.limits.Written); a.written.Add(int64(n)) > most {
		return &Error{fmt.Sprintf("it becomes more than %s", size(most)), "written=" + size(8*most)}
	}
	return a.Late()
}

// Reader counts the bytes read from in. It returns the errors of in and of the account.
func (a *Account) Reader(in io.Reader) io.Reader { return &counted{Reader: in, account: a} }

type counted struct {
	io.Reader
	account *Account
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if over := c.account.Read(n); over != nil {
		return n, over
	}
	return n, err
}

// ReaderAt is Reader for a file that is read in any order, by several goroutines.
func (a *Account) ReaderAt(in io.ReaderAt) io.ReaderAt { return &countedAt{in, a} }

type countedAt struct {
	in      io.ReaderAt
	account *Account
}

func (c *countedAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.in.ReadAt(p, at)
	if over := c.account.Read(n); over != nil {
		return n, over
	}
	return n, err
}

// Writer counts the bytes written to out. It does not write bytes beyond the limit.
func (a *Account) Writer(out io.Writer) io.Writer { return &counting{out, a} }

type counting struct {
	out     io.Writer
	account *Account
}

func (c *counting) Write(p []byte) (int, error) {
	if err := c.account.Write(len(p)); err != nil {
		return 0, err
	}
	return c.out.Write(p)
}
