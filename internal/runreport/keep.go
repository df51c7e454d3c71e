package runreport

import (
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process/report"
)

// Keep stores the results of the samples in the recording, which outlives the notes: the hottest lines of the zones and
// their waits. It returns the error of the file.
func (r *Run) Keep(path string) error {
	h := r.hot()
	if len(h.Zones) == 0 && len(h.Waited) == 0 {
		return nil
	}
	return framefile.AddHot(path, h)
}

// hot returns the hottest lines by zone with their texts, and the shares of self time spent waiting.
func (r *Run) hot() *report.HotZones {
	h := r.sampled().Hot()
	for i := range h.Zones {
		for k := range h.Zones[i].Lines {
			l := &h.Zones[i].Lines[k]
			l.Text = sourceLine(l.File, l.Line)
		}
	}
	return h
}
