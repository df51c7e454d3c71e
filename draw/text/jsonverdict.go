package text

import "example.com/iprof/process"

type jsonVerdict struct {
	Text    jsonText    `json:"text"`
	Index   uint64      `json:"frame"`
	Frames  int         `json:"frames"`
	Among   int         `json:"among,omitempty"`
	Over    bool        `json:"over"`
	Working bool        `json:"working,omitempty"`
	Time    float64     `json:"time_ms"`
	Usual   float64     `json:"usual_ms"`
	Excess  float64     `json:"excess_ms"`
	Budget  float64     `json:"budget_ms"`
	Causes  []jsonCause `json:"causes"`
}

type jsonCause struct {
	Kind    string         `json:"kind"`
	Zone    process.ZoneID `json:"zone"`
	Path    int32          `json:"path"`
	Name    jsonText       `json:"name"`
	Lane    jsonText       `json:"lane,omitempty"`
	Callers []jsonText     `json:"callers"`
	Self    bool           `json:"self,omitempty"`
	Time    float64        `json:"time_ms"`
	Usual   float64        `json:"usual_ms"`
	Spread  float64        `json:"spread_ms"`
	Excess  float64        `json:"excess_ms"`
	Count   float64        `json:"count"`
	Often   float64        `json:"usual_count"`
}

// jsonVerdictOf returns nil if there is nothing to explain.
func jsonVerdictOf(v *process.Verdict) *jsonVerdict {
	if !v.Found() {
		return nil
	}
	return &jsonVerdict{jsonText(verdict(v)), v.Index, v.Frames, v.Among, v.Over, v.Working,
		finite(v.Time), finite(v.Usual),
		finite(v.Excess), finite(v.Budget), convert(v.Causes, jsonCauseOf)}
}

func jsonCauseOf(c process.Cause) jsonCause {
	return jsonCause{c.Kind.String(), c.Zone, c.Path, jsonText(c.Name), jsonText(c.Lane), texts(c.Callers), c.Self,
		finite(c.Time), finite(c.Usual), finite(c.Spread), finite(c.Excess), finite(c.Count), finite(c.Often)}
}
