// Package calls gives the SDK of OpenTelemetry histograms of single calls' durations, such as a route's requests, and
// exponential histograms of the self times that zones have in frames.
//
//	durations := calls.New(iprof.Default())
//	defer durations.Close()
//	reader := sdk.NewPeriodicReader(exporter, sdk.WithProducer(durations))
//
// It is not part of package otel, because it needs the SDK: the API has no observable histograms. The metric is
// iprof.call in "s", with the attributes zone, function and idle; exporters for Prometheus make iprof_call_seconds of
// it. That of frames is iprof.zone.frame, for the 30 zones with the most time; all others are the zone (other).
package calls

import (
	"context"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"example.com/iprof/export"
	"example.com/iprof/process"
)

// Producer is a metric.Producer of the SDK. A reader calls it at each collection.
type Producer struct {
	sums   export.Metrics
	zones  *export.ZoneTimes
	closed atomic.Bool
	remove func()
}

// start is about the time of the program's start, when zones begin to count.
var start = time.Now()

// mostZones is the number of zones with an exponential histogram.
const mostZones = 30

// New returns the producer of a session. Zones count their calls if gather.Zone.SetPerCall is set, as package iprofhttp
// does for routes. At most 101 zones have a histogram. Any goroutine may call it.
func New(s *process.Session) *Producer {
	p := &Producer{zones: export.NewZoneTimes(mostZones)}
	sums, zones := s.AddSink(&p.sums), s.AddSink(p.zones)
	p.remove = func() { sums(); zones() }
	return p
}

// Close takes the producer from the session. Readers get no further histograms. It returns no error. A second call has
// no effect. Any goroutine may call it.
func (p *Producer) Close() error {
	p.closed.Store(true)
	p.remove()
	return nil
}

// Produce returns the histograms, cumulative since the program's start. It returns no error. Any goroutine may call it.
func (p *Producer) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	if p.closed.Load() {
		return nil, nil
	}
	list := p.zoneMetrics()
	for _, f := range p.sums.Families() {
		if f.Name == "iprof_call_seconds" && len(f.Samples) > 0 {
			h := metricdata.Histogram[float64]{Temporality: metricdata.CumulativeTemporality, DataPoints: points(&f)}
			list = append(list, metricdata.Metrics{Name: "iprof.call", Description: f.Help, Unit: "s", Data: h})
		}
	}
	return []metricdata.ScopeMetrics{{
		Scope:   instrumentation.Scope{Name: "example.com/iprof/export/otel/calls"},
		Metrics: list,
	}}, nil
}

// zoneMetrics returns the exponential histograms of zones, and the number of zones without one.
func (p *Producer) zoneMetrics() []metricdata.Metrics {
	histograms, left := p.zones.Histograms()
	now := time.Now()
	data := metricdata.ExponentialHistogram[float64]{Temporality: metricdata.CumulativeTemporality}
	for _, h := range histograms {
		data.DataPoints = append(data.DataPoints, metricdata.ExponentialHistogramDataPoint[float64]{
			Attributes: attributes(h.Labels), StartTime: start, Time: now, Count: h.Count, Sum: h.Sum,
			Scale: export.ZoneScale, ZeroCount: h.Zero, PositiveBucket: bucketOf(h.Buckets)})
	}
	return []metricdata.Metrics{
		{Name: "iprof.zone.frame", Description: "Self time of a zone in a frame.", Unit: "s", Data: data},
		{Name: "iprof.zones.without.histogram", Description: "Zones whose times are in (other).",
			Data: metricdata.Gauge[int64]{DataPoints: []metricdata.DataPoint[int64]{{Time: now, Value: int64(left)}}}},
	}
}

// bucketOf returns buckets in OTLP's form: their numbers are one less, and those between the first and the last are
// there.
func bucketOf(buckets map[int]uint64) (list metricdata.ExponentialBucket) {
	if len(buckets) == 0 {
		return list
	}
	first, last := math.MaxInt, math.MinInt
	for at := range buckets {
		first, last = min(first, at), max(last, at)
	}
	list.Offset = int32(first - 1)
	list.Counts = make([]uint64, last-first+1)
	for at, n := range buckets {
		list.Counts[at-first] = n
	}
	return list
}

// points returns the histograms of a metric. The last sample of each is its sum.
func points(f *export.Family) (list []metricdata.HistogramDataPoint[float64]) {
	now := time.Now()
	point := metricdata.HistogramDataPoint[float64]{StartTime: start, Time: now}
	below := 0.0
	for _, x := range f.Samples {
		switch x.Suffix {
		case "_bucket":
			if bound, err := strconv.ParseFloat(x.Labels[len(x.Labels)-1], 64); err == nil && bound < 1e300 {
				point.Bounds = append(point.Bounds, bound)
			}
			point.BucketCounts = append(point.BucketCounts, uint64(x.Value-below))
			below = x.Value
		case "_count":
			point.Count = uint64(x.Value)
		case "_sum":
			point.Sum, point.Attributes = x.Value, attributes(x.Labels)
			list = append(list, point)
			point, below = metricdata.HistogramDataPoint[float64]{StartTime: start, Time: now}, 0
		}
	}
	return list
}

// attributes makes a set of labels and their values.
func attributes(labels []string) attribute.Set {
	var list []attribute.KeyValue
	for k := 0; k+1 < len(labels); k += 2 {
		list = append(list, attribute.String(labels[k], labels[k+1]))
	}
	return attribute.NewSet(list...)
}
