package asjson

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Verdict says why a frame was slow.
type Verdict struct {
	Text    Text    `json:"text"`
	Frame   uint64  `json:"frame"`
	Frames  int     `json:"frames"`
	Among   int     `json:"among,omitempty"`
	Ranged  bool    `json:"of_range,omitempty"`
	Over    bool    `json:"over"`
	Working bool    `json:"working,omitempty"`
	Time    float64 `json:"time_ms"`
	Usual   float64 `json:"usual_ms"`
	Excess  float64 `json:"excess_ms"`
	Budget  float64 `json:"budget_ms"`
	Rest    float64 `json:"rest_ms,omitempty"`
	Causes  []Cause `json:"causes"`
}

// Cause is a part of a verdict.
type Cause struct {
	Kind string `json:"kind"`
	At
	Site
	Path    int32    `json:"path_id"`
	Lane    Text     `json:"lane,omitempty"`
	State   *State   `json:"state,omitempty"`
	Callers []Text   `json:"callers"`
	Self    bool     `json:"self,omitempty"`
	Time    float64  `json:"time_ms"`
	Usual   float64  `json:"usual_ms"`
	Spread  float64  `json:"spread_ms"`
	Excess  float64  `json:"excess_ms"`
	Taken   float64  `json:"taken_ms,omitempty"`
	Certain bool     `json:"taken_certainly,omitempty"`
	Whole   float64  `json:"of_ms,omitempty"`
	AtMost  bool     `json:"at_most,omitempty"`
	Count   float64  `json:"count"`
	Often   float64  `json:"usual_count"`
	Pattern *Pattern `json:"pattern,omitempty"`
	Chosen  bool     `json:"chosen,omitempty"`
}

// Pattern says in which other frames a cause took long.
type Pattern struct {
	Kind    string  `json:"kind"`
	Every   int     `json:"every_frames,omitempty"`
	Since   *uint64 `json:"since_frame,omitempty"`
	Low     float64 `json:"low_ms,omitempty"`
	High    float64 `json:"high_ms,omitempty"`
	Oftener bool    `json:"more_often_now,omitempty"`
}

// patternOf returns nil if there is no pattern.
func patternOf(p report.Pattern) *Pattern {
	out := &Pattern{Every: p.Every, Low: finite(p.Low), High: finite(p.High), Oftener: p.Oftener}
	switch p.Kind {
	case report.PatternPeriod:
		out.Kind = "period"
	case report.PatternRise:
		out.Kind, out.Since = "rise", &p.Since
	case report.PatternStep:
		out.Kind, out.Since = "step", &p.Since
	case report.PatternTurns:
		out.Kind = "turns"
	default:
		return nil
	}
	return out
}

// VerdictOf returns nil if there is nothing to explain. zone finds the zones of the causes.
func VerdictOf(v *report.Verdict, zone func(report.ZoneID) gather.ZoneInfo) *Verdict {
	if !v.Found() {
		return nil
	}
	return &Verdict{Text(v.AppendText(nil, plain)), v.Index, v.Frames, v.Among, v.Ranged, v.Over, v.Working,
		finite(v.Time), finite(v.Usual), finite(v.Excess), finite(v.Budget), finite(v.Rest),
		convert(v.Causes, func(c report.Cause) Cause { return causeOf(&c, zone) })}
}

func causeOf(c *report.Cause, zone func(report.ZoneID) gather.ZoneInfo) Cause {
	j := Cause{c.Kind.String(), At{Text(c.Name), c.Zone}, Site{}, c.Path, Text(c.Lane), stateOf(c), texts(c.Callers),
		c.Self, finite(c.Time), max(finite(c.Usual), 0), finite(c.Spread), finite(c.Excess), finite(c.Taken),
		c.Certain, finite(c.Whole), c.AtMost, finite(c.Count), finite(c.Often), patternOf(c.Pattern), c.Chosen}
	if z := zone(c.Zone); z.Name == c.Name {
		j.Site = SiteOf(z)
	}
	return j
}

// State is a wait of a goroutine, and its reason.
type State struct {
	Kind   string        `json:"kind"`
	Reason Text          `json:"reason,omitempty"`
	Place  Text          `json:"place,omitempty"`
	Waker  report.LaneID `json:"waker_lane,omitempty"`
	By     Text          `json:"by,omitempty"`
	At     Text          `json:"at,omitempty"`
}

// stateOf returns nil for a cause that is not a state.
func stateOf(c *report.Cause) *State {
	if c.Kind != report.CauseState && c.State.Reason == "" {
		return nil
	}
	q := &c.State
	return &State{q.Kind.String(), Text(q.Reason), Text(q.Place), q.Waker, Text(q.By), Text(q.At)}
}
