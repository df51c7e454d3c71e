package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/moment"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// link is the connection to a remote program. A nil link does nothing.
type link struct {
	program Program
	address string // for people
	wake    func()
	session *process.Session
	panel   *viewer.Panel
	line    atomic.Pointer[string] // the state, for the log of events
	leave   context.CancelFunc
	left    <-chan struct{} // closed by leave
	paused  bool            // as seen in the last frame of the window
	started bool            // the viewer has started the program
	kept    atomic.Pointer[keeper]
	calls   callWish
}

// Follow connects a tab to a remote program. It returns an error if the address is malformed.
func (d *Desk) Follow(t *Tab, address string) error { return d.follow(t, address, false) }

// follow is Follow. ours tells whether the viewer has started the program.
func (d *Desk) follow(t *Tab, address string, ours bool) error {
	address, t.wanted = moment.Split(address)
	program, address, err := d.host.Dial(address)
	if err != nil {
		return err
	}
	ctx, leave := context.WithCancel(context.Background())
	d.call(t, address, "")
	t.link = &link{program: program, address: address, wake: d.host.Wake, session: t.session, panel: t.panel,
		leave: leave, left: ctx.Done(), started: ours}
	t.link.show("connecting to " + address)
	t.link.explain("Connecting to " + address)
	t.link.takeControls()
	t.session.SetSources(func(c *process.Sources) { c.Count = t.link.countCalls })
	t.session.SetHistoryLimits(framefile.WholeHistory())
	kept := &t.link.kept
	go program.Follow(ctx, t.session, func(s follow.State) {
		if s.Connected && kept.Load() == nil {
			kept.Store(keep(t.session, s.Info))
		}
		t.link.changed(s)
	})
	return nil
}

// close ends the connection.
func (l *link) close() {
	if l != nil {
		l.wishNone()
		l.sampleNone()
		l.leave()
		l.kept.Load().close()
	}
}

// state returns the state for the log of events.
func (l *link) state() string {
	if l == nil {
		return "no link"
	}
	return *l.line.Load()
}

// errClosed is the error for the end of a stream.
var errClosed = errors.New("the program closed the connection")

// changed shows a change of the connection in the header, and its cause in a note.
func (l *link) changed(s follow.State) {
	if l.started && !s.Connected && l.kept.Load() == nil {
		return // the panel is being built
	}
	if s.Connected {
		l.wishAgain()
		go l.offerSampling()
		l.panel.Note("connected to " + s.Info.Program)
		l.explain("")
		l.show(s.Info.Program + " · " + l.address)
		return
	}
	why := s.Err
	if errors.Is(why, io.EOF) {
		why = errClosed
	}
	l.panel.Note(fmt.Sprintf("not connected: %v; next try in %v", why, s.Retry))
	l.explain(fmt.Sprintf("Not connected: %v", why))
	l.show("NOT CONNECTED · " + l.address)
}

// explain shows why there are no frames, as long as there are none.
func (l *link) explain(why string) { l.panel.Change(func(o *viewer.Options) { o.Waiting = why }) }

func (l *link) show(title string) {
	l.line.Store(&title)
	l.panel.Change(func(o *viewer.Options) { o.Title = title })
	l.wake() // a paused window sleeps
}
