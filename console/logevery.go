package console

import (
	"io"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/process"
)

// The limits of LogEvery: the greatest number of lanes with lines, and the least interval.
const (
	lanesASecond     = 64
	shortestInterval = 10 * time.Millisecond
)

// LogEvery writes lines to w once an interval: one for each lane and each zone that the lane was in during the
// interval.
//
//	lane "worker 1" zone "memory pool": 7.103/1000 ms 0.7% 6481x
//
// The numbers are the time inside the zone, the interval, their ratio in percent, and the number of entries. The time
// is hierarchical. It counts recursion once and includes open calls. Without zones, all public zones have lines.
// Private zones, which Begin and Func make, never have lines. Names are quoted as in Go and cut to 100 bytes. An
// interval below 10 ms counts as 10 ms; 0 or less counts as a second.
//
// One more line explains the worst late frame of the interval, if there was one: see [process.Session.VerdictSince].
//
// Each mark (see [process.Session.Mark]) of the frames that ended in the interval has a line, too, at most 64 lines a
// second.
//
//	mark "level loaded" 3.21 ms into frame 812
//
// LogEvery reads the totals since start or Reset, so it needs no frames. Paused time does not count. A lane that did
// nothing in the interval has no line. At most 64 lanes a second have lines, those with the most time. One line a zone
// sums the other lanes.
//
// The function stop writes the lines since the last interval and ends LogEvery. Later calls of stop do nothing. stop
// waits for the writer, but at most 250 ms for one Write. A writer that is nil, fails or panics ends LogEvery, too,
// without harm to the program. If w is os.Stderr itself, a broken pipe ends LogEvery as well. If w wraps os.Stderr, a
// broken pipe ends the program: see package os/signal. Zones do not become slower. Update may wait as long as ending a
// frame takes (BenchmarkUpdateBesideLogEvery).
//
//	defer console.LogEvery(process.Default(), os.Stderr, time.Second, &pool)()
func LogEvery(s *process.Session, w io.Writer, interval time.Duration, zones ...*gather.Zone) (stop func()) {
	if interval <= 0 {
		interval = time.Second
	}
	interval = max(interval, shortestInterval)
	l := newLogger(zones, min(max(int(lanesASecond*interval.Seconds()), 1), lanesASecond))
	var seen process.LaneTotals
	s.LaneTotals(&seen)
	l.linesFor(&seen)
	l.seen = s.View().Info().Frames
	_, l.marked = s.AppendMarksSince(nil, 0)
	out, done, ended := hostwriter.New(w), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		l.run(s, &seen, out, interval, done)
	}()
	var once sync.Once
	return func() {
		once.Do(func() { close(done) })
		out.Wait(ended)
	}
}

// run writes lines until done is closed or a Write fails.
func (l *logger) run(
	s *process.Session, seen *process.LaneTotals, w io.Writer, interval time.Duration, done chan struct{},
) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for stopped := false; !stopped; {
		select {
		case <-ticker.C:
		case <-done:
			stopped = true
		}
		s.LaneTotals(seen)
		if lines := l.linesFor(seen) + l.marks(s) + l.slowestLine(s); lines != "" {
			if _, err := io.WriteString(w, lines); err != nil {
				return
			}
		}
	}
}
