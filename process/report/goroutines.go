package report

import (
	"strconv"
	"time"

	"example.com/iprof/internal/printed"
)

// Goroutines is a survey: the goroutines of a program at one moment, by go statement. It is plain data. Numbers since
// the first survey are lower limits: a goroutine that lives between two surveys is in none. Its times are of
// goroutines, not of zones.
type Goroutines struct {
	At         int64         // of the survey, in nanoseconds since 1970
	Since      time.Duration // time since the first survey
	Surveys    int           // made so far, with this one
	Took       time.Duration // the program stood still for at most so long
	Alive      int           // all goroutines, without the profiler's
	Unlisted   int           // of Alive, those beyond the limits of a survey: they are in no statement
	ByFunction bool          // too many for all details: statements are named by the function that their goroutines run
	LeaksFound bool          // Go's own search for leaks ran: see GoStatement.Leaked
	Statements []GoStatement // the most alive first
}

// GoStatement has the goroutines of one go statement. It is plain data.
type GoStatement struct {
	Crowd  string        // such as "main.serve server.go:42": see Crowd; "main.main" is of the main goroutine
	Alive  int           // in this survey
	First  int           // in the first survey
	Rises  int           // surveys in a row, up to this one, each with more alive than the one before
	Made   uint64        // found since the first survey, with those of the first
	Ended  uint64        // of Made, those that are gone
	Oldest time.Duration // age of the oldest one alive, at least
	Rested time.Duration // none of them has run for so long, at least, in whole minutes; 0: not known
	Leaked int           // of Alive, those that nothing can ever wake, by Go's own search; 0 without it
	Waits  []GoWait      // the most frequent first, at most MaxGoWaits
}

// GoWait is what goroutines of a statement wait for.
type GoWait struct {
	Reason string // the runtime's words, such as "chan send"; "running" and "runnable" are no waits
	Place  string // such as "pool.go:40", of the outermost code outside Go's library where possible; "" if unknown
	Count  int
}

// The limits of a survey.
const (
	MaxGoStatements = 1024 // others are counted in Goroutines.Unlisted
	MaxGoWaits      = 4    // of a statement; the rest of its goroutines waits elsewhere
)

// GoroutineSource makes surveys. Any goroutine may call its methods.
type GoroutineSource interface {
	// Survey makes one, and waits for it. The program stands still meanwhile: see BenchmarkSurvey in
	// internal/goroutines. A call soon after another returns the same survey, so that a page that many load costs
	// little. With leaks it first runs Go's own search for leaked goroutines, where there is one.
	Survey(leaks bool) (*Goroutines, error)
	// Last returns the latest survey, nil if there is none. It does not wait.
	Last() *Goroutines
}

// Growing reports whether the goroutines of a statement only become more: alive in each of at least three surveys were
// more than in the one before.
func (s *GoStatement) Growing() bool { return s.Rises >= 2 && s.Alive > s.First }

// Growing returns the statement whose goroutines only become more, nil if there is none. Of several it is the one that
// has grown most.
func (g *Goroutines) Growing() (most *GoStatement) {
	if g == nil {
		return nil
	}
	for i := range g.Statements {
		s := &g.Statements[i]
		if s.Growing() && (most == nil || s.Alive-s.First > most.Alive-most.First) {
			most = s
		}
	}
	return most
}

// AppendText appends a sentence without a full stop, such as "main.serve pool.go:31: 4210 alive, none has run for
// 5 minutes, all wait in chan send at pool.go:40". name makes hostile names safe to show.
func (s *GoStatement) AppendText(dst []byte, name func(string) string) []byte {
	dst = strconv.AppendInt(append(append(dst, name(s.Crowd)...), ": "...), int64(s.Alive), 10)
	dst = append(dst, " alive"...)
	if s.Rested > 0 {
		dst = append(dst, ", none has run for "...)
		dst = printed.AppendCount(dst, int(s.Rested/time.Minute), "minute")
	}
	if s.Leaked > 0 {
		dst = append(strconv.AppendInt(append(dst, ", "...), int64(s.Leaked), 10), " leaked"...)
	}
	if len(s.Waits) > 0 {
		dst = s.AppendWaits(append(dst, ", "...), name)
	}
	return dst
}

// AppendGrowth appends how its goroutines became more: "main.serve pool.go:31: 4210 alive, 10 at first, more in each
// of 12 surveys, all wait in chan send". name is that of AppendText.
func (s *GoStatement) AppendGrowth(dst []byte, name func(string) string) []byte {
	dst = strconv.AppendInt(append(append(dst, name(s.Crowd)...), ": "...), int64(s.Alive), 10)
	dst = strconv.AppendInt(append(dst, " alive, "...), int64(s.First), 10)
	dst = strconv.AppendInt(append(dst, " at first, more in each of "...), int64(s.Rises)+1, 10)
	dst = append(dst, " surveys"...)
	if len(s.Waits) > 0 {
		dst = s.AppendWaits(append(dst, ", "...), name)
	}
	return dst
}

// AppendWaits appends what the goroutines wait for: "all wait in chan send at pool.go:40", or "12 in chan send at
// pool.go:40, 3 running". name is that of AppendText.
func (s *GoStatement) AppendWaits(dst []byte, name func(string) string) []byte {
	for i := range s.Waits {
		w := &s.Waits[i]
		if i > 0 {
			dst = append(dst, ", "...)
		}
		switch {
		case w.Count == s.Alive && w.Waits() && w.Count > 1:
			dst = append(dst, "all wait in "...)
		case w.Count == s.Alive && w.Waits():
			dst = append(dst, "it waits in "...)
		case w.Waits():
			dst = append(strconv.AppendInt(dst, int64(w.Count), 10), " in "...)
		default:
			dst = append(strconv.AppendInt(dst, int64(w.Count), 10), ' ')
		}
		dst = append(dst, name(w.Reason)...)
		if w.Place != "" {
			dst = append(append(dst, " at "...), name(w.Place)...)
		}
	}
	return dst
}

// AppendAge appends a time in one unit: "40 s", "5 min", "2.3 h", "12 d". Below half a second it is "0 s".
func AppendAge(dst []byte, d time.Duration) []byte {
	unit, of, decimals := time.Second, " s", 0
	switch {
	case d >= 48*time.Hour:
		unit, of = 24*time.Hour, " d"
	case d >= time.Hour:
		unit, of, decimals = time.Hour, " h", 1
	case d >= 2*time.Minute:
		unit, of = time.Minute, " min"
	}
	return append(strconv.AppendFloat(dst, float64(d)/float64(unit), 'f', decimals, 64), of...)
}

// Waits reports whether the goroutine waits. One that runs, or could run, does not.
func (w *GoWait) Waits() bool {
	return w.Reason != "running" && w.Reason != "runnable" && w.Reason != "preempted"
}
