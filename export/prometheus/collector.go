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
// It is a module of its own, so that other programs do not get the library. The metrics are those of export.Metrics,
// which needs no library. The lengths of frames are a native histogram, too.
package prometheus

import (
	"strconv"

	client "github.com/prometheus/client_golang/prometheus"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// The metrics of the frames' lengths and of their judged times are histograms.
const (
	lengths = "iprof_frame_seconds"
	worked  = "iprof_busy_seconds"
)

// bucketFactor is the largest ratio of two bounds of the native histogram.
const bucketFactor = 1.1

// mostBuckets bounds the native histogram. Beyond it the buckets grow wider.
const mostBuckets = 160

// Collector collects the metrics of a session. It has at most 101 zones with two series each, and at most 101
// histograms of zones that count their calls, whatever the program does. Any goroutine may call its methods.
type Collector struct {
	sums   export.Metrics
	frames client.Histogram
	busy   client.Histogram
}

// NewCollector returns a collector that counts the session's frames from now on, until stop. Register it.
func NewCollector(s *process.Session) (c *Collector, stop func()) {
	c = &Collector{frames: native(lengths, "Length of frames."),
		busy: native(worked, "Busy and blocked time of frames, which the budget judges.")}
	return c, s.AddSink(c)
}

func native(name, help string) client.Histogram {
	return client.NewHistogram(client.HistogramOpts{Name: name, Help: help,
		NativeHistogramBucketFactor: bucketFactor, NativeHistogramMaxBucketNumber: mostBuckets})
}

// WriteFrame counts a frame without a budget. Sessions call WriteJudged. It returns no error.
func (c *Collector) WriteFrame(f *gather.Frame) error { return c.WriteJudged(f, &process.Judged{}) }

// WriteJudged counts a frame. It returns no error.
func (c *Collector) WriteJudged(f *gather.Frame, j *process.Judged) error {
	if length := float64(f.End-f.Begin) / f.TicksPerSecond; length >= 0 {
		c.frames.Observe(length)
		c.busy.Observe(j.Time.Seconds())
	}
	return c.sums.WriteJudged(f, j)
}

// Describe sends the descriptions of all metrics so far.
func (c *Collector) Describe(to chan<- *client.Desc) { client.DescribeByCollect(c, to) }

// Collect sends all metrics.
func (c *Collector) Collect(to chan<- client.Metric) {
	c.frames.Collect(to)
	c.busy.Collect(to)
	for _, f := range c.sums.Families() {
		if f.Name == lengths || f.Name == worked {
			continue
		}
		if f.Kind == "histogram" {
			sendHistograms(to, &f)
			continue
		}
		for _, x := range f.Samples {
			to <- constant(&f, &x)
		}
	}
}

// sendHistograms sends the histograms of a family. The sum is the last sample of each.
func sendHistograms(to chan<- client.Metric, f *export.Family) {
	buckets, count := map[float64]uint64{}, uint64(0)
	for i := range f.Samples {
		x := &f.Samples[i]
		switch last := len(x.Labels) - 1; {
		case x.Suffix == "_bucket" && x.Labels[last] != "+Inf":
			le, _ := strconv.ParseFloat(x.Labels[last], 64)
			buckets[le] = uint64(x.Value)
		case x.Suffix == "_count":
			count = uint64(x.Value)
		case x.Suffix == "_sum":
			names, values := labelsOf(x)
			to <- client.MustNewConstHistogram(client.NewDesc(f.Name, f.Help, names, nil), count, x.Value, buckets,
				values...)
			buckets = map[float64]uint64{}
		}
	}
}

func labelsOf(x *export.Sample) (names, values []string) {
	for i := 0; i < len(x.Labels); i += 2 {
		names, values = append(names, x.Labels[i]), append(values, x.Labels[i+1])
	}
	return names, values
}

// constant returns a sample as a metric.
func constant(f *export.Family, x *export.Sample) client.Metric {
	names, values := labelsOf(x)
	name, kind := f.Name+"_total", client.CounterValue
	if f.Kind == "gauge" {
		name, kind = f.Name, client.GaugeValue
	}
	return client.MustNewConstMetric(client.NewDesc(name, f.Help, names, nil), kind, x.Value, values...)
}
