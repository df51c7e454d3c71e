package console

import (
	"fmt"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// why prints the verdict on the frame shown and the stacks of the causes.
func (c *call) why() {
	var v process.Verdict
	if !c.s.VerdictOfView(&v, c.s.View()) {
		c.usual(&v)
		return
	}
	c.keepError(text.WriteVerdict(c.w, &v))
	for i := range v.Causes {
		if cause := &v.Causes[i]; cause.Path > 0 {
			c.printf("  %s", stack(cause))
		}
	}
}

// usual prints that the frame is not unusual.
func (c *call) usual(v *process.Verdict) {
	if v.Frames == 0 {
		c.s.VerdictOf(v, c.s.View().Age)
	}
	switch {
	case v.Frames == 0:
		c.printf("no frame has ended yet")
	case v.Usual == 0:
		c.printf("frame %d: %.1f ms, within budget; too few frames to know what is usual", v.Index, v.Time)
	default:
		c.printf("frame %d: %.1f ms, usually %.1f: nothing unusual", v.Index, v.Time, v.Usual)
	}
}

// stack returns the names of a cause's stack, outermost first, and its numbers beside the usual ones.
func stack(c *process.Cause) string {
	var b strings.Builder
	for i := len(c.Callers) - 1; i >= 0; i-- {
		b.WriteString(text.Name(c.Callers[i]) + " > ")
	}
	fmt.Fprintf(&b, "%s: %+.2f ms", text.Name(c.Name), c.Excess)
	if c.Kind != process.CauseCollector && c.Kind != process.CauseLargest {
		fmt.Fprintf(&b, ", %.2f instead of %.2f +- %.2f, calls %.4g instead of %.4g",
			c.Time, c.Usual, c.Spread, c.Count, c.Often)
	}
	return b.String()
}
