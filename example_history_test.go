//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// All frames of the history in one report.
func ExampleSetLens() {
	iprof.Reset()
	for entries := range 4 {
		for range entries {
			iprof.Begin("lensed").End()
		}
		iprof.Update()
	}
	iprof.SetLens(process.Lens{Kind: process.LensAll})
	defer iprof.SetLens(process.Lens{})
	var r process.Report
	process.Default().AppendReport(&r)
	for _, rec := range r.Records {
		if rec.Name == "lensed" {
			fmt.Println(r.Frame.LensFrames, "frames,", rec.Values[process.ColumnCount], "entries a frame")
		}
	}
	// Output: 4 frames, 1.5 entries a frame
}

// Quantiles instead of the usual columns.
func ExampleSetColumns() {
	iprof.SetColumns(process.ColumnP99, process.ColumnHier)
	defer iprof.SetColumns()
	var r process.Report
	process.Default().AppendReport(&r)
	fmt.Println(slices.Equal(r.Columns, []process.Column{process.ColumnHier, process.ColumnP99}))
	// Output: true
}

// A minute of frames, in no more than 16 MB.
func ExampleSetHistoryLimits() {
	iprof.SetHistoryLimits(process.HistoryLimits{Frames: 3600, Within: time.Minute, Bytes: 16 << 20})
	fmt.Println(process.Default().HistoryLimits().Frames)
	iprof.SetHistoryLimits(process.HistoryLimits{})
	fmt.Println(process.Default().HistoryLimits().Frames)
	// Output:
	// 3600
	// 300
}

// The slowest frames can be shown long after the history has lost them.
func ExampleShowFrame() {
	iprof.Reset()
	for i := range 5 {
		if i == 2 {
			time.Sleep(20 * time.Millisecond)
		}
		iprof.Update()
	}
	slowest := iprof.AppendSlowest(nil)[0]
	fmt.Println(iprof.ShowFrame(slowest.Index), process.Default().Info().Index == slowest.Index)
	iprof.SetFrame(0)
	// Output: true true
}

// What this goroutine did in the frame before the newest.
func ExampleFrameOf() {
	iprof.Update()
	iprof.Begin("mine").End()
	iprof.Update()
	iprof.Update()
	var f process.PastFrame
	if iprof.FrameOf(&f, process.OwnLane, 1) {
		for _, n := range f.Nodes {
			if name := process.Default().Zone(n.Zone).Name; name == "mine" {
				fmt.Println(name, n.Count)
			}
		}
	}
	// Output: mine 1
}

var request = iprof.Zone{Name: "request"}

// How long single calls took.
func ExampleAppendCalls() {
	request.SetPerCall(true)
	defer request.SetPerCall(false)
	iprof.Begin("lane").End() // lanes follow at their next zone
	for range 100 {
		request.Begin().End()
	}
	iprof.Update()
	for _, c := range iprof.AppendCalls(nil) {
		if process.Default().Zone(c.Zone).Name == "request" {
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
