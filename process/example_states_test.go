package process_test

import (
	"fmt"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// tracer is what traces a program; module exectrace has one.
type tracer struct{ every time.Duration }

func (t *tracer) SetTracing(bool) error { return nil }
func (t *tracer) TakeStates() error     { return nil }
func (t *tracer) Tracing() report.Tracing {
	return report.Tracing{On: true, Measured: true, Events: 20_000, PerEvent: 100, Reading: 0.02, Every: t.every}
}
func (t *tracer) TakeStatesEvery(d time.Duration) error {
	t.every = d
	return nil
}

// The states of goroutines may be taken at any time, if something traces the program.
func ExampleSources_TakeStates() {
	s := process.NewSession()
	fmt.Println(s.Sources().TakeStates())
	s.SetSources(func(c *process.Sources) { c.Tracer = &tracer{} })
	fmt.Println(s.Sources().TakeStates())
	// Output:
	// this program cannot trace itself: it does not call exectrace.Offer(iprof.Default())
	// <nil>
}

// They may be taken twice a second, at a price.
func ExampleSources_TakeStatesEvery() {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Tracer = &tracer{} })
	err := s.Sources().TakeStatesEvery(500 * time.Millisecond)
	fmt.Println(err)
	fmt.Println(s.Sources().Tracing())
	// Output:
	// <nil>
	// execution trace on: it takes 2.2 % of a processor, for 20000 events a second; states every 500ms true
}
