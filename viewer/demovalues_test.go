package viewer_test

import (
	"math"

	"example.com/iprof/process/report"
)

// AppendValueSeries makes counts and levels: steady, rising, rare and new ones, hostile names, and more than there is
// room for.
func (d *demo) AppendValueSeries(dst []report.ValueSeries, frames int) []report.ValueSeries {
	if d.frames == 0 {
		return dst
	}
	wave := func(i int, period float64) float64 { return math.Sin(2 * math.Pi * float64(i) / period) }
	for _, v := range []struct {
		name string
		kind report.ValueKind
		at   func(i int) float64
	}{
		{"heap allocated", report.ValueHeap, func(i int) float64 { return 40000 }},
		{"entities", report.ValueLevel, func(i int) float64 { return math.Round(1200 + 300*wave(i, 200)) }},
		{"draw calls", report.ValueCount, func(i int) float64 { return float64(180 + i%13*4) }},
		{"chunks loaded", report.ValueCount, func(i int) float64 { return float64((i % 40) / 39 * 6) }},
		{"players \u202eonline", report.ValueLevel, func(i int) float64 { return math.NaN() }},
		{"load", report.ValueLevel, func(i int) float64 { return 0.5 + 0.4*wave(i, 70) }},
		{"cache misses of the second level, by estimation", report.ValueCount,
			func(i int) float64 { return float64(i) }},
		{"seventh", report.ValueCount, func(i int) float64 { return 7 }},
	} {
		s := report.ValueSeries{FrameValue: report.FrameValue{Name: v.name, Kind: v.kind}}
		for i := range demoFrames {
			x := v.at(i)
			if v.name[0] == 'p' && i > 150 {
				x = float64(i / 50)
			}
			s.Values = append(s.Values, float32(x))
		}
		s.Values = s.Values[demoFrames-min(frames, demoFrames):]
		dst = append(dst, s)
	}
	return dst
}
