package answer

import (
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/scene"
)

// ofCall is the picture of a slow call: a verdict on it, and its parts.
type ofCall struct {
	call    *report.SlowCall
	verdict report.Verdict
	parts   []report.Part
}

// SetCall makes the answer draw a slow call in place of the verdict on the frame in which it ended. nil is none.
func (a *Answer) SetCall(call *report.SlowCall) {
	a.slow = ofCall{call: call}
	if call != nil {
		a.slow.fill()
	}
}

// Call returns the slow call that is drawn, nil if it is the verdict.
func (a *Answer) Call(d *scene.Scene) *report.SlowCall {
	if c := a.slow.call; a.Open && c != nil && d.Info.Index == c.Frame && d.Info.Lens.Kind == report.LensOff {
		return c
	}
	return nil
}

// Verdict returns the drawn verdict.
func (a *Answer) Verdict(d *scene.Scene) *report.Verdict {
	if a.Call(d) != nil {
		return &a.slow.verdict
	}
	return &d.Report.Verdict
}

// partsOf returns the parts of what is drawn.
func (a *Answer) partsOf(d *scene.Scene) []report.Part {
	if a.Call(d) != nil {
		return a.slow.parts
	}
	return d.Parts
}

// fill makes the parts: what the call called itself, and its own time. Only the usual time of the whole call is known;
// it stands with its own time.
func (o *ofCall) fill() {
	c, own, main := o.call, o.call.Time, o.call.Part()
	cause := report.Cause{Kind: report.CauseSpread, Zone: c.Zone, Path: 1, Name: c.Name, Time: c.Time}
	at := -1
	for i := range c.Parts {
		p := &c.Parts[i]
		if p.Level == 0 {
			o.parts = append(o.parts, report.Part{Zone: p.Zone, Path: int32(i) + 2, Time: p.Time,
				Count: float64(p.Count), Idle: p.Idle})
			own -= p.Time
		}
		if p == main {
			at = i
			o.parts[len(o.parts)-1].Cause = 1
			cause = report.Cause{Kind: cause.Kind, Zone: p.Zone, Path: int32(i) + 2, Name: p.Name, Time: p.Time,
				Chosen: p.Idle}
		}
	}
	for level := 0; at >= 0; at-- { // callers, innermost first
		if p := &c.Parts[at]; main != nil && (p == main || p.Level < level) {
			if level = p.Level; p != main {
				cause.Callers = append(cause.Callers, p.Name)
			}
		}
	}
	if main != nil {
		cause.Callers = append(cause.Callers, c.Name)
	}
	rest := report.Part{Zone: c.Zone, Path: 1, Time: max(own, 0), Usual: c.Usual}
	if main == nil {
		rest.Cause = 1
	}
	o.parts = append(o.parts, rest)
	o.verdict = report.Verdict{Index: c.Frame, Frames: 1, Time: c.Time, Usual: c.Usual, Excess: c.Excess(),
		Causes: []report.Cause{cause}}
}
