package otel_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"example.com/iprof/export"
	"example.com/iprof/export/otel"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// collected are the values that a reader of the SDK has, by name, unit and attributes. Of a histogram these are the
// count, the sum and the cumulative buckets.
func collected(t *testing.T, r *sdk.ManualReader) map[string]float64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	must.Do(t, r.Collect(context.Background(), &all))
	values := map[string]float64{}
	put := func(name, unit string, points []metricdata.DataPoint[float64]) {
		for _, p := range points {
			values[name+"/"+unit+labels(p.Attributes)] = p.Value
		}
	}
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Sum[float64]:
				put(m.Name, m.Unit, d.DataPoints)
				if !d.IsMonotonic || d.Temporality != metricdata.CumulativeTemporality {
					t.Errorf("%s is not a counter", m.Name)
				}
			case metricdata.Gauge[float64]:
				put(m.Name, m.Unit, d.DataPoints)
			case metricdata.Histogram[float64]:
				p, sum := d.DataPoints[0], uint64(0)
				values[m.Name+"/"+m.Unit+"_sum"], values[m.Name+"/"+m.Unit+"_count"] = p.Sum, float64(p.Count)
				for i, b := range p.Bounds {
					sum += p.BucketCounts[i]
					values[fmt.Sprint(m.Name, "/", m.Unit, "_bucket le=", b)] = float64(sum)
				}
			}
		}
	}
	return values
}

func labels(set attribute.Set) (s string) {
	for _, a := range set.ToSlice() {
		s += " " + string(a.Key) + "=" + a.Value.AsString()
	}
	return s
}

// expected are the same values of export.Metrics.
func expected(m *export.Metrics) map[string]float64 {
	values := map[string]float64{}
	for _, f := range m.Families() {
		name := strings.ReplaceAll(f.Name, "_", ".") + "/"
		if f.Unit != "" {
			name = strings.TrimSuffix(name, ".seconds/") + "/s"
		}
		for _, x := range f.Samples {
			var set []attribute.KeyValue
			for k := 0; k < len(x.Labels); k += 2 {
				set = append(set, attribute.String(x.Labels[k], x.Labels[k+1]))
			}
			if at := labels(attribute.NewSet(set...)); at != " le=+Inf" {
				values[name+x.Suffix+at] = x.Value
			}
		}
	}
	return values
}

// The SDK's reader has the values of export.Metrics, all of them, until stop.
func TestTheReaderHasTheValuesUntilStop(t *testing.T) {
	s, sums, reader := process.NewSession(), new(export.Metrics), sdk.NewManualReader()
	meter := sdk.NewMeterProvider(sdk.WithReader(reader)).Meter("test")
	stop := must.Get(otel.Register(meter, s))(t)
	defer s.AddSink(sums)()
	program := world.NewGame(1, s)
	for range 3 {
		for range 50 {
			must.Do(t, program.Step())
		}
		got, want := collected(t, reader), expected(sums)
		if len(want) < 50 || len(got) != len(want) {
			t.Errorf("got %d values; want %d", len(got), len(want))
		}
		for name, value := range want {
			if have, ok := got[name]; !ok || math.Abs(have-value) > 1e-8*value {
				t.Errorf("%s: got %v, %t; want %v", name, have, ok, value)
			}
		}
	}
	must.Do(t, stop())
	must.Do(t, program.Step())
	if got := collected(t, reader)["iprof.frame/s_count"]; got != 150 {
		t.Errorf("after stop: got %v frames; want 150", got)
	}
	if err := stop(); err != nil {
		t.Errorf("a second stop: %v", err)
	}
}

// The values that a frame made by hand must give.
func TestKnownFrame(t *testing.T) {
	s, reader := process.NewSession(), sdk.NewManualReader()
	s.SetFrameBudget(3 * time.Millisecond)
	stop := must.Get(otel.Register(sdk.NewMeterProvider(sdk.WithReader(reader)).Meter("test"), s))(t)
	defer stop()
	s.SetSources(func(c *process.Sources) { c.Hot = &report.HotZones{Waited: map[report.ZoneID]float64{1: 0.25}} })
	must.Do(t, s.WriteFrame(frame(7e6)))
	got := collected(t, reader)
	for name, want := range map[string]float64{
		"iprof.frame/s_count": 1, "iprof.frame/s_sum": 0.007, "iprof.frame.budget/s": 0.003,
		"iprof.zone.self/s function=main.step idle=false waited=false zone=a\\xff\"\\x0a": 0.0045,
		"iprof.zone.self/s function=main.step idle=false waited=true zone=a\\xff\"\\x0a":  0.0015,
		"iprof.frames.over.budget/": 1, "iprof.zone.calls/ function=main.step idle=false zone=a\\xff\"\\x0a": 3,
	} {
		if math.Abs(got[name]-want) > 1e-9 {
			t.Errorf("%s: got %v; want %v", name, got[name], want)
		}
	}
}

// frame is a frame of one zone with a hostile name.
func frame(length platform.Ticks) *gather.Frame {
	return &gather.Frame{
		End: length, TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a\xff\"\n", Function: "main.step"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, End: length,
			Nodes: []gather.Node{{Parent: -1, Self: 1e6}, {ID: 1, Zone: 1, Self: length - 1e6, Count: 3}}}},
	}
}

// refusing is a meter that registers no callback.
type refusing struct{ noop.Meter }

func (refusing) RegisterCallback(metric.Callback, ...metric.Observable) (metric.Registration, error) {
	return nil, context.Canceled
}

func TestRegisterReturnsTheMetersError(t *testing.T) {
	if stop, err := otel.Register(refusing{}, process.NewSession()); err != context.Canceled || stop() != nil {
		t.Errorf("got %v; want the meter's error", err)
	}
}

func ExampleRegister() {
	reader := sdk.NewManualReader() // or sdk.NewPeriodicReader with an exporter
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	s := process.NewSession() // or iprof.Default()
	stop, err := otel.Register(provider.Meter("example.com/iprof"), s)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = world.NewGame(1, s).Step() // a frame of the program

	var all metricdata.ResourceMetrics
	_ = reader.Collect(context.Background(), &all)
	for _, m := range all.ScopeMetrics[0].Metrics {
		if lengths, ok := m.Data.(metricdata.Histogram[float64]); ok {
			fmt.Println(m.Name, lengths.DataPoints[0].Count, "frame")
		}
	}
	fmt.Println(stop())
	// Output:
	// iprof.frame 1 frame
	// iprof.busy 1 frame
	// <nil>
}
