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
// which needs no library. The lengths of frames are a native histogram, too, and so are the self times in each frame of
// the 30 zones with the most.
package prometheus

import (
	"errors"
	"strconv"
	"time"

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

// mostZones is the number of zones with a native histogram.
const mostZones = 30

// Collector collects the metrics of a session. It has at most 101 zones with two series each, at most 101 histograms of
// zones that count their calls, and 31 native histograms of zones, whatever the program does. Any goroutine may call
// its methods.
type Collector struct {
	sums   export.Metrics
	frames client.Histogram
	busy   client.Histogram
	zones  *export.ZoneTimes
}

// NewCollector returns a collector that counts the session's frames from now on, until stop. Register it.
func NewCollector(s *process.Session) (c *Collector, stop func()) {
	c = &Collector{frames: native(lengths, "Length of frames."),
		busy:  native(worked, "Busy and blocked time of frames, which the budget judges."),
		zones: export.NewZoneTimes(mostZones)}
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
	return errors.Join(c.sums.WriteJudged(f, j), c.zones.WriteFrame(f))
}

// Describe sends the descriptions of all metrics so far.
func (c *Collector) Describe(to chan<- *client.Desc) { client.DescribeByCollect(c, to) }

// Collect sends all metrics.
func (c *Collector) Collect(to chan<- client.Metric) {
	c.frames.Collect(to)
	c.busy.Collect(to)
	c.collectZones(to)
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

// The metrics of zones with a native histogram, and of those without.
const (
	zoneTimes = "iprof_zone_frame_seconds"
	zonesLeft = "iprof_zones_without_histogram"
)

// collectZones sends the native histograms of zones.
func (c *Collector) collectZones(to chan<- client.Metric) {
	list, left := c.zones.Histograms()
	for _, h := range list {
		buckets := make(map[int]int64, len(h.Buckets))
		for at, n := range h.Buckets {
			buckets[at] = int64(n)
		}
		values := []string{export.OtherZones, "", "false"}
		if h.Labels[1] != export.OtherZones {
			values = []string{h.Labels[1], h.Labels[3], h.Labels[5]}
		}
		to <- client.MustNewConstNativeHistogram(client.NewDesc(zoneTimes, "Self time of a zone in a frame.",
			[]string{"zone", "function", "idle"}, nil), h.Count, h.Sum, buckets, nil, h.Zero, export.ZoneScale, 0,
			time.Time{}, values...)
	}
	to <- client.MustNewConstMetric(client.NewDesc(zonesLeft, "Zones whose times are in (other).", nil, nil),
		client.GaugeValue, float64(left))
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
