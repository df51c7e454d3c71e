package html

import (
	"strconv"

	"example.com/iprof/process/report"
)

// appendSections appends [name, from, to, frames, average, p99, worst, worst frame] for each section, the oldest first,
// if there are any. Frames are numbers, times are in ms.
func appendSections(b []byte, d *report.Dump) []byte {
	if len(d.Sections) == 0 {
		return b
	}
	return appendList(append(b, `,"sections":`...), d.Sections, func(b []byte, s *report.Section) []byte {
		b = appendText(append(b, '['), short(s.Name))
		for _, n := range [...]uint64{s.From, s.To, s.Frames} {
			b = strconv.AppendUint(append(b, ','), n, 10)
		}
		for _, ms := range [...]float64{s.Mean, s.P99, s.Worst} {
			b = appendShort(append(b, ','), float32(ms))
		}
		return append(strconv.AppendUint(append(b, ','), s.WorstFrame, 10), ']')
	})
}
