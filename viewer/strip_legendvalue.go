package viewer

import (
	"math"

	"example.com/iprof/process"
)

// weigh computes the weight of each frame in the table's values, by age. One frame alone has all the weight; the frames
// of a lens have equal weights; a moving average has exponential weights. So the legend has the same values as the
// table.
func (s *strip) weigh(d *shown) {
	s.weights = s.weights[:0]
	n := min(len(d.Frames), historyFrames)
	seconds, left := averageSeconds(d), 1.0
	if d.info.Age >= n {
		return // the layers know their times in the frame shown
	}
	for age := 0; age < n && left > 0.005; age++ {
		f := &d.Frames[len(d.Frames)-1-age]
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

// averageSeconds returns the time in which the average follows a change by 90 %. It is 0 if the report is of one frame.
func averageSeconds(d *shown) float64 {
	if d.info.Age != 0 || d.info.Kept {
		return 0
	}
	seconds := [...]float64{process.AverageShort: 0.8, process.AverageLong: 2.5, process.AverageInstant: 0}
	return seconds[min(d.view.Average, process.AverageInstant)]
}

// chosen reports whether a frame is one of the lens's frames.
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

// mean returns a layer's time with the weights of weigh, ms. It is NaN if none of the frames has a value.
func (s *strip) mean(l *layer) float64 {
	if len(s.weights) == 0 {
		return float64(l.shown)
	}
	sum, weight := 0.0, 0.0
	for age, w := range s.weights {
		i := len(l.values) - 1 - age
		if i < 0 {
			break
		}
		if w > 0 && finite(l.values[i]) {
			sum, weight = sum+float64(w)*float64(l.values[i]), weight+float64(w)
		}
	}
	if weight == 0 {
		return math.NaN()
	}
	return sum / weight
}

// meanRest returns the time of the zones without a layer, with the weights of weigh, ms.
func (s *strip) meanRest(d *shown) (rest float64) {
	if len(s.weights) == 0 {
		rest = d.info.Busy
		for i := range s.layers {
			rest -= max(float64(s.layers[i].shown), 0)
		}
		return max(rest, 0)
	}
	weight := 0.0
	for age, w := range s.weights {
		i := len(d.Frames) - 1 - age
		if w <= 0 || i < 0 {
			continue
		}
		left := d.Frames[i].Busy
		if at := len(d.LaneBusy) - 1 - age; d.view.Lane != 0 && at >= 0 {
			left = d.LaneBusy[at]
		}
		for n := range s.layers {
			v := s.layers[n].values
			left -= valueAt(v, len(v)-1-age)
		}
		if finite(left) {
			rest, weight = rest+float64(w*max(left, 0)), weight+float64(w)
		}
	}
	return rest / math.Max(weight, 1e-9)
}
