package main

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/process"
)

// hotSwitch samples a program elsewhere. Its lines come with the frames.
type hotSwitch struct {
	link *link
	on   atomic.Bool
	ours atomic.Bool // this viewer switched it on
}

// SetSampling asks the program, and does not wait for its answer.
func (h *hotSwitch) SetSampling(on bool) error {
	if on {
		go h.ask("sample on")
	} else {
		go h.ask("sample off")
	}
	return nil
}

// Sampling reports what the program said last.
func (h *hotSwitch) Sampling() bool { return h.on.Load() }

// HotZones returns nil: the session has what came with the frames.
func (h *hotSwitch) HotZones() *process.HotZones { return nil }

// ask sends a command, and notes whether the program samples now.
func (h *hotSwitch) ask(line string) {
	answer, err := h.link.command(line)
	if err != nil {
		h.link.note("not sampled: " + err.Error())
		return
	}
	h.on.Store(strings.HasPrefix(answer, "sample on"))
	h.ours.Store(h.on.Load())
	h.link.session.SetHotSource(h) // there is news
	glfw.PostEmptyEvent()
}

// offerSampling lets the card sample the program, if it can. An older one, one that is only shown, and one without
// the module exectrace cannot.
func (l *link) offerSampling() {
	answer, err := l.command("sample")
	if err != nil {
		l.session.SetHotSource(nil)
		return
	}
	h := &hotSwitch{link: l}
	h.on.Store(strings.HasPrefix(answer, "sample on"))
	l.session.SetHotSource(h)
}

// sampleNone ends the sampling that this viewer has switched on, before the connection is closed.
func (l *link) sampleNone() {
	if h, ok := l.session.HotSource().(*hotSwitch); ok && h.ours.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
		defer cancel()
		_, _ = l.program.Command(ctx, "sample off")
	}
}
