package calls_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"example.com/iprof/export/otel/calls"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// histograms returns the histograms of iprof.call that a reader collects.
func histograms(t testing.TB, r *sdk.ManualReader) (list []metricdata.HistogramDataPoint[float64]) {
	t.Helper()
	var all metricdata.ResourceMetrics
	must.Do(t, r.Collect(context.Background(), &all))
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			if h, ok := m.Data.(metricdata.Histogram[float64]); ok && m.Name == "iprof.call" && m.Unit == "s" {
				list = append(list, h.DataPoints...)
			}
		}
	}
	return list
}

// The SDK's reader has each call of a zone, in the bucket of its duration, until Close.
func TestCallsAreHistograms(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	s := process.Default()
	p := calls.New(s)
	reader := sdk.NewManualReader(sdk.WithProducer(p))
	sdk.NewMeterProvider(sdk.WithReader(reader))
	if got := histograms(t, reader); len(got) != 0 {
		t.Errorf("before any call: got %v; want none", got)
	}
	route := gather.Zone{Name: "GET /items/{id}"}
	route.SetPerCall(true)
	request := func(takes time.Duration) {
		defer route.Begin().End()
		time.Sleep(takes)
	}
	s.Update()
	for range 9 {
		request(time.Millisecond)
	}
	request(50 * time.Millisecond)
	s.Update()
	got := histograms(t, reader)
	if len(got) != 1 {
		t.Fatalf("got %v; want one histogram", got)
	}
	h := got[0]
	zone, _ := h.Attributes.Value("zone")
	long, sum := uint64(0), uint64(0)
	for i, n := range h.BucketCounts {
		if sum += n; i > 0 && h.Bounds[i-1] >= 0.03 {
			long += n
		}
	}
	if zone.AsString() != route.Name || h.Count != 10 || sum != 10 || len(h.BucketCounts) != len(h.Bounds)+1 {
		t.Errorf("got %+v; want 10 calls of %s", h, route.Name)
	}
	if long < 1 || h.Sum < 0.059 || !h.Time.After(h.StartTime) {
		t.Errorf("got %d calls above 30 ms, %v s, from %v to %v", long, h.Sum, h.StartTime, h.Time)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := histograms(t, reader); len(got) > 0 {
		t.Errorf("after Close: got %v; want none", got)
	}
}

func ExampleNew() {
	durations := calls.New(process.NewSession()) // or iprof.Default()
	defer durations.Close()
	reader := sdk.NewManualReader(sdk.WithProducer(durations)) // or sdk.NewPeriodicReader with an exporter
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	fmt.Println(provider.Shutdown(context.Background()))
	// Output: <nil>
}
