package console

import "errors"

// trace starts the program's execution trace, or stops it. It prints what the trace costs.
func (c *call) trace() error {
	if c.rest != "" {
		at, err := choose("answer", c.rest, onOff)
		if err == nil {
			err = c.s.SetTracing(at == 1)
		}
		if err != nil {
			return err
		}
	}
	state, _ := c.s.Tracing()
	c.printf("%s", state)
	return nil
}

// errNoSamples is the error of a program without what samples it.
var errNoSamples = errors.New("nothing samples this program: it does not call exectrace.Watch(iprof.Default())")

// sample starts the sampling of the program for hot lines, or stops it. Without an argument it prints the state.
func (c *call) sample() error {
	source := c.s.HotSource()
	if source == nil {
		return errNoSamples
	}
	if c.rest != "" {
		at, err := choose("answer", c.rest, onOff)
		if err == nil {
			err = source.SetSampling(at == 1)
		}
		if err != nil {
			return err
		}
	}
	if source.Sampling() {
		c.printf("sample on")
	} else {
		c.printf("sample off")
	}
	return nil
}
