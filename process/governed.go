package process

import (
	"fmt"
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/totals"
)

// LaneCost returns what measuring took on a lane in a frame, in ms. Slow paths are timed where they happen; the rest is
// the number of entries by the cost of one: of a timed, a counted or a muted one. A frame without costs, as of another
// profiler, has none. Any goroutine may call it.
func LaneCost(f *gather.Frame, l *gather.LaneFrame) float64 {
	return totals.LaneCost(f, l, totals.EntriesOf(l))
}

// overheadTexts has the texts of the warning about overhead by their numbers. Overhead differs from frame to frame. It
// has few values, so soon all their texts are there, and a report does not allocate.
type overheadTexts struct {
	limit float64
	texts map[overheadText]string
}

type overheadText struct {
	permille       int // 0..1000
	missed, marked bool
}

// overheadWarning is the warning about high overhead, or about overhead above its limit. It points to the sign "!" only
// where a row has one.
func (s *builder) overheadWarning(overhead float64, marked bool) string {
	w := &s.rows.overhead
	if w.texts == nil || w.limit != s.limit {
		*w = overheadTexts{s.limit, make(map[overheadText]string)}
	}
	key := overheadText{int(math.Round(overhead * 1000)), s.limit > 0 && overhead > s.limit, marked}
	text, known := w.texts[key]
	if !known {
		text = fmt.Sprintf("measuring costs %.1f %% of the frame", float64(key.permille)/10)
		if key.missed {
			text = fmt.Sprintf("limit %.3g %% missed: %s", s.limit*100, text)
		} else if marked {
			text += SeeMarked
		}
		w.texts[key] = text
	}
	return text
}
