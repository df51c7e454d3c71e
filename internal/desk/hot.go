package desk

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// hotSwitch turns on sampling in a remote program. The samples come with the frames.
type hotSwitch struct {
	link        *link
	rate        atomic.Int64
	startedHere atomic.Bool // this viewer switched it on
}

// SetSampling sends the command to the program, and does not wait for the answer.
func (h *hotSwitch) SetSampling(rate int) error {
	switch rate {
	case 0:
		go h.ask("sample off")
	case report.MinSampling:
		go h.ask("sample on") // older programs know no rates
	default:
		go h.ask(fmt.Sprint("sample ", rate))
	}
	return nil
}

// take notes an answer: "sample off", "sample on" or "sample on, 500 a second".
func (h *hotSwitch) take(answer string) {
	rate := 0
	if on, found := strings.CutPrefix(answer, "sample on"); found {
		rate = report.MinSampling
		on, _ = strings.CutSuffix(strings.TrimPrefix(on, ", "), " a second")
		if n, err := strconv.Atoi(on); err == nil {
			rate = n
		}
	}
	h.rate.Store(int64(rate))
}

// Sampling returns the rate of the program's last answer.
func (h *hotSwitch) Sampling() int { return int(h.rate.Load()) }

// HotZones returns nil: the session takes the samples from the frames.
func (h *hotSwitch) HotZones() *report.HotZones { return nil }

// ask sends a command, and notes whether the program samples now.
func (h *hotSwitch) ask(line string) {
	answer, err := h.link.command(line)
	if err != nil {
		h.link.note("not sampled: " + err.Error())
		return
	}
	h.take(answer)
	h.startedHere.Store(h.Sampling() > 0)
	h.link.session.SetSources(func(c *process.Sources) { c.Sampler = h }) // there is news
	h.link.wake()
}

// offerSampling lets the card sample the program, if it can. An older program, a program served for viewing only, and a
// program without the module exectrace cannot.
func (l *link) offerSampling() {
	answer, err := l.command("sample")
	if err != nil {
		l.session.SetSources(func(c *process.Sources) { c.Sampler = nil })
		return
	}
	h := &hotSwitch{link: l}
	h.take(answer)
	l.session.SetSources(func(c *process.Sources) { c.Sampler = h })
}

// sampleNone ends the sampling that this viewer has switched on. The caller then closes the connection.
func (l *link) sampleNone() {
	if h, ok := l.session.Sources().Sampler.(*hotSwitch); ok && h.startedHere.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
		defer cancel()
		_, _ = l.program.Command(ctx, "sample off")
	}
}
