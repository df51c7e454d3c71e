package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// planning is a context that ends with a signal of endings. It serves until the program starts, which then gets the
// signals itself.
type planning struct {
	context.Context
	cancel  context.CancelCauseFunc
	signals chan os.Signal
	over    chan struct{} // closed when no signal comes any more
}

// newPlanning begins to receive the signals.
func newPlanning() *planning {
	p := &planning{signals: make(chan os.Signal, 1), over: make(chan struct{})}
	p.Context, p.cancel = context.WithCancelCause(context.Background())
	for _, s := range heeded(endings) {
		signal.Notify(p.signals, s)
	}
	go func() {
		defer close(p.over)
		for s := range p.signals {
			p.cancel(signalled{s})
		}
	}()
	return p
}

// end ends the planning. It returns a signalled error if a signal has come, and nil otherwise. The caller receives
// later signals: to lose none, it begins with that before it calls end.
func (p *planning) end() error {
	signal.Stop(p.signals) // returns when all signals so far are in the channel
	close(p.signals)
	<-p.over
	return context.Cause(p.Context)
}

// close ends the planning of a command that starts no program. It returns the status for a signal, or code if none
// has come.
func (p *planning) close(code int) int {
	if err := p.end(); err != nil {
		return status(err)
	}
	p.cancel(nil)
	return code
}

// signalled is the error of a command that a signal has ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "ended by a signal: " + s.String() }

// status is as in shells.
func (s signalled) status() int {
	const others = 128
	if n, ok := s.Signal.(syscall.Signal); ok {
		return others + int(n)
	}
	return fail(s)
}
