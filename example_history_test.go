//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// All frames of the history in one report.
func ExampleDefault_lens() {
	iprof.Reset()
	for entries := range 4 {
		for range entries {
			iprof.Begin("lensed").End()
		}
		iprof.Update()
	}
	iprof.Default().SetLens(process.Lens{Kind: process.LensAll})
	defer iprof.Default().SetLens(process.Lens{})
	var r process.Report
	iprof.Default().AppendReport(&r)
	for _, rec := range r.Records {
		if rec.Name == "lensed" {
			fmt.Println(r.Frame.LensFrames, "frames,", rec.Values[process.ColumnCount], "entries a frame")
		}
	}
	// Output: 4 frames, 1.5 entries a frame
}

// Quantiles instead of the usual columns.
func ExampleDefault_columns() {
	iprof.Default().SetColumns(process.ColumnP99, process.ColumnHier)
	defer iprof.Default().SetColumns()
	var r process.Report
	iprof.Default().AppendReport(&r)
	fmt.Println(slices.Equal(r.Columns, []process.Column{process.ColumnHier, process.ColumnP99}))
	// Output: true
}

// A minute of frames, in no more than 16 MB.
func ExampleDefault_limits() {
	iprof.Default().SetHistoryLimits(process.HistoryLimits{Frames: 3600, Within: time.Minute, Bytes: 16 << 20})
	fmt.Println(iprof.Default().HistoryLimits().Frames)
	iprof.Default().SetHistoryLimits(process.HistoryLimits{})
	fmt.Println(iprof.Default().HistoryLimits().Frames)
	// Output:
	// 3600
	// 300
}

// The slowest frames can be shown long after the history has lost them.
func ExampleDefault_showframe() {
	now := int64(0) // the time of a simulation, in ms
	platform.SetClock(func() int64 { return now }, 1000)
	defer platform.SetClock(nil, 0)
	iprof.Reset()
	iprof.Update()
	for _, ms := range []int64{16, 17, 40, 16} {
		now += ms
		iprof.Update()
	}
	slowest := iprof.Default().AppendSlowest(nil)[0]
	fmt.Println(iprof.Default().ShowFrame(slowest.Index), iprof.Default().Info().Length, "ms")
	iprof.SetFrame(0)
	// Output: true 40 ms
}

// What this goroutine did in the frame before the newest.
func ExampleDefault_frameof() {
	iprof.Update()
	iprof.Begin("mine").End()
	iprof.Update()
	iprof.Update()
	var f process.PastFrame
	if iprof.Default().FrameOf(&f, process.OwnLane, 1) {
		for _, n := range f.Nodes {
			if name := iprof.Default().Zone(n.Zone).Name; name == "mine" {
				fmt.Println(name, n.Count)
			}
		}
	}
	// Output: mine 1
}

var request = iprof.Zone{Name: "request"}

// How long single calls took.
func ExampleZone_calls() {
	request.SetPerCall(true)
	defer request.SetPerCall(false)
	iprof.Begin("lane").End() // lanes follow at their next zone
	for range 100 {
		request.Begin().End()
	}
	iprof.Update()
	for _, c := range gather.AppendCalls(nil) {
		if iprof.Default().Zone(c.Zone).Name == "request" {
			fmt.Println(c.Count+c.Missing, c.Quantile(0.5) <= c.Quantile(0.99))
		}
	}
	// Output: 100 true
}

// Events are kept for each lane, once it has been asked for.
func ExampleSetEvents() {
	iprof.SetEvents(1000)
	fmt.Println(gather.Events()) // a power of two
	iprof.SetEvents(0)
	// Output: 1024
}
