package console

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"example.com/iprof/process"
)

// trace starts the program's execution trace, stops it, or has states of goroutines taken: now, or every so many
// milliseconds. It prints what the trace costs.
func (c *call) trace() error {
	if err := c.setTrace(); err != nil {
		return err
	}
	state, _ := c.s.Tracing()
	c.printf("%s", state)
	return nil
}

// traceWords are the arguments of trace, besides a number.
var traceWords = []string{"off", "on", "take"}

func (c *call) setTrace() error {
	if c.rest == "" {
		return nil
	}
	if every, err := strconv.ParseUint(c.rest, 10, 20); err == nil {
		return c.s.TakeStatesEvery(time.Duration(every) * time.Millisecond)
	}
	at, err := choose("answer", c.rest, traceWords)
	switch {
	case err != nil:
		return err
	case traceWords[at] == "take":
		return c.s.TakeStates()
	}
	return c.s.SetTracing(at == 1)
}

// errNoSamples is the error of a program without what samples it.
var errNoSamples = errors.New("nothing samples this program: it does not call exectrace.Watch(iprof.Default())")

// errSamplingRate is the error of a rate that a source does not have.
var errSamplingRate = fmt.Errorf("the rate is %d to %d samples a second of processor time", process.LeastSampling,
	process.MostSampling)

// sample starts the sampling of the program for hot lines at a rate, or stops it. Without an argument it prints the
// state.
func (c *call) sample() error {
	source := c.s.HotSource()
	if source == nil {
		return errNoSamples
	}
	if c.rest != "" {
		rate, err := strconv.Atoi(c.rest)
		if err != nil {
			at := 0
			at, err = choose("answer", c.rest, onOff)
			rate = at * process.LeastSampling
		} else if rate < process.LeastSampling || rate > process.MostSampling {
			return errSamplingRate
		}
		if err == nil {
			err = source.SetSampling(rate)
		}
		if err != nil {
			return err
		}
	}
	switch rate := source.Sampling(); rate {
	case 0:
		c.printf("sample off")
	case process.LeastSampling:
		c.printf("sample on")
	default:
		c.printf("sample on, %d a second", rate)
	}
	return nil
}
