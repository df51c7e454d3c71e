//go:build !iprof_off

package iprof_test

import (
	"fmt"

	"example.com/iprof"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// counts prints how often each of these zones was entered in the newest frame.
func counts(names ...string) {
	for _, name := range names {
		for _, rec := range rowsNamed(name) {
			fmt.Println(name, rec.Values[report.ColumnCount])
		}
	}
}

// One line a function, one line a frame.
func ExampleBegin() {
	step := func() { defer iprof.Begin("step").End() }
	iprof.Update()
	for range 3 {
		step()
	}
	iprof.Update()
	counts("step")
	// Output: step 3
}

var loading = iprof.Zone{Name: "loading"}

// A public zone is one row, wherever it is used.
func ExampleZone() {
	iprof.Update()
	func() { defer loading.Begin().End() }()
	for range loading.Span {
		// a block
	}
	iprof.Update()
	counts("loading")
	// Output: loading 2
}

// A goroutine may give its lane a name.
func ExampleRegister() {
	done := make(chan string)
	go func() {
		lane := iprof.Register("worker 3")
		defer lane.Close()
		done <- lane.Name()
	}()
	fmt.Println(<-done)
	// Output: worker 3
}

// Frames can have labels, and time between them.
func ExampleBeginFrame() {
	iprof.BeginFrame("loading screen")
	iprof.EndFrame()
	fmt.Println(iprof.Default().View().Info().Label)
	iprof.BeginFrame("")
	// Output: loading screen
}

// The controls move what is shown, and clamp.
func ExampleSetReportMode() {
	iprof.SetReportMode(report.ReportCallGraph)
	iprof.SetFrame(-1)
	v := iprof.Default().View().Get()
	fmt.Println(v.Mode == report.ReportCallGraph, v.Age)
	iprof.SetReportMode(report.ReportSelfTime)
	// Output: true 0
}

// rowsNamed returns the newest frame's records of that name.
func rowsNamed(name string) (found []report.Record) {
	var r report.Report
	process.Default().View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	for _, rec := range r.Records {
		if rec.Name == name && rec.Values[report.ColumnCount] > 0 {
			found = append(found, rec)
		}
	}
	return found
}
