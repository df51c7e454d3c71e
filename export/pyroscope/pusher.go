package pyroscope

import (
	"bytes"
	"context"
	"sync"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/process/report"
)

// Pusher sends profiles until Stop. Any goroutine may call its methods.
type Pusher struct {
	options Options
	cancel  context.CancelFunc // gives up sending
	stop    chan struct{}
	stopped sync.WaitGroup
	once    sync.Once
	wake    chan struct{} // has room for one

	mu      sync.Mutex
	waiting []profile
	closed  bool // no further profile comes
	stats   Stats
}

// Stats counts profiles.
type Stats struct {
	Sent    int   // profiles that the server has taken
	Dropped int   // profiles dropped: too many waited, or the server did not take them
	Retried int   // repeated requests
	Err     error // why the latest profile was dropped or sent again; nil if it was sent
}

// profile is the profile of a stretch of time, in the format of pprof.
type profile struct {
	data        []byte
	from, until time.Time
}

// mostWaiting is the greatest number of profiles that wait for a slow server.
const mostWaiting = 4

// lastWords is the longest time for which Stop waits for the server.
const lastWords = 5 * time.Second

// Start begins to send profiles. An error names the wrong option. Start does not contact the server.
func Start(o Options) (*Pusher, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Pusher{options: o, cancel: cancel, stop: make(chan struct{}), wake: make(chan struct{}, 1)}
	first := p.dump()
	p.stopped.Add(2)
	go p.collect(first, time.Now())
	go p.deliver(ctx)
	return p, nil
}

// Stop sends the last profile and ends both goroutines. It waits for the server 5 s at most. Further calls do nothing.
func (p *Pusher) Stop() {
	p.once.Do(func() { close(p.stop) })
	timer := time.AfterFunc(lastWords, p.cancel)
	defer timer.Stop()
	p.stopped.Wait()
	p.cancel()
}

// Stats returns the counts since Start.
func (p *Pusher) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

func (p *Pusher) dump() *report.Dump {
	return p.options.Session.Dump(report.DumpOptions{NoFrames: true, NoHistory: true, AllLanes: true})
}

// collect makes a profile at each interval, and the last one at Stop.
func (p *Pusher) collect(before *report.Dump, from time.Time) {
	defer p.stopped.Done()
	ticker := time.NewTicker(p.options.Interval)
	defer ticker.Stop()
	for last := false; !last; {
		select {
		case <-ticker.C:
		case <-p.stop:
			last = true
		}
		after, until := p.dump(), time.Now()
		var b bytes.Buffer
		_ = export.Pprof(&b, export.Delta(before, after)) // a Buffer has no errors
		p.add(profile{b.Bytes(), from, until}, last)
		before, from = after, until
	}
}

// add puts a profile into the queue. If the queue is full, it drops the oldest.
func (p *Pusher) add(next profile, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, next)
	if len(p.waiting) > mostWaiting {
		p.waiting = append(p.waiting[:0], p.waiting[1:]...)
		p.stats.Dropped++
	}
	p.closed = last
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// take removes the oldest profile of the queue. It waits for one, and returns false after the last one.
func (p *Pusher) take() (profile, bool) {
	for {
		p.mu.Lock()
		closed := p.closed
		if len(p.waiting) > 0 {
			oldest := p.waiting[0]
			p.waiting = append(p.waiting[:0], p.waiting[1:]...)
			p.mu.Unlock()
			return oldest, true
		}
		p.mu.Unlock()
		if closed {
			return profile{}, false
		}
		<-p.wake
	}
}
