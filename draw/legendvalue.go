package draw

import (
	"math"

	"example.com/iprof/process"
)

// weigh finds how much each frame of the history counts in what the table shows, by age: one frame alone, those of a lens
// alike, or the newest most, as in the moving averages. The legend then tells the same numbers as the table.
func (s *strip) weigh(d *shown) {
	s.weights = s.weights[:0]
	n := min(len(d.frames), historyFrames)
	seconds, left := averageSeconds(d), 1.0
	for age := 0; age < n && left > 0.005; age++ {
		f := &d.frames[len(d.frames)-1-age]
		w := 0.0
		switch {
		case d.info.Lens.Kind != process.LensOff:
			if d.chosen(f, age) {
				w = 1
			}
		case seconds > 0:
			keep := math.Pow(0.1, float64(f.Length)/1000/seconds)
			w, left = (1-keep)*left, left*keep
		case age == d.info.Age:
			w, left = 1, 0
		}
		s.weights = append(s.weights, float32(w))
	}
}

// averageSeconds is in how long the average shown follows by 90 %; 0 where it is one frame that is shown.
func averageSeconds(d *shown) float64 {
	if d.info.Age != 0 || d.info.Kept {
		return 0
	}
	return [...]float64{process.Short: 0.8, process.Long: 2.5, process.Instant: 0}[min(d.view.Average, process.Instant)]
}

// chosen reports whether a frame is one of those that the lens is of.
func (d *shown) chosen(f *process.FrameSummary, age int) bool {
	switch l := &d.info.Lens; l.Kind {
	case process.LensAll:
		return true
	case process.LensOver, process.LensWithin:
		return f.Over == (l.Kind == process.LensOver)
	case process.LensRange:
		return f.Index >= min(l.From, l.To) && f.Index <= max(l.From, l.To)
	}
	return age == d.info.Age
}

// mean is a layer's time as the table shows it; not a number where the history does not reach.
func (s *strip) mean(values []float32) float64 {
	sum, weight := 0.0, 0.0
	for age, w := range s.weights {
		i := len(values) - 1 - age
		if i < 0 {
			break
		}
		if w > 0 && finite(values[i]) {
			sum, weight = sum+float64(w)*float64(values[i]), weight+float64(w)
		}
	}
	if weight == 0 {
		return math.NaN()
	}
	return sum / weight
}

// meanRest is what no layer has, as the table would show it.
func (s *strip) meanRest(d *shown) (rest float64) {
	weight := 0.0
	for age, w := range s.weights {
		if v := float64(s.restAt(d, age)); w > 0 && !math.IsNaN(v) {
			rest, weight = rest+float64(w)*v, weight+float64(w)
		}
	}
	return rest / math.Max(weight, 1e-9)
}
