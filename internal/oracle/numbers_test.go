//go:build !iprof_off

package oracle_test

import (
	"math"
	"slices"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// numbers asks for the counts and levels of the frames.
func (p *program) numbers() {
	h, view := &p.history, p.replay.View()
	view.Set(report.View{Average: report.AverageInstant})
	view.Snapshot(&h.snapshot, process.SnapshotOptions{Values: true, Frames: 1000})
	for i := range h.snapshot.Values {
		switch v := &h.snapshot.Values[i]; v.Name {
		case "oracle":
			p.number(v, func(f *period) float64 { return f.counted }, h.sum())
		case "oracle's level":
			p.number(v, func(f *period) float64 { return f.level }, h.frames[len(h.frames)-1].level)
		}
	}
}

// sum returns what was counted in all frames.
func (h *history) sum() (sum float64) {
	for _, f := range h.frames {
		sum += f.counted
	}
	return sum
}

// number compares a number of the frames. Before its first use it is not known.
func (p *program) number(v *report.ValueSeries, of func(f *period) float64, total float64) {
	h := &p.history
	held, mean, most := h.frames[h.first:], 0.0, math.Inf(-1)
	known := 0
	used := slices.ContainsFunc(h.frames[:h.first], func(f *period) bool { return of(f) != 0 })
	for i, f := range held {
		got := math.NaN()
		if at := len(v.Values) - len(held) + i; at >= 0 {
			got = float64(v.Values[at])
		}
		if used = used || of(f) != 0; got != of(f) && (used || got == got) {
			p.t.Errorf("%s: frame %d: got %v; want %v", v.Name, f.index, got, of(f))
			return
		}
		if got == got {
			mean, most, known = mean+got, max(most, got), known+1
		}
	}
	if known > 0 && (math.Abs(v.Mean-mean/float64(known)) > 1e-6 || v.Max != most || v.Total != total) {
		p.t.Errorf("%s: got mean %v, max %v, total %v; want %v, %v, %v", v.Name, v.Mean, v.Max, v.Total,
			mean/float64(known), most, total)
	}
	age := p.rng.IntN(len(held))
	p.replay.View().AppendReportOf(&h.shown, report.View{Age: age, Average: report.AverageInstant})
	for _, shown := range h.shown.Values {
		if want := of(held[len(held)-1-age]); shown.Name == v.Name && shown.Value != want {
			p.t.Errorf("%s, age %d: got %v; want %v", v.Name, age, shown.Value, want)
		}
	}
}

// columns asks for the history in columns: each has some frames, and shows the longest.
func (p *program) columns() {
	h := &p.history
	held, covered := h.frames[h.first:], 0
	w := report.Window{Frames: 1 + p.rng.IntN(2*len(held)), Skip: p.rng.IntN(len(held)) * p.rng.IntN(2),
		Columns: 1 + p.rng.IntN(len(held))}
	p.replay.View().Set(report.View{Average: report.AverageInstant})
	p.replay.View().Snapshot(&h.snapshot, process.SnapshotOptions{Past: w})
	past := &h.snapshot.Past
	for i := range past.Columns {
		c := &past.Columns[i]
		best := c.Oldest
		for age := c.Oldest; age >= c.Newest; age-- {
			if held[len(held)-1-age].length > held[len(held)-1-best].length {
				best = age
			}
		}
		f := held[len(held)-1-best]
		if c.Age != best || c.Index != f.index || float64(c.Busy) != f.length || past.At((c.Oldest+c.Newest)/2) != i {
			p.t.Errorf("%+v, ages %d to %d: got frame %d of %v ms, age %d; want %d of %v, age %d", w, c.Oldest,
				c.Newest, c.Index, c.Busy, c.Age, f.index, f.length, best)
		}
		covered += c.Oldest - c.Newest + 1
	}
	if want := min(past.Frames, len(held)-past.Skip); covered != want || past.Kept != len(held) ||
		len(past.Columns) > past.Frames/max(past.Group, 1)+2 || past.At(-1) >= 0 || past.At(len(held)) >= 0 {
		p.t.Errorf("%+v: got %d frames of %d in %d columns of %d; want %d of %d", w, covered, past.Kept,
			len(past.Columns), past.Group, want, len(held))
	}
}
