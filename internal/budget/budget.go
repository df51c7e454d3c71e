// Package budget limits the cost of opening files and remote programs: one small file must not fill the memory or the
// disk, and no remote program may keep a command for ever.
//
// The code that opens a file or program begins an Account. The code that reads it, makes frames from it or writes it
// asks the account:
//
//	limits := budget.Usual // flag.Var(&limits, "limits", budget.Words)
//	a := limits.File()
//	in, out := a.Reader(file), a.Writer(made)
//	if err := a.Hold(int64(len(list)) * size); err != nil {
//		return err // "it takes more than 128 MB of memory …; allow more with -limits memory=256MB"
//	}
package budget

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Budget holds the limits for one file or one remote program. It is a flag.Value: see Set.
type Budget struct {
	Memory  int64         // bytes held at once, beside PerByte for each byte of the file
	Written int64         // bytes of written files, beside PerByte for each byte of the file
	Rate    int64         // bytes a second from a remote program, beside Written
	Frames  int64         // made from a file without frames
	Depth   int           // of nested zones; deeper zones count in their ancestors
	Time    time.Duration // for all reading and writing
}

// Usual is the budget of commands without the flag.
var Usual = Budget{
	Memory:  128 << 20,
	Written: 64 << 20,
	Rate:    16 << 20,
	Frames:  1_000_000,
	Depth:   1000,
	Time:    10 * time.Minute,
}

// PerByte is the number of bytes of memory, and of written files, that each byte read from a file allows. Large files
// need more than the Budget; only a cost out of proportion is an attack.
const PerByte = 256

// Words describes the flag -limits.
const Words = "raise limits on what files and remote programs may cost: `memory=1GB,written=4GB,rate=64MB," +
	"frames=5000000,depth=20000,time=1h`, or some of these"

// String returns the budget as Set takes it.
func (b *Budget) String() string {
	if b == nil {
		return ""
	}
	return fmt.Sprintf("memory=%s,written=%s,rate=%s,frames=%d,depth=%d,time=%s", exact(b.Memory),
		exact(b.Written), exact(b.Rate), b.Frames, b.Depth, b.Time)
}

// Set changes the limits in a text such as "memory=1GB,time=1h". Sizes may end in kB, MB or GB. Limits are above 0.
func (b *Budget) Set(text string) error {
	changed := *b
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		if err := changed.set(name, value); err != nil {
			return fmt.Errorf("%q: %w", part, err)
		}
	}
	*b = changed
	return nil
}

var (
	errName  = errors.New("want memory, written, rate, frames, depth or time, then = and a value")
	errSize  = errors.New("want a size above 0, as 500kB, 100MB or 2GB")
	errCount = errors.New("want a number above 0")
	errTime  = errors.New("want a time above 0, as 90s or 1h")
)

func (b *Budget) set(name, value string) (err error) {
	switch name {
	case "memory":
		b.Memory, err = parseSize(value)
	case "written":
		b.Written, err = parseSize(value)
	case "rate":
		b.Rate, err = parseSize(value)
	case "frames":
		b.Frames, err = parseCount(value, mostSize)
	case "depth":
		var n int64
		n, err = parseCount(value, 1<<30)
		b.Depth = int(n)
	case "time":
		if b.Time, err = time.ParseDuration(value); err != nil || b.Time <= 0 {
			return errTime
		}
	default:
		return errName
	}
	return err
}

// units are the ends of sizes.
var units = []struct {
	name  string
	bytes int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}}

// mostSize keeps sums of sizes in range.
const mostSize = 1 << 50

func parseSize(text string) (int64, error) {
	unit := int64(1)
	for _, u := range units {
		if number, has := strings.CutSuffix(text, u.name); has {
			text, unit = number, u.bytes
			break
		}
	}
	n, err := parseCount(text, mostSize/unit)
	if err != nil {
		return 0, errSize
	}
	return n * unit, nil
}

func parseCount(text string, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > most {
		return 0, errCount
	}
	return n, nil
}

// exact formats a size so that Set reads the same value.
func exact(n int64) string {
	s := size(n)
	if back, err := parseSize(s); err == nil && back == n {
		return s
	}
	return strconv.FormatInt(n, 10)
}

// size returns a size as people write it, rounded down to its unit.
func size(n int64) string {
	for _, u := range units {
		if n >= u.bytes {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}
