package prometheus_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	client "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"example.com/iprof/export/prometheus"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// ofZones returns the histograms of zones by name, and the number of zones without one.
func ofZones(t *testing.T, registry *client.Registry) (list map[string]*dto.Histogram, left float64) {
	t.Helper()
	list = map[string]*dto.Histogram{}
	for _, f := range must.Get(registry.Gather())(t) {
		switch f.GetName() {
		case "iprof_zone_frame_seconds":
			for _, m := range f.Metric {
				for _, l := range m.Label {
					if l.GetName() == "zone" {
						list[l.GetValue()] = m.GetHistogram()
					}
				}
			}
		case "iprof_zones_without_histogram":
			left = f.Metric[0].GetGauge().GetValue()
		}
	}
	return list, left
}

// The client library's own native histograms, which observe the same times, have the same buckets. Of 40 zones the 30
// with the most time have one; the times of the rest are in one more.
func TestNativeHistogramsOfZones(t *testing.T) {
	const zones, most, frames = 40, 30, 500
	s := process.NewSession()
	collector, stop := prometheus.NewCollector(s)
	defer stop()
	registry := client.NewRegistry()
	registry.MustRegister(collector)
	r := rand.New(rand.NewPCG(1, 2))
	want := map[string]client.Histogram{}
	observe := func(name string, seconds float64) {
		if want[name] == nil {
			want[name] = client.NewHistogram(client.HistogramOpts{Name: "x", NativeHistogramBucketFactor: 1.1,
				NativeHistogramZeroThreshold: client.NativeHistogramZeroThresholdZero})
		}
		want[name].Observe(seconds)
	}
	now := platform.Ticks(1)
	for i := range frames {
		f, rest := &gather.Frame{Index: uint64(i), Begin: now, TicksPerSecond: 1e9}, 0.0
		l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, Begin: now}
		for z := range zones {
			name := string(rune('A' + z))
			f.Zones = append(f.Zones, gather.ZoneInfo{Name: name, Function: "f"})
			self := platform.Ticks(1+r.IntN(1000)) << r.IntN(12)
			if i == 0 {
				self = 1e6 * platform.Ticks(zones-z) // the first zones have the most time
			}
			l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(z), Zone: gather.ZoneID(z),
				Parent: min(0, int32(z)-1), Self: self, Count: 1})
			now += self
			if seconds := float64(self) / 1e9; i > 0 && z < most {
				observe(name, seconds)
			} else {
				rest += seconds
			}
		}
		observe("(other)", rest)
		f.End, l.End, f.Lanes = now, now, []gather.LaneFrame{l}
		must.Do(t, s.WriteFrame(f))
		if i == 0 {
			if _, left := ofZones(t, registry); left != zones-most {
				t.Fatalf("got %v zones without a histogram; want %d", left, zones-most)
			}
		}
	}
	got, _ := ofZones(t, registry)
	if len(got) != most+1 {
		t.Errorf("got %d histograms; want %d", len(got), most+1)
	}
	sameBuckets(t, got, want)
}

// sameBuckets compares histograms with those that the library made.
func sameBuckets(t *testing.T, got map[string]*dto.Histogram, want map[string]client.Histogram) {
	t.Helper()
	for name, h := range want {
		var m dto.Metric
		must.Do(t, h.Write(&m))
		g, w := got[name], m.Histogram
		if g.GetSampleCount() != w.GetSampleCount() || g.GetSchema() != w.GetSchema() ||
			!reflect.DeepEqual(spans(g), spans(w)) || !slices.Equal(g.PositiveDelta, w.PositiveDelta) {
			t.Errorf("%s: got %v; want %v", name, g, w)
		}
		if d := g.GetSampleSum() - w.GetSampleSum(); d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: got the sum %v; want %v", name, g.GetSampleSum(), w.GetSampleSum())
		}
	}
}

func spans(h *dto.Histogram) (list [][2]int) {
	for _, s := range h.PositiveSpan {
		list = append(list, [2]int{int(s.GetOffset()), int(s.GetLength())})
	}
	return list
}
