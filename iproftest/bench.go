package iproftest

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Benchmark runs fn in a loop as b.Loop does, with a frame for each call. It reports the mean time of each of the zones
// in a frame, as a metric such as physics-ns/op, which benchstat reads. In names, characters other than letters,
// digits, dots and dashes become "_". Disturbed frames are left out, and their number is logged: see
// [Result.Disturbed]. A zone that was never entered reports 0. A benchmark in a program built with the tag iprof_off is
// skipped.
func Benchmark(b *testing.B, fn func(), zones ...string) {
	b.Helper()
	if !gather.Enabled {
		b.Skip("zones measure nothing in a program built with the tag iprof_off")
	}
	fn()
	m := &means{names: zones, took: make([]time.Duration, len(zones)), others: make([]time.Duration, len(zones))}
	runFrames(process.NewSession(), m, b.Loop, fn)
	if words := report.DisturbedWords(m.disturbed, m.disturbed+int(m.frames)); words != "" {
		b.Logf("iproftest: %s", words)
	}
	m.settle()
	for i, zone := range zones {
		b.ReportMetric(float64(m.took[i])/max(m.frames, 1), metric(zone)+"-ns/op")
	}
}

// means adds up the times of some zones.
type means struct {
	names  []string
	took   []time.Duration // in undisturbed frames
	others []time.Duration // in disturbed frames
	frames float64         // undisturbed

	disturbed int
	ids       []int // by ZoneID: index of the zone's name, -1 for other zones
	sums      sums
}

// WriteFrame adds a frame.
func (m *means) WriteFrame(f *gather.Frame) error {
	for len(m.ids) < len(f.Zones) {
		m.ids = append(m.ids, slices.Index(m.names, f.Zones[len(m.ids)].Name))
	}
	took := m.took
	if m.frames++; f.Disturbed() {
		m.frames, m.disturbed, took = m.frames-1, m.disturbed+1, m.others
	}
	m.sums.each(f, func(n *gather.Node, spent time.Duration) {
		if at := m.ids[n.Zone]; at >= 0 {
			took[at] += spent
		}
	})
	return nil
}

// settle takes the disturbed frames if there are no others.
func (m *means) settle() {
	if m.frames == 0 {
		m.took, m.frames = m.others, float64(m.disturbed)
	}
}

// metric returns the part of a unit that names a zone.
func metric(zone string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, zone)
}
