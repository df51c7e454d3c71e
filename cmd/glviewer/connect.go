package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// link is the connection to a program elsewhere. A nil link does nothing.
type link struct {
	program *remote.Program
	panel   *viewer.Panel
	line    atomic.Pointer[string] // the state, for the log of events
	leave   context.CancelFunc
	kept    atomic.Pointer[keeper]
	events  bool            // the last command about events switched them on
	muted   map[string]bool // by name; the zones that this window has muted
}

// follow connects a tab to a program elsewhere.
func (v *application) follow(t *tab, address string) error {
	program, err := remote.New(address, cmp.Or(v.token, os.Getenv("IPROF_TOKEN")))
	if err != nil {
		return err
	}
	ctx, leave := context.WithCancel(context.Background())
	t.name, t.title = program.Address, "IProf · "+program.Address
	t.link = &link{program: program, panel: t.panel, leave: leave, muted: map[string]bool{}}
	t.link.show("connecting to " + program.Address)
	t.link.takeControls()
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

// takeControls makes the commands that change what is measured work on the program elsewhere.
func (l *link) takeControls() {
	for name, line := range map[string]func(*process.Session) string{
		"events": func(*process.Session) string {
			l.events = !l.events
			return map[bool]string{true: "events on", false: "events off"}[l.events]
		},
		"memory": func(s *process.Session) string {
			return "memory " + nextMode(s)
		},
		"mute": l.mute,
		"reset": func(s *process.Session) string {
			if !l.panel.Ask("forget all measurements, in the program, too? once more: yes") {
				return ""
			}
			s.Reset()
			return "reset"
		},
	} {
		command, ok := l.panel.Command(name)
		if !ok {
			continue
		}
		command.Do = func(s *process.Session, _ *viewer.Panel) {
			if typed := line(s); typed != "" {
				go l.send(typed)
			}
		}
		l.panel.AddCommand(command)
	}
}

// nextMode returns the memory mode behind the one that the program has.
func nextMode(s *process.Session) string {
	modes := []string{"off", "own", "frame", "zone"}
	return modes[(int(s.MemoryMode())+1)%len(modes)]
}

// mute returns the command that mutes the cursor's zone, or measures it again.
func (l *link) mute(s *process.Session) string {
	var r process.Report
	s.AppendReport(&r)
	if r.Cursor < 0 || r.Cursor >= len(r.Records) {
		return ""
	}
	name := r.Records[r.Cursor].Name
	l.muted[name] = !l.muted[name]
	return "mute " + name + map[bool]string{true: " on", false: " off"}[l.muted[name]]
}

// send sends a command, and shows the program's answer.
func (l *link) send(line string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	answer, err := l.program.Command(ctx, line)
	if err != nil {
		answer = "not done: " + err.Error()
	}
	l.panel.Note(answer)
	glfw.PostEmptyEvent()
}
