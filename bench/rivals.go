package main

import (
	"context"
	"io"
	"runtime/pprof"
	"runtime/trace"
	"sync/atomic"
	"time"

	"example.com/iprof"
	"example.com/iprof/platform"
	"github.com/loov/hrtime"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// all lists the rivals. The first is the floor.
func all() []rival {
	return []rival{
		{floorName, "the floor", repeat(twoTimestamps), nil},
		{"bare call", "nothing measured", repeat(bare), nil},
		{"iprof: defer z.Begin().End()", "tree, all goroutines, read live", repeat(deferred), nil},
		{"iprof: pair", "", repeat(paired), nil},
		{"iprof: on a lane in hand", "", onLane, nil},
		{"iprof: defer Begin(name).End()", "no declaration", repeat(named), nil},
		{"iprof: switched off", "", repeat(deferred), switchOff},
		{"loov/hrtime TSC pair", "two readings, nothing recorded", repeat(hrtimePair), nil},
		{"time.Now, Since", "a struct, no tree, one goroutine", repeat(timeSince), nil},
		{"time.Now, Since, atomics", "no tree", repeat(timeSinceAtomic), nil},
		{"cgo call pair", "the least a C profiler's binding pays", repeat(cgoPair), nil},
		{"pprof.Do, labels ready", "a label for sampling only", repeat(labelled), nil},
		{"runtime/trace region, off", "", repeat(region), nil},
		{"runtime/trace region, on", "to io.Discard", repeat(region), startTrace},
		{"OpenTelemetry span", "sdk, batcher, exporter that drops", repeat(span), nil},
	}
}

func repeat(body func()) func(int) {
	return func(n int) {
		for range n {
			body()
		}
	}
}

var (
	zone  = iprof.Zone{Name: "zone"}
	work  int
	ticks platform.Ticks
	total struct {
		time  time.Duration
		count int
	}
	shared   struct{ time, count atomic.Int64 }
	ctx      = context.Background()
	labels   = pprof.Labels("zone", "zone")
	provider = sdk.NewTracerProvider(sdk.WithBatcher(tracetest.NewNoopExporter()))
	tracer   = provider.Tracer("bench")
	highRes  time.Duration
)

//go:noinline
func bare() { work++ }

//go:noinline
func twoTimestamps() {
	begin := platform.Now()
	work++
	ticks += platform.Now() - begin
}

//go:noinline
func deferred() {
	defer zone.Begin().End()
	work++
}

//go:noinline
func paired() {
	s := zone.Begin()
	work++
	s.End()
}

func onLane(n int) {
	lane := iprof.Register("bench")
	defer lane.Close()
	for range n {
		held(lane)
	}
}

//go:noinline
func held(lane *iprof.Lane) {
	defer zone.In(lane).End()
	work++
}

//go:noinline
func named() {
	defer iprof.Begin("named").End()
	work++
}

//go:noinline
func hrtimePair() {
	begin := hrtime.TSC()
	work++
	highRes += time.Duration(hrtime.TSC() - begin)
}

//go:noinline
func timeSince() {
	begin := time.Now()
	defer func() {
		total.time += time.Since(begin)
		total.count++
	}()
	work++
}

//go:noinline
func timeSinceAtomic() {
	begin := time.Now()
	defer func() {
		shared.time.Add(int64(time.Since(begin)))
		shared.count.Add(1)
	}()
	work++
}

//go:noinline
func labelled() { pprof.Do(ctx, labels, func(context.Context) { work++ }) }

//go:noinline
func region() {
	defer trace.StartRegion(ctx, "zone").End()
	work++
}

//go:noinline
func span() {
	_, s := tracer.Start(ctx, "zone")
	work++
	s.End()
}

func switchOff() func() {
	iprof.SetRecording(false)
	return func() { iprof.SetRecording(true) }
}

func startTrace() func() {
	if err := trace.Start(io.Discard); err != nil {
		panic(err)
	}
	return trace.Stop
}
