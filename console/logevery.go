package console

import (
	"io"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// The limits of LogEvery.
const (
	lanesASecond     = 64
	shortestInterval = 10 * time.Millisecond
)

// LogEvery writes, once an interval, a line for each lane that was in one of the zones meanwhile:
//
//	lane "worker 1" zone "memory pool": 7.103/1000 ms 0.7% 6481x
//
// that is the time inside the zone, of how much, in percent, and how often it was entered. The time is hierarchical and
// counts recursion once; calls that are still running are in it. Without zones it is all public ones; private ones,
// which Begin and Func make, have no lines. Names are quoted as in
// Go, and cut, so a line is a line. An interval below 10 ms is 10 ms, and zero is a second.
//
// It looks at the totals since start or Reset, so it works while frames stand still, or without any; while paused nothing
// counts. A lane that has stopped calling, or ended, has had its last line; at most 64 lanes a second have lines, those with
// the most time, the others are summed up in one line a zone.
//
// stop ends it, after the lines of the time since the last ones; calling it again does nothing. A writer's error ends the
// lines, too: a log must not stop its program. Zones pay nothing for it, and frames are not disturbed.
//
//	defer console.LogEvery(process.Default(), os.Stderr, time.Second, &pool)()
func LogEvery(s *process.Session, w io.Writer, interval time.Duration, zones ...*gather.Zone) (stop func()) {
	if interval <= 0 {
		interval = time.Second
	}
	interval = max(interval, shortestInterval)
	l := newLogger(zones, min(max(int(lanesASecond*interval.Seconds()), 1), lanesASecond))
	l.look(totals(s))
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		l.run(s, w, interval, done)
	}()
	var once sync.Once
	return func() {
		once.Do(func() { close(done) })
		<-ended
	}
}

func totals(s *process.Session) *process.Dump {
	return s.Dump(process.DumpOptions{NoFrames: true, NoHistory: true})
}

// run writes lines until it is told to stop, or cannot.
func (l *logger) run(s *process.Session, w io.Writer, interval time.Duration, done chan struct{}) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for stopped := false; !stopped; {
		select {
		case <-ticker.C:
		case <-done:
			stopped = true
		}
		if lines := l.look(totals(s)); lines != "" {
			if _, err := io.WriteString(w, lines); err != nil {
				return
			}
		}
	}
}
