// Package goroutines lists the goroutines of the running program by go statement: how many are alive, how old they
// are, and what they wait for.
//
// A survey is exact for what is alive. The runtime prints all stacks for it, and the program stands still meanwhile:
// BenchmarkSurvey has the time of a goroutine. So nothing surveys by itself, and a program with more than maxDetailed
// goroutines is surveyed without ages, by its goroutine profile, which hardly stops it.
package goroutines

import (
	"errors"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

const (
	maxDetailed = 10_000          // goroutines in a survey with ages
	maxProfiled = 200_000         // goroutines in a survey without
	bytesEach   = 2048            // of text for a goroutine; if all have more, the rest is not listed
	restShare   = 100             // a survey follows another after at least so many times what that took,
	restLeast   = 1 * time.Second // and this
)

// Watch makes surveys, and compares each with those before. The zero value is ready. Any goroutine may call its
// methods.
type Watch struct {
	// Search runs Go's own search for leaked goroutines, and reports whether the toolchain has it: leaks.Search, which
	// takes much code. nil is none. Set it before the first survey.
	Search func() bool

	last atomic.Pointer[report.Goroutines]

	mu      sync.Mutex
	without map[uint64]bool // goroutines that are left out: see Begin
	begin   platform.Ticks  // of the first survey
	at      platform.Ticks  // of the last one
	known   map[uint64]age  // by goroutine, of the last survey
	past    map[string]*statement
}

// Offer lets who looks at the program's own session survey its goroutines. It surveys nothing by itself. search is
// Watch.Search, or nil.
func Offer(search func() bool) {
	if search != nil {
		offered.search.Store(&search)
	}
	offered.Do(func() {
		offered.watch.Search = func() bool { search := offered.search.Load(); return search != nil && (*search)() }
		process.Default().SetSources(func(c *process.Sources) { c.Goroutines = &offered.watch })
	})
}

// offered needs no code at the start of programs that never offer.
var offered struct {
	sync.Once
	watch  Watch
	search atomic.Pointer[func() bool]
}

// age is what is known of a goroutine.
type age struct {
	of    *statement
	since platform.Ticks // of the first survey that found it
}

// statement is what is known of a go statement over all surveys.
type statement struct {
	report.GoStatement
	oldest platform.Ticks
	waits  map[report.GoWait]int // by reason and place, Count is 0
	rested int                   // least minutes of rest
	before int                   // alive in the survey before
}

// errTooMany is the error for programs whose profile would take too much memory.
var errTooMany = errors.New("more than 200000 goroutines are too many for a list; go tool pprof counts them by stack")

// Last returns the latest survey, nil if there is none.
func (w *Watch) Last() *report.Goroutines { return w.last.Load() }

// Survey makes a survey, unless the last one was made just now. With leaks it first runs Search, a collection. The
// error says that there are too many goroutines.
func (w *Watch) Survey(leaks bool) (*report.Goroutines, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := w.last.Load()
	if last != nil && secondsSince(w.at) < max(restLeast, restShare*last.Took) {
		return last, nil
	}
	return w.survey(last, leaks)
}

// Begin makes the surveys of Left leave out the goroutines that are alive now.
func (w *Watch) Begin() {
	text := make([]byte, (runtime.NumGoroutine()+64)*bytesEach)
	without := map[uint64]bool{}
	each(text[:runtime.Stack(text, true)], false, func(o *one) { without[o.id] = true })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.without = without
}

// Left surveys the goroutines that began after Begin and are alive, at once and however many they are. It leaves out
// those of package testing and of Go's signals, which a test does not end.
func (w *Watch) Left(leaks bool) *report.Goroutines {
	w.mu.Lock()
	defer w.mu.Unlock()
	g := &report.Goroutines{At: time.Now().UnixNano(), Surveys: 1, LeaksFound: leaks && w.Search != nil && w.Search()}
	w.past, w.known = map[string]*statement{}, map[uint64]age{}
	w.detailed(g, runtime.NumGoroutine())
	w.at = platform.Now()
	w.list(g)
	return g
}

// isOfTests reports whether a goroutine is of package testing or of Go's signals.
func isOfTests(creator string) bool {
	of := packageOf(creator)
	return of == "testing" || of == "os/signal" || of == "runtime/trace" || of == "runtime/pprof"
}

// secondsSince returns the time since a reading of the clock.
func secondsSince(t platform.Ticks) time.Duration {
	return report.DurationOf(float64(platform.Now()-t) / platform.TicksPerSecond())
}

func (w *Watch) survey(last *report.Goroutines, leaks bool) (*report.Goroutines, error) {
	n := runtime.NumGoroutine()
	if n > maxProfiled {
		return nil, errTooMany
	}
	g := &report.Goroutines{At: time.Now().UnixNano(), Surveys: 1, ByFunction: n > maxDetailed}
	if last != nil {
		g.Surveys = last.Surveys + 1
	}
	g.LeaksFound = leaks && w.Search != nil && w.Search()
	if last == nil || last.ByFunction != g.ByFunction {
		w.past, w.known, g.Surveys = map[string]*statement{}, map[uint64]age{}, 1
		w.begin = platform.Now()
	}
	if g.ByFunction {
		w.profiled(g, n)
	} else {
		w.detailed(g, n)
	}
	w.at = platform.Now()
	g.Since = report.DurationOf(float64(w.at-w.begin) / platform.TicksPerSecond())
	w.list(g)
	w.last.Store(g)
	return g, nil
}

// detailed surveys by the stacks that the runtime prints.
func (w *Watch) detailed(g *report.Goroutines, n int) {
	text := make([]byte, (n+64)*bytesEach)
	start := time.Now()
	length := runtime.Stack(text, true)
	g.Took = time.Since(start)
	w.begun()
	now, known, found := platform.Now(), make(map[uint64]age, n), 0
	each(text[:length], length == len(text), func(o *one) {
		found++
		if isOurs(o.creator) || w.without != nil && (w.without[o.id] || isOfTests(o.creator)) {
			return
		}
		g.Alive++
		s := w.of(o.crowd)
		if s == nil {
			g.Unlisted++
			return
		}
		a, seen := w.known[o.id]
		if !seen || a.of != s {
			a = age{s, now}
			s.Made++
		}
		known[o.id] = a
		s.add(o, min(a.since, now-platform.Ticks(float64(o.minutes)*60*platform.TicksPerSecond())))
	})
	if length == len(text) && n > found {
		g.Alive, g.Unlisted = g.Alive+n-found, g.Unlisted+n-found
	}
	w.known = known
}

// begun clears what a survey counts anew.
func (w *Watch) begun() {
	for _, s := range w.past {
		s.before = s.Alive
		s.Alive = 0
		s.Leaked = 0
		s.rested = 0
		clear(s.waits)
	}
}

// of returns the statement of a name, nil if there are too many.
func (w *Watch) of(crowd string) *statement {
	s := w.past[crowd]
	if s == nil && len(w.past) < report.MaxGoStatements {
		s = &statement{GoStatement: report.GoStatement{Crowd: crowd}, waits: map[report.GoWait]int{}}
		w.past[crowd] = s
	}
	return s
}

// add counts a goroutine that is alive, at least since a time.
func (s *statement) add(o *one, since platform.Ticks) {
	if s.Alive++; s.Alive == 1 || since < s.oldest {
		s.oldest = since
	}
	if s.Alive == 1 || o.minutes < s.rested {
		s.rested = o.minutes
	}
	if o.leaked {
		s.Leaked++
	}
	s.waits[report.GoWait{Reason: o.state, Place: o.place}]++
}

// list fills the statements of a survey.
func (w *Watch) list(g *report.Goroutines) {
	first := g.Surveys == 1
	for crowd, s := range w.past {
		s.settle(first, w.at)
		if s.Alive == 0 && s.before == 0 && s.Ended > 0 && len(w.past) == report.MaxGoStatements {
			delete(w.past, crowd) // room for others
		}
		out := s.GoStatement
		out.Waits = s.mostWaits()
		g.Statements = append(g.Statements, out)
	}
	sort.Slice(g.Statements, func(i, k int) bool {
		a, b := &g.Statements[i], &g.Statements[k]
		return a.Alive > b.Alive || a.Alive == b.Alive && a.Crowd < b.Crowd
	})
}

// settle brings the numbers since the first survey up to date.
func (s *statement) settle(first bool, now platform.Ticks) {
	if first {
		s.First = s.Alive
	}
	if s.Made > 0 {
		s.Ended = s.Made - min(s.Made, uint64(s.Alive))
	}
	if s.Rises++; first || s.Alive <= s.before {
		s.Rises = 0
	}
	s.Oldest, s.Rested = 0, time.Duration(s.rested)*time.Minute
	if s.Alive > 0 {
		s.Oldest = report.DurationOf(float64(now-s.oldest) / platform.TicksPerSecond())
	}
}

// mostWaits returns what most of the goroutines wait for.
func (s *statement) mostWaits() []report.GoWait {
	var list []report.GoWait
	for k, n := range s.waits {
		k.Count = n
		list = append(list, k)
	}
	sort.Slice(list, func(i, k int) bool {
		a, b := &list[i], &list[k]
		if a.Count != b.Count {
			return a.Count > b.Count
		}
		return a.Reason+a.Place < b.Reason+b.Place
	})
	return list[:min(len(list), report.MaxGoWaits)]
}
