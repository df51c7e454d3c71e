package console

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
