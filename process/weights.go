package process

import (
	"math"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// leastWeight is the greatest sum of weights of old frames that Weights leaves out.
const leastWeight = 0.005

// Weights appends the weights that p.Frames, at most most of them, have in the values of p.Report. A single frame has
// all the weight; the frames of a lens have equal weights; those of a moving average have exponential weights.
func (p *Snapshot) Weights(dst report.Weights, most int) report.Weights {
	i := &p.Report.Frame
	n, seconds, left := min(len(p.Frames), most), p.averageSeconds(), 1.0
	if i.Age >= n {
		return dst
	}
	for age := 0; age < n && left > leastWeight; age++ {
		f := &p.Frames[len(p.Frames)-1-age]
		w := 0.0
		switch {
		case i.Lens.Kind != report.LensOff:
			if i.Lens.Chooses(f, age == i.Age) {
				w = 1
			}
		case seconds > 0:
			keep := history.Remains(float64(f.Length)/1000, seconds)
			w, left = (1-keep)*left, left*keep
		case age == i.Age:
			w, left = 1, 0
		}
		dst = append(dst, float32(w))
	}
	return dst
}

// averageSeconds returns the time in which the report's average follows a change by 90 %. It is 0 if the report is of
// one frame.
func (p *Snapshot) averageSeconds() float64 {
	if p.Report.Frame.Age != 0 || p.Report.Frame.Kept || p.Report.View.Average >= history.Averages {
		return 0
	}
	return history.Settling[p.Report.View.Average]
}

// MeanRest returns the mean, in ms, of the frames' busy time less the time of some zones. zones has the values of each
// zone by frame, the newest last. The difference is at least 0 for each frame.
func (p *Snapshot) MeanRest(w report.Weights, zones [][]float32) float64 {
	rest, weight := 0.0, 0.0
	var left [64]float32 // of some frames at once: the values of a zone lie side by side
	n := min(len(w), len(p.Frames))
	for from := 0; from < n; from += len(left) {
		some := left[:min(n-from, len(left))]
		p.leaveOut(some, from, zones)
		for i, ms := range some {
			if share := w[from+i]; share > 0 && ms-ms == 0 {
				rest, weight = rest+float64(share*max(ms, 0)), weight+float64(share)
			}
		}
	}
	return rest / math.Max(weight, 1e-9)
}

// leaveOut sets left to the busy times of the frames from an age on, without the time of some zones.
func (p *Snapshot) leaveOut(left []float32, age int, zones [][]float32) {
	for i := range left {
		left[i] = p.Frames[len(p.Frames)-1-age-i].Busy
		if at := len(p.LaneBusy) - 1 - age - i; p.Report.View.Lane != 0 && at >= 0 {
			left[i] = p.LaneBusy[at]
		}
	}
	for _, values := range zones {
		newest := len(values) - 1 - age
		for i := range left[:max(min(len(left), newest+1), 0)] {
			if v := values[newest-i]; v > 0 && v <= math.MaxFloat32 { // not NaN
				left[i] -= v
			}
		}
	}
}
