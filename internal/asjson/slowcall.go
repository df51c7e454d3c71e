package asjson

import "example.com/iprof/process/report"

// SlowCall is a call that took far longer than its zone's calls do.
type SlowCall struct {
	Text Text `json:"text"`
	At
	Frame    uint64        `json:"frame"`
	Lane     report.LaneID `json:"lane"`
	LaneName Text          `json:"lane_name"`
	Ago      float64       `json:"ended_s_ago"`
	Time     float64       `json:"time_ms"`
	Usual    float64       `json:"usual_ms"`
	Said     Text          `json:"said,omitempty"`
	Parts    []CallPart    `json:"parts"`
}

// CallPart is the part of a slow call in one zone.
type CallPart struct {
	At
	Level int     `json:"level"`
	Count uint32  `json:"count"`
	Time  float64 `json:"time_ms"`
}

func slowCallOf(c *report.SlowCall, now float64) SlowCall {
	return SlowCall{Text(c.AppendText(nil, plain)), At{Text(c.Name), c.Zone}, c.Frame, c.Lane, Text(c.LaneName),
		finite(max(now-c.Ended, 0)), finite(c.Time), finite(c.Usual), Text(c.Said),
		convert(c.Parts, func(p report.CallPart) CallPart {
			return CallPart{At{Text(p.Name), p.Zone}, p.Level, p.Count, finite(p.Time)}
		})}
}
