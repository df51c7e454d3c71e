package calls_test

import (
	"context"
	"math"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"example.com/iprof/export/otel/calls"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// Each time is in the bucket that OTLP defines: bucket i has those above 2^(i/8) and up to 2^((i+1)/8).
func TestExponentialHistogramsOfZones(t *testing.T) {
	s := process.NewSession()
	p := calls.New(s)
	defer p.Close()
	reader := sdk.NewManualReader(sdk.WithProducer(p))
	sdk.NewMeterProvider(sdk.WithReader(reader))
	now, want, sum := platform.Ticks(1), map[int]uint64{}, 0.0
	for i, self := range []platform.Ticks{5e6, 1e6, 3e6, 3_100_000, 2e9, 1, 0} {
		lane := gather.LaneFrame{ID: 1, Updater: true, Begin: now, End: now + self,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Self: self, Count: 1}}}
		f := &gather.Frame{Index: uint64(i), Begin: now, End: now + self, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{}, {Name: "physics"}}, Lanes: []gather.LaneFrame{lane}}
		must.Do(t, s.WriteFrame(f))
		if now = f.End; i > 0 && self > 0 { // before the first look all zones are one
			seconds := float64(self) / 1e9
			want[int(math.Ceil(8*math.Log2(seconds)))-1]++
			sum += seconds
		}
		points(t, reader)
	}
	h, found := points(t, reader)["physics"]
	if !found || h.Scale != 3 || h.Count != 6 || h.ZeroCount != 1 || math.Abs(h.Sum-sum) > 1e-9 {
		t.Fatalf("got %+v, %t; want 6 frames, one of them without time", h, found)
	}
	for i, n := range h.PositiveBucket.Counts {
		if at := int(h.PositiveBucket.Offset) + i; n != want[at] {
			t.Errorf("bucket %d: got %d; want %d", at, n, want[at])
		}
		delete(want, int(h.PositiveBucket.Offset)+i)
	}
	if len(want) > 0 {
		t.Errorf("there are no buckets of %v", want)
	}
}

// points returns the histograms of zones that a reader collects.
func points(t *testing.T, r *sdk.ManualReader) map[string]metricdata.ExponentialHistogramDataPoint[float64] {
	t.Helper()
	list := map[string]metricdata.ExponentialHistogramDataPoint[float64]{}
	var all metricdata.ResourceMetrics
	must.Do(t, r.Collect(context.Background(), &all))
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			if h, ok := m.Data.(metricdata.ExponentialHistogram[float64]); ok && m.Name == "iprof.zone.frame" {
				for _, d := range h.DataPoints {
					zone, _ := d.Attributes.Value("zone")
					list[zone.AsString()] = d
				}
			}
		}
	}
	return list
}
