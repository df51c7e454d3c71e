// Package prometheus gives a program's frames and zones to a registry of Prometheus's client library.
//
//	package main
//
//	func main() {
//		collector, stop := prometheus.NewCollector(iprof.Default())
//		defer stop()
//		registry.MustRegister(collector) // beside the program's other metrics
//		…
//	}
//
// It is a module of its own, so that nobody else gets the library. The metrics are those of export.Metrics, which needs
// no library; the lengths of frames are a native histogram besides.
package prometheus

import (
	"bytes"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// lengths is the metric of the frames' lengths, a histogram.
const lengths = "iprof_frame_seconds"

// bucketFactor is the largest ratio of two bounds of the native histogram.
const bucketFactor = 1.1

// mostBuckets bounds the native histogram. Beyond it the buckets grow wider.
const mostBuckets = 160

// Collector collects the metrics of a session. It has at most 101 series of zones, whatever the program does. Any
// goroutine may call its methods.
type Collector struct {
	sums   export.Metrics
	frames client.Histogram
}

// NewCollector returns a collector that counts the session's frames from now on, until stop. Register it.
func NewCollector(s *process.Session) (c *Collector, stop func()) {
	c = &Collector{frames: client.NewHistogram(client.HistogramOpts{
		Name: lengths, Help: "Length of frames.",
		NativeHistogramBucketFactor: bucketFactor, NativeHistogramMaxBucketNumber: mostBuckets,
	})}
	return c, s.AddSink(c)
}

// WriteFrame counts a frame without a budget. Sessions call WriteJudged. It returns no error.
func (c *Collector) WriteFrame(f *gather.Frame) error { return c.WriteJudged(f, 0, 0) }

// WriteJudged counts a frame, its busy time and its budget. It returns no error.
func (c *Collector) WriteJudged(f *gather.Frame, busy, budget time.Duration) error {
	if length := float64(f.End-f.Begin) / f.TicksPerSecond; length >= 0 {
		c.frames.Observe(length)
	}
	return c.sums.WriteJudged(f, busy, budget)
}

// Describe sends the descriptions of all metrics that there are so far.
func (c *Collector) Describe(to chan<- *client.Desc) { client.DescribeByCollect(c, to) }

// Collect sends all metrics.
func (c *Collector) Collect(to chan<- client.Metric) {
	c.frames.Collect(to)
	var text bytes.Buffer
	_ = c.sums.WriteText(&text) // writing to memory does not fail
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		to <- client.NewInvalidMetric(client.NewInvalidDesc(err), err)
		return
	}
	for name, f := range families {
		if name == lengths {
			continue
		}
		for _, m := range f.Metric {
			to <- constant(name, f, m)
		}
	}
}

// constant returns a sample as a metric.
func constant(name string, f *dto.MetricFamily, m *dto.Metric) client.Metric {
	var names, values []string
	for _, l := range m.Label {
		names, values = append(names, l.GetName()), append(values, l.GetValue())
	}
	kind, value := client.CounterValue, m.GetCounter().GetValue()
	if f.GetType() == dto.MetricType_GAUGE {
		kind, value = client.GaugeValue, m.GetGauge().GetValue()
	}
	return client.MustNewConstMetric(client.NewDesc(name, f.GetHelp(), names, nil), kind, value, values...)
}
