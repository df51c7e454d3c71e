package prometheus_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	client "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"example.com/iprof/export"
	"example.com/iprof/export/prometheus"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

// gathered are the values of all samples that a registry has of a session after some frames, by name and labels.
func gathered(t *testing.T, families []*dto.MetricFamily) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for _, f := range families {
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

// TestCollector has the same values as the text of export.Metrics, and a native histogram of the frames.
func TestCollector(t *testing.T) {
	s := process.NewSession()
	collector, stop := prometheus.NewCollector(s)
	sums := new(export.Metrics)
	defer s.AddSink(sums)()
	program := replay.New(1, s)
	registry := client.NewPedanticRegistry()
	for step := range 3 {
		for range 50 {
			if err := program.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if step == 0 {
			registry.MustRegister(collector)
		}
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		compare(t, families, sums)
	}
	stop()
	if err := program.Step(); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if got := gathered(t, families)["iprof_frame_seconds map[]"]; err != nil || got != 150 {
		t.Errorf("after stop: got %v frames, %v; want 150", got, err)
	}
}

func compare(t *testing.T, families []*dto.MetricFamily, sums *export.Metrics) {
	t.Helper()
	var text bytes.Buffer
	if err := sums.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	parsed, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		t.Fatal(err)
	}
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

func ExampleNewCollector() {
	s := process.NewSession() // or iprof.Default()
	collector, stop := prometheus.NewCollector(s)
	defer stop()
	registry := client.NewRegistry()
	registry.MustRegister(collector)
	_ = replay.New(1, s).Step() // a frame of the program

	families, _ := registry.Gather()
	for _, f := range families {
		if f.GetName() == "iprof_frame_seconds" {
			fmt.Println(f.Metric[0].GetHistogram().GetSampleCount(), "frame")
		}
	}
	// Output: 1 frame
}
