package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// link is the connection to a program elsewhere. A nil link does nothing.
type link struct {
	program *remote.Program
	session *process.Session
	panel   *viewer.Panel
	line    atomic.Pointer[string] // the state, for the log of events
	leave   context.CancelFunc
	left    <-chan struct{} // closed by leave
	paused  bool            // as seen in the last frame of the window
	kept    atomic.Pointer[keeper]
	calls   callWish
}

// follow connects a tab to a program elsewhere.
func (v *application) follow(t *tab, address string) error {
	program, err := remote.New(address, cmp.Or(v.token, os.Getenv("IPROF_TOKEN")))
	if err != nil {
		return err
	}
	program.Limits = v.limits
	ctx, leave := context.WithCancel(context.Background())
	t.name, t.title = program.Address, "IProf · "+program.Address
	t.link = &link{program: program, session: t.session, panel: t.panel, leave: leave,
		left: ctx.Done()}
	t.link.show("connecting to " + program.Address)
	t.link.takeControls()
	t.session.CountCallsWith(t.link.countCalls)
	t.session.SetHistoryLimits(process.HistoryLimits{Frames: mostFrames, Bytes: 256 << 20})
	kept := &t.link.kept
	go program.Follow(ctx, t.session, func(s remote.State) {
		if s.Connected && kept.Load() == nil {
			kept.Store(keep(t.session, s.Info))
		}
		t.link.heard(s)
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

// heard shows a change of the connection: in the header, and the cause in a note.
func (l *link) heard(s remote.State) {
	if s.Connected {
		l.wishAgain()
		go l.offerSampling()
		l.panel.Note("connected to " + s.Info.Program)
		l.show(s.Info.Program + " · " + l.program.Address)
		return
	}
	l.panel.Note(fmt.Sprintf("not connected: %v; next try in %v", s.Err, s.Retry))
	l.show("NOT CONNECTED · " + l.program.Address)
}

func (l *link) show(title string) {
	l.line.Store(&title)
	l.panel.Change(func(o *viewer.Options) { o.Title = title })
	glfw.PostEmptyEvent() // a paused window sleeps
}
