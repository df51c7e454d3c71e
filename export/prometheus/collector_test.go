package prometheus_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"example.com/iprof/export"
	"example.com/iprof/export/prometheus"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// gathered are the values of all samples that a registry has of a session after some frames, by name and labels.
func gathered(t *testing.T, families []*dto.MetricFamily) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "iprof_zone_frame") || strings.HasPrefix(f.GetName(), "iprof_zones_") {
			continue // the text has none: see TestNativeHistogramsOfZones
		}
		for _, m := range f.Metric {
			value := m.GetCounter().GetValue() + m.GetGauge().GetValue()
			if h := m.GetHistogram(); h != nil {
				value = float64(h.GetSampleCount())
			}
			labels := map[string]string{}
			for _, l := range m.Label {
				labels[l.GetName()] = l.GetValue()
			}
			values[fmt.Sprint(f.GetName(), " ", labels)] = value
		}
	}
	return values
}

// The collector has the same values as the text of export.Metrics, and a native histogram of the frames.
func TestTheCollectorHasTheValuesOfTheText(t *testing.T) {
	s := process.NewSession()
	collector, stop := prometheus.NewCollector(s)
	sums := new(export.Metrics)
	defer s.AddSink(sums)()
	program := world.NewGame(1, s)
	registry := client.NewPedanticRegistry()
	for step := range 3 {
		for range 50 {
			must.Do(t, program.Step())
		}
		if step == 0 {
			registry.MustRegister(collector)
		}
		families := must.Get(registry.Gather())(t)
		compare(t, families, sums)
	}
	stop()
	must.Do(t, program.Step())
	families, err := registry.Gather()
	if got := gathered(t, families)["iprof_frame_seconds map[]"]; err != nil || got != 150 {
		t.Errorf("after stop: got %v frames, %v; want 150", got, err)
	}
}

func compare(t *testing.T, families []*dto.MetricFamily, sums *export.Metrics) {
	t.Helper()
	var text bytes.Buffer
	must.Do(t, sums.WriteText(&text))
	parser := expfmt.NewTextParser(model.UTF8Validation)
	parsed := must.Get(parser.TextToMetricFamilies(&text))(t)
	var list []*dto.MetricFamily
	for _, f := range parsed {
		list = append(list, f)
	}
	got, want := gathered(t, families), gathered(t, list)
	if len(want) < 20 || len(got) != len(want) {
		t.Errorf("got %d series; want %d", len(got), len(want))
	}
	for name, value := range want {
		if have, ok := got[name]; !ok || math.Abs(have-value) > 1e-9*value {
			t.Errorf("%s: got %v, %t; want %v", name, have, ok, value)
		}
	}
	for _, f := range families {
		if h := f.Metric[0].GetHistogram(); h != nil && (h.Schema == nil || len(h.PositiveSpan) == 0) {
			t.Errorf("%s: got %v; want a native histogram", f.GetName(), h)
		}
	}
}

// TestCollectorOfKnownFrames has the values that two frames made by hand must give.
func TestCollectorOfKnownFrames(t *testing.T) {
	s := process.NewSession()
	s.SetFrameBudget(5 * time.Millisecond)
	collector, stop := prometheus.NewCollector(s)
	defer stop()
	s.SetSources(func(c *process.Sources) { c.Hot = &report.HotZones{Waited: map[report.ZoneID]float64{1: 0.25}} })
	for i := range platform.Ticks(2) {
		length := 4e6 * (i + 1) // nanoseconds; the second frame is over budget
		err := s.WriteFrame(&gather.Frame{
			Index: uint64(i), Begin: 4e6 * i, End: 4e6*i + length, TicksPerSecond: 1e9,
			Dropped: gather.Dropped{Names: 9},
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "say \"hi\"\n\xff", Function: "main.step"},
				{Name: "say \"hi\"\n\xfe", Function: "main.step"}}, // not UTF-8: two labels
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 4e6 * i, End: 4e6*i + length,
				Nodes: []gather.Node{{Parent: -1, Self: 1e6}, {ID: 1, Zone: 1, Self: length - 2e6, Count: 2},
					{ID: 2, Zone: 2, Self: 1e6, Count: 1}}}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	registry := client.NewPedanticRegistry()
	registry.MustRegister(collector)
	families := must.Get(registry.Gather())(t)
	zone := " map[function:main.step idle:false zone:say \"hi\"\\x0a\\xff]" // safe to print
	got := gathered(t, families)
	for name, want := range map[string]float64{
		"iprof_zone_self_seconds_total" + strings.Replace(zone, " zone", " waited:false zone", 1): 0.006,
		"iprof_zone_self_seconds_total" + strings.Replace(zone, " zone", " waited:true zone", 1):  0.002,
		"iprof_zone_calls_total map[function:main.step idle:false zone:say \"hi\"\\x0a\\xfe]":     2,
		"iprof_zone_calls_total" + zone:        4,
		"iprof_frame_busy_seconds_total map[]": 0.012,
		"iprof_frame_seconds map[]":            2,
		"iprof_frames_over_budget_total map[]": 1,
		"iprof_frame_budget_seconds map[]":     0.005,
		"iprof_dropped_total map[kind:names]":  9,
	} {
		if math.Abs(got[name]-want) > 1e-9 {
			t.Errorf("%s: got %v; want %v", name, got[name], want)
		}
	}
}

func ExampleNewCollector() {
	s := process.NewSession() // or iprof.Default()
	collector, stop := prometheus.NewCollector(s)
	defer stop()
	registry := client.NewRegistry()
	registry.MustRegister(collector)
	_ = world.NewGame(1, s).Step() // a frame of the program

	families, _ := registry.Gather()
	for _, f := range families {
		if f.GetName() == "iprof_frame_seconds" {
			fmt.Println(f.Metric[0].GetHistogram().GetSampleCount(), "frame")
		}
	}
	// Output: 1 frame
}
