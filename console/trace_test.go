package console

import (
	"errors"
	"io"
	"strings"
	"testing"

	"example.com/iprof/process"
)

// toggle is on or off.
type toggle struct{ on bool }

func (w *toggle) set(on bool) error {
	if w.on == on {
		return errors.New("as it was")
	}
	w.on = on
	return nil
}

// switched is a tracer that does nothing.
type switched struct{ toggle }

func (w *switched) SetTracing(on bool) error { return w.set(on) }
func (w *switched) Tracing() process.Tracing {
	return process.Tracing{On: w.on, Measured: true, Events: 80000, PerEvent: 200, Reading: 0.01}
}

func TestTracing(t *testing.T) {
	s := process.NewSession()
	if err := Command(s, io.Discard, "trace on"); err == nil || !strings.Contains(err.Error(), "exectrace.Offer") {
		t.Errorf("got %v; want how to have a trace", err)
	}
	s.SetTracer(&switched{})
	s.Reset()
	steps(t, s, [2]string{"trace", "execution trace off"},
		[2]string{"trace on", "execution trace on: it takes 2.6 % of a processor, for 80000 events a second"},
		[2]string{"trace off", "execution trace off"})
}

// sampled is a source that knows nothing.
type sampled struct{ toggle }

func (w *sampled) Sampling() bool              { return w.on }
func (w *sampled) HotZones() *process.HotZones { return nil }
func (w *sampled) SetSampling(on bool) error   { return w.set(on) }

func TestSampling(t *testing.T) {
	s := process.NewSession()
	if err := Command(s, io.Discard, "sample on"); err == nil || !strings.Contains(err.Error(), "exectrace.Watch") {
		t.Errorf("got %v; want how to have samples", err)
	}
	s.SetHotSource(&sampled{})
	s.Reset()
	steps(t, s, [2]string{"sample", "sample off"}, [2]string{"sample on", "sample on"},
		[2]string{"sample off", "sample off"})
	if err := Command(s, io.Discard, "sample off"); err == nil {
		t.Error("got no error; want the source's")
	}
}
