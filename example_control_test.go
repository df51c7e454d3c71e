//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/process"
)

// shop is a program with three zones: sell is called by open, and wrap by sell.
func shop() {
	defer iprof.Begin("open").End()
	for range 2 {
		sell := iprof.Begin("sell")
		iprof.Begin("wrap").End()
		sell.End()
	}
}

// fresh forgets all that was measured and shows the default view; then it does two frames of work.
func fresh(work func()) {
	iprof.Default().SetView(process.View{Average: process.AverageShort})
	iprof.Reset()
	for range 2 {
		work()
		iprof.Update()
	}
}

// shopRows names the current report's rows of the shop, in the order of the alphabet.
func shopRows() (names []string) {
	var r process.Report
	iprof.Default().AppendReport(&r)
	for _, rec := range r.Records {
		if slices.Contains([]string{"open", "sell", "wrap"}, rec.Name) {
			names = append(names, rec.Name)
		}
	}
	slices.Sort(names)
	return names
}

func view() process.View { return iprof.Default().View() }

func focus() string { return iprof.Default().Zone(view().Focus).Name }

// point puts the cursor on a row, as a user does with the arrow keys.
func point(name string) {
	var r process.Report
	iprof.Default().AppendReport(&r)
	iprof.Default().SetCursor(slices.IndexFunc(r.Records, func(rec process.Record) bool { return rec.Name == name }))
}

// A function's zone can name itself.
func ExampleFunc() {
	fresh(func() { defer iprof.Func().End() })
	var r process.Report
	iprof.Default().AppendReport(&r)
	for _, rec := range r.Records {
		if rec.Name == "iprof_test.ExampleFunc.func1" {
			fmt.Println(rec.Name)
		}
	}
	// Output: iprof_test.ExampleFunc.func1
}

func ExampleUpdate() {
	iprof.Reset()
	for range 3 {
		shop()
		iprof.Update() // the frame ends here
		fmt.Println(len(rowsNamed("sell")), rowsNamed("sell")[0].Values[process.ColumnCount])
	}
	// Output:
	// 1 2
	// 1 2
	// 1 2
}

func ExampleEndFrame() {
	iprof.BeginFrame("level 1")
	shop()
	iprof.EndFrame()
	fmt.Println(iprof.Default().Info().Label, rowsNamed("wrap")[0].Values[process.ColumnCount])
	iprof.BeginFrame("")
	// Output: level 1 2
}

func ExamplePause() {
	fresh(shop)
	iprof.Pause()
	for range 10 {
		shop()
		iprof.Update() // thrown away
	}
	iprof.Resume()
	fmt.Println(rowsNamed("open")[0].Values[process.ColumnCount])
	// Output: 1
}

func ExampleResume() {
	iprof.Pause()
	iprof.Resume()
	fmt.Println(iprof.Paused())
	// Output: false
}

func ExampleDefault_togglepause() {
	iprof.Default().TogglePause()
	fmt.Println(iprof.Paused())
	iprof.Default().TogglePause()
	fmt.Println(iprof.Paused())
	// Output:
	// true
	// false
}

func ExamplePaused() {
	fmt.Println(iprof.Paused())
	// Output: false
}

func ExampleReset() {
	fresh(shop)
	iprof.Reset()
	iprof.Update()
	fmt.Println(len(rowsNamed("open")))
	// Output: 0
}

func ExampleSetRecording() {
	iprof.SetRecording(false)
	fresh(shop)
	fmt.Println(len(rowsNamed("open")))
	iprof.SetRecording(true)
	fresh(shop)
	fmt.Println(len(rowsNamed("open")))
	// Output:
	// 0
	// 1
}

func ExampleSetAutoRegister() {
	iprof.SetAutoRegister(false)
	defer iprof.SetAutoRegister(true)
	elsewhere := func() {
		done := make(chan bool)
		go func() { // of a package that nobody wants to see
			iprof.Begin("stranger").End()
			close(done)
		}()
		<-done
	}
	fresh(elsewhere)
	fmt.Println(len(rowsNamed("stranger")))
	// Output: 0
}

var served = iprof.Zone{Name: "request served"}

// What a request measured is kept only if it was slow; the rest is one row.
func ExampleDiscard() {
	serve := func(slow bool) {
		defer served.Hold().KeepIf(nil)
		if !slow {
			iprof.Discard()
		}
	}
	iprof.Reset()
	for i := range 10 {
		serve(i == 7)
	}
	iprof.Update()
	counts("request served", "(not kept)")
	// Output:
	// request served 1
	// (not kept) 9
}

func ExampleSetFrameBudget() {
	iprof.SetFrameBudget(time.Second / 144)
	fmt.Println(iprof.Default().FrameBudget())
	iprof.SetFrameBudget(0) // the default
	fmt.Println(iprof.Default().FrameBudget())
	// Output:
	// 6.944444ms
	// 16.666666ms
}

func ExampleDefault_framebudget() {
	fmt.Println(iprof.Default().FrameBudget())
	// Output: 16.666666ms
}

func ExampleDefault_history() {
	iprof.Default().SetHistory(10, 10)
	defer iprof.Default().SetHistory(300, 300)
	for range 20 {
		iprof.Update()
	}
	iprof.SetFrame(1000) // as far back as there is something
	defer iprof.SetFrame(0)
	fmt.Println(view().Age)
	// Output: 9
}
