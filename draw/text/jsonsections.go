package text

import "example.com/iprof/process/report"

type jsonSection struct {
	Name       jsonText `json:"name"`
	From       uint64   `json:"from"`
	To         uint64   `json:"to"`
	Frames     uint64   `json:"frames"`
	Mean       float64  `json:"mean_ms"`
	P99        float64  `json:"p99_ms"`
	Worst      float64  `json:"worst_ms"`
	WorstFrame uint64   `json:"worst_frame"`
}

func jsonSectionOf(s report.Section) jsonSection {
	return jsonSection{jsonText(s.Name), s.From, s.To, s.Frames, finite(s.Mean), finite(s.P99), finite(s.Worst),
		s.WorstFrame}
}
