package text

import "example.com/iprof/process/report"

type jsonVerdict struct {
	Text    jsonText    `json:"text"`
	Index   uint64      `json:"frame"`
	Frames  int         `json:"frames"`
	Among   int         `json:"among,omitempty"`
	Ranged  bool        `json:"of_range,omitempty"`
	Over    bool        `json:"over"`
	Working bool        `json:"working,omitempty"`
	Time    float64     `json:"time_ms"`
	Usual   float64     `json:"usual_ms"`
	Excess  float64     `json:"excess_ms"`
	Budget  float64     `json:"budget_ms"`
	Rest    float64     `json:"rest_ms,omitempty"`
	Causes  []jsonCause `json:"causes"`
}

type jsonCause struct {
	Kind    string        `json:"kind"`
	Zone    report.ZoneID `json:"zone"`
	Path    int32         `json:"path"`
	Name    jsonText      `json:"name"`
	Lane    jsonText      `json:"lane,omitempty"`
	State   *jsonState    `json:"state,omitempty"`
	Callers []jsonText    `json:"callers"`
	Self    bool          `json:"self,omitempty"`
	Time    float64       `json:"time_ms"`
	Usual   float64       `json:"usual_ms"`
	Spread  float64       `json:"spread_ms"`
	Excess  float64       `json:"excess_ms"`
	Taken   float64       `json:"taken_ms,omitempty"`
	Certain bool          `json:"taken_certainly,omitempty"`
	Whole   float64       `json:"of_ms,omitempty"`
	AtMost  bool          `json:"at_most,omitempty"`
	Count   float64       `json:"count"`
	Often   float64       `json:"usual_count"`
	Pattern *jsonPattern  `json:"pattern,omitempty"`
}

// jsonPattern says in which other frames a cause took long.
type jsonPattern struct {
	Kind    string  `json:"kind"`
	Every   int     `json:"every_frames,omitempty"`
	Since   *uint64 `json:"since_frame,omitempty"`
	Low     float64 `json:"low_ms,omitempty"`
	High    float64 `json:"high_ms,omitempty"`
	Oftener bool    `json:"more_often_now,omitempty"`
}

// jsonPatternOf returns nil if there is no pattern.
func jsonPatternOf(p report.Pattern) *jsonPattern {
	out := &jsonPattern{Every: p.Every, Low: finite(p.Low), High: finite(p.High), Oftener: p.Oftener}
	switch p.Kind {
	case report.PatternPeriod:
		out.Kind = "period"
	case report.PatternRise:
		out.Kind, out.Since = "rise", &p.Since
	case report.PatternTurns:
		out.Kind = "turns"
	default:
		return nil
	}
	return out
}

// jsonVerdictOf returns nil if there is nothing to explain.
func jsonVerdictOf(v *report.Verdict) *jsonVerdict {
	if !v.Found() {
		return nil
	}
	return &jsonVerdict{jsonText(verdict(v)), v.Index, v.Frames, v.Among, v.Ranged, v.Over, v.Working,
		finite(v.Time), finite(v.Usual),
		finite(v.Excess), finite(v.Budget), finite(v.Rest), convert(v.Causes, jsonCauseOf)}
}

func jsonCauseOf(c report.Cause) jsonCause {
	return jsonCause{c.Kind.String(), c.Zone, c.Path, jsonText(c.Name), jsonText(c.Lane), jsonStateOf(&c),
		texts(c.Callers), c.Self,
		finite(c.Time), max(finite(c.Usual), 0), finite(c.Spread), finite(c.Excess), finite(c.Taken),
		c.Certain, finite(c.Whole), c.AtMost,
		finite(c.Count), finite(c.Often), jsonPatternOf(c.Pattern)}
}

type jsonState struct {
	Kind   string        `json:"kind"`
	Reason jsonText      `json:"reason,omitempty"`
	Place  jsonText      `json:"place,omitempty"`
	Waker  report.LaneID `json:"waker_lane,omitempty"`
	By     jsonText      `json:"by,omitempty"`
	At     jsonText      `json:"at,omitempty"`
}

// jsonStateOf returns nil for a cause that is not a state.
func jsonStateOf(c *report.Cause) *jsonState {
	if c.Kind != report.CauseState {
		return nil
	}
	q := &c.State
	return &jsonState{q.Kind.String(), jsonText(q.Reason), jsonText(q.Place), q.Waker, jsonText(q.By), jsonText(q.At)}
}
