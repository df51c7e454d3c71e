package console

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// setting is on or off, or a rate.
type setting[T comparable] struct{ now T }

func (w *setting[T]) set(to T) error {
	if w.now == to {
		return errors.New("as it was")
	}
	w.now = to
	return nil
}

// switched is a tracer that does nothing.
type switched struct{ setting[bool] }

func (w *switched) SetTracing(on bool) error { return w.set(on) }
func (w *switched) Tracing() report.Tracing {
	return report.Tracing{On: w.now, Measured: true, Events: 80000, PerEvent: 200, Reading: 0.01}
}

func TestTheCommandTraceSwitchesAndTellsTheCost(t *testing.T) {
	s := process.NewSession()
	if err := Command(s, io.Discard, "trace on"); err == nil || !strings.Contains(err.Error(), "exectrace.Offer") {
		t.Errorf("got %v; want how to have a trace", err)
	}
	s.SetSources(func(c *process.Sources) { c.Tracer = &switched{} })
	s.Reset()
	steps(t, s, [2]string{"trace", "execution trace off"},
		[2]string{"trace on", "execution trace on: it takes 2.6 % of a processor, for 80000 events a second"},
		[2]string{"trace off", "execution trace off"})
}

// taker is a tracer that takes states.
type taker struct {
	switched
	taken int
	every time.Duration
}

func (w *taker) TakeStates() error {
	w.taken++
	return nil
}

func (w *taker) TakeStatesEvery(d time.Duration) error {
	w.every = d
	return nil
}

func (w *taker) Tracing() report.Tracing {
	t := w.switched.Tracing()
	t.Every = w.every
	return t
}

func TestTheCommandTraceTakesStates(t *testing.T) {
	s, on := process.NewSession(), "execution trace on: it takes 2.6 % of a processor, for 80000 events a second"
	for tracer, want := range map[report.Tracer]string{nil: "exectrace.Offer", &switched{}: "no states"} {
		s.SetSources(func(c *process.Sources) { c.Tracer = tracer })
		for _, line := range []string{"trace take", "trace 500"} {
			if err := Command(s, io.Discard, line); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q with %T: got %v; want %q", line, tracer, err, want)
			}
		}
	}
	w := &taker{}
	s.SetSources(func(c *process.Sources) { c.Tracer = w })
	s.Reset()
	steps(t, s, [2]string{"trace on", on}, [2]string{"trace take", on}, [2]string{"trace 0", on},
		[2]string{"trace 500", on + "; states every 500ms"})
	if w.taken != 1 {
		t.Errorf("taken %d times; want once", w.taken)
	}
	for _, bad := range []string{"trace -1", "trace 99999999", "trace sometimes"} {
		if err := Command(s, io.Discard, bad); err == nil {
			t.Errorf("%q: got no error", bad)
		}
	}
}

// sampled is a source that knows nothing.
type sampled struct{ setting[int] }

func (w *sampled) Sampling() int              { return w.now }
func (w *sampled) HotZones() *report.HotZones { return nil }
func (w *sampled) SetSampling(rate int) error { return w.set(rate) }

func TestTheCommandSampleSwitchesAndTellsTheRate(t *testing.T) {
	s := process.NewSession()
	if err := Command(s, io.Discard, "sample on"); err == nil || !strings.Contains(err.Error(), "exectrace.Watch") {
		t.Errorf("got %v; want how to have samples", err)
	}
	s.SetSources(func(c *process.Sources) { c.Sampler = &sampled{} })
	s.Reset()
	steps(t, s, [2]string{"sample", "sample off"}, [2]string{"sample on", "sample on"},
		[2]string{"sample 500", "sample on, 500 a second"}, [2]string{"sample 100", "sample on"},
		[2]string{"sample 1000", "sample on, 1000 a second"}, [2]string{"sample off", "sample off"})
	for _, rate := range []string{"sample 99", "sample 1001", "sample -100", "sample 0"} {
		if err := Command(s, io.Discard, rate); err == nil || !strings.Contains(err.Error(), "100 to 1000") {
			t.Errorf("%s: got %v; want the range", rate, err)
		}
	}
	if err := Command(s, io.Discard, "sample off"); err == nil {
		t.Error("got no error; want the source's")
	}
}
