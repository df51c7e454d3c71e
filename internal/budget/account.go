package budget

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"
)

// Error is the error of whoever needs more than a budget has.
type Error struct {
	What  string // that there is too much of
	Limit string // of -limits, with a value that is higher
}

// Error names the limit, and how it is raised.
func (e *Error) Error() string { return e.What + "; allow more with -limits " + e.Limit }

// Account counts what one file or one program elsewhere has cost so far. All methods may be called by any goroutine. A
// nil *Account allows everything.
type Account struct {
	limits  Budget
	begin   time.Time
	peer    bool // what it sends allows nothing: only time does
	read    atomic.Int64
	held    atomic.Int64
	written atomic.Int64
	frames  atomic.Int64
}

// File begins the account of a file.
func (b Budget) File() *Account { return &Account{limits: b, begin: time.Now()} }

// Peer begins the account of a program elsewhere.
func (b Budget) Peer() *Account { return &Account{limits: b, begin: time.Now(), peer: true} }

// Depth returns how many zones may be in one another.
func (a *Account) Depth() int {
	if a == nil {
		return math.MaxInt32
	}
	return a.limits.Depth
}

// MostFrames returns how many frames may be made of what has none.
func (a *Account) MostFrames() int64 {
	if a == nil {
		return math.MaxInt64
	}
	return a.limits.Frames
}

// Hold counts n more bytes of memory that are held at once. Fewer than 0 are given back.
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

// Frames reports whether so many frames may be made of what has none, without counting them.
func (a *Account) Frames(n int64) error {
	if a == nil || n <= a.limits.Frames {
		return nil
	}
	return a.tooManyFrames()
}

func (a *Account) tooManyFrames() error {
	return &Error{fmt.Sprintf("it has more than %d frames", a.limits.Frames), fmt.Sprint("frames=", 10*a.limits.Frames)}
}

// Late is an error once the time is over.
func (a *Account) Late() error {
	if a == nil || time.Since(a.begin) <= a.limits.Time {
		return nil
	}
	return &Error{fmt.Sprintf("it takes longer than %v", a.limits.Time), fmt.Sprint("time=", 2*a.limits.Time)}
}

// allowed is a limit, and what the bytes that were read allow beside it.
func (a *Account) allowed(limit int64) int64 {
	if a.peer {
		return limit
	}
	return limit + PerByte*a.read.Load()
}

// Read counts n bytes that were read of the file or came from the program elsewhere. It is an error if they came too
// fast or too late.
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

// Write counts n bytes of a file that is made.
func (a *Account) Write(n int) error {
	if a == nil {
		return nil
	}
	if most := a.allowed(a.limits.Written); a.written.Add(int64(n)) > most {
		return &Error{fmt.Sprintf("it becomes more than %s", size(most)), "written=" + size(8*most)}
	}
	return a.Late()
}

// Reader counts what is read of in. Its errors are those of in and of the account.
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

// Writer counts what is written to out. It writes nothing that is too much.
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
