// Package otel gives a program's frames and zones to OpenTelemetry.
//
//	stop, err := otel.Register(provider.Meter("example.com/iprof"), iprof.Default())
//	defer stop()
//
// It is a module of its own, so that other programs do not get the library. It needs only the library's API: the
// program chooses the SDK and the exporter. The metrics are those of export.Metrics, with dots in their names and the
// unit "s": iprof_zone_self_seconds is iprof.zone.self. Exporters for Prometheus restore the former name. The durations
// of single calls are observable histograms, which the API does not have; package calls gives them to the SDK.
package otel

import (
	"context"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// The metrics of the frames' lengths and of their judged times.
const (
	lengths = "iprof_frame_seconds"
	worked  = "iprof_busy_seconds"
)

// Register counts the session's frames from now on, until stop. The histogram iprof.frame has the lengths of frames,
// and iprof.busy their judged times; both get a value in each Update. The SDK reads all other metrics. At most 101
// zones have series, two each, whatever the program does. Register returns the error of the meter, and stop the error
// of the SDK. Any goroutine may call both; a second call of stop has no effect.
func Register(m metric.Meter, s *process.Session) (stop func() error, err error) {
	r := &registered{instruments: map[string]metric.Float64Observable{}}
	var all []metric.Observable
	for _, f := range r.sums.Families() {
		if err = r.add(m, &f); err != nil {
			return func() error { return nil }, err
		}
		if i := r.instruments[f.Name]; i != nil {
			all = append(all, i)
		}
	}
	registration, err := m.RegisterCallback(r.observe, all...)
	if err != nil {
		return func() error { return nil }, err
	}
	remove := s.AddSink(r)
	return func() error { remove(); return registration.Unregister() }, nil
}

// registered is the sink of the session and the callback of the SDK.
type registered struct {
	sums        export.Metrics
	lengths     metric.Float64Histogram
	worked      metric.Float64Histogram
	instruments map[string]metric.Float64Observable // by the name of the family
}

// add makes the instrument of a metric.
func (r *registered) add(m metric.Meter, f *export.Family) (err error) {
	help, unit := metric.WithDescription(f.Help), metric.WithUnit(strings.ReplaceAll(f.Unit, "seconds", "s"))
	switch name := dotted(f); f.Kind {
	case "histogram":
		to := map[string]*metric.Float64Histogram{lengths: &r.lengths, worked: &r.worked}[f.Name]
		if to == nil {
			return nil // the API has no observable histograms: see package calls
		}
		*to, err = m.Float64Histogram(name, help, unit, metric.WithExplicitBucketBoundaries(bounds(f)...))
	case "gauge":
		r.instruments[f.Name], err = m.Float64ObservableGauge(name, help, unit)
	default:
		r.instruments[f.Name], err = m.Float64ObservableCounter(name, help, unit)
	}
	return err
}

// dotted returns the OpenTelemetry name of a metric, which leaves the unit out.
func dotted(f *export.Family) string {
	return strings.ReplaceAll(strings.TrimSuffix(f.Name, "_"+f.Unit), "_", ".")
}

// bounds returns the upper bounds of a histogram's buckets.
func bounds(f *export.Family) (all []float64) {
	for _, x := range f.Samples {
		if x.Suffix == "_bucket" && x.Labels[1] != "+Inf" {
			v, _ := strconv.ParseFloat(x.Labels[1], 64)
			all = append(all, v)
		}
	}
	return all
}

// observe gives all values to the SDK.
func (r *registered) observe(_ context.Context, o metric.Observer) error {
	for _, f := range r.sums.Families() {
		i := r.instruments[f.Name]
		if i == nil {
			continue
		}
		for _, x := range f.Samples {
			var labels []attribute.KeyValue
			for k := 0; k < len(x.Labels); k += 2 {
				labels = append(labels, attribute.String(x.Labels[k], x.Labels[k+1]))
			}
			o.ObserveFloat64(i, x.Value, metric.WithAttributes(labels...))
		}
	}
	return nil
}

// WriteFrame counts a frame without a budget. Sessions call WriteJudged. It returns no error.
func (r *registered) WriteFrame(f *gather.Frame) error { return r.WriteJudged(f, &process.Judged{}) }

// WriteJudged counts a frame. It returns no error.
func (r *registered) WriteJudged(f *gather.Frame, j *process.Judged) error {
	if length := float64(f.End-f.Begin) / f.TicksPerSecond; length >= 0 {
		r.lengths.Record(context.Background(), length)
		r.worked.Record(context.Background(), j.Time.Seconds())
	}
	return r.sums.WriteJudged(f, j)
}
