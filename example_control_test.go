//go:build !iprof_off

package iprof_test

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
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
	process.Default().SetView(process.View{Average: process.Short})
	iprof.Reset()
	for range 2 {
		work()
		iprof.Update()
	}
}

// shopRows names the current report's rows of the shop, in the order of the alphabet.
func shopRows() (names []string) {
	var r process.Report
	process.Default().AppendReport(&r)
	for _, rec := range r.Records {
		if slices.Contains([]string{"open", "sell", "wrap"}, rec.Name) {
			names = append(names, rec.Name)
		}
	}
	slices.Sort(names)
	return names
}

func view() process.View { return process.Default().View() }

func focus() string { return process.Default().Zone(view().Focus).Name }

// point puts the cursor on a row, as a user does with the arrow keys.
func point(name string) {
	var r process.Report
	process.Default().AppendReport(&r)
	iprof.SetCursor(slices.IndexFunc(r.Records, func(rec process.Record) bool { return rec.Name == name }))
}

// A function's zone can name itself.
func ExampleFunc() {
	fresh(func() { defer iprof.Func().End() })
	var r process.Report
	process.Default().AppendReport(&r)
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
	fmt.Println(process.Default().Info().Label, rowsNamed("wrap")[0].Values[process.ColumnCount])
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

func ExampleTogglePause() {
	iprof.TogglePause()
	fmt.Println(iprof.Paused())
	iprof.TogglePause()
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

func ExampleRecording() {
	iprof.SetRecording(false)
	fmt.Println(iprof.Recording())
	iprof.SetRecording(true)
	fmt.Println(iprof.Recording())
	// Output:
	// false
	// true
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
	fmt.Println(iprof.FrameBudget())
	iprof.SetFrameBudget(0) // the default
	fmt.Println(iprof.FrameBudget())
	// Output:
	// 6.944444ms
	// 16.666666ms
}

func ExampleFrameBudget() {
	fmt.Println(iprof.FrameBudget())
	// Output: 16.666666ms
}

func ExampleSetHistory() {
	iprof.SetHistory(10, 10)
	defer iprof.SetHistory(300, 300)
	for range 20 {
		iprof.Update()
	}
	iprof.SetFrame(1000) // as far back as there is something
	defer iprof.SetFrame(0)
	fmt.Println(view().Age)
	// Output: 9
}

func ExampleSetFrame() {
	fresh(shop)
	iprof.SetFrame(1)
	fmt.Println(view().Age, shopRows())
	iprof.SetFrame(0)
	// Output: 1 [open sell wrap]
}

func ExampleMoveFrame() {
	fresh(shop)
	iprof.MoveFrame(-1)
	fmt.Println(view().Age)
	iprof.MoveFrame(+5)
	fmt.Println(view().Age)
	// Output:
	// 1
	// 0
}

func ExampleSetCursor() {
	fresh(shop)
	iprof.SetCursor(2)
	fmt.Println(view().Cursor)
	iprof.SetCursor(-3)
	fmt.Println(view().Cursor)
	// Output:
	// 2
	// 0
}

func ExampleMoveCursor() {
	fresh(shop)
	iprof.MoveCursor(2)
	iprof.MoveCursor(-1)
	fmt.Println(view().Cursor)
	// Output: 1
}

func ExampleSelect() {
	fresh(shop)
	iprof.SetReportMode(iprof.CallTree)
	point("sell")
	iprof.Select()
	fmt.Println(view().Mode == iprof.CallGraph, focus(), shopRows())
	iprof.SetReportMode(iprof.SelfTime)
	// Output: true sell [open sell wrap]
}

func ExampleSelectParent() {
	fresh(shop)
	point("wrap")
	iprof.Select()
	for range 2 {
		iprof.SelectParent()
		fmt.Println(focus())
	}
	iprof.SetReportMode(iprof.SelfTime)
	// Output:
	// sell
	// open
}

func ExampleSetAverage() {
	iprof.SetAverage(iprof.Long)
	fmt.Println(view().Average == iprof.Long)
	iprof.SetAverage(iprof.Short)
	// Output: true
}

func ExampleSetRecursion() {
	var fall func(depth int)
	fall = func(depth int) {
		defer iprof.Begin("fall").End()
		if depth > 1 {
			fall(depth - 1)
		}
	}
	fresh(func() { fall(3) })
	rows := func(r iprof.Recursion) (n int) {
		iprof.SetRecursion(r)
		var report process.Report
		process.Default().AppendReport(&report)
		for _, rec := range report.Records {
			if rec.Name == "fall" {
				n++
			}
		}
		return n
	}
	fmt.Println(rows(iprof.Spread), rows(iprof.Flattened))
	// Output: 3 1
}

func ExampleSetLane() {
	done, leave := make(chan *iprof.Lane), make(chan bool)
	go func() {
		lane := iprof.Register("cashier")
		shop()
		done <- lane
		<-leave
	}()
	lane := <-done
	iprof.Update()
	iprof.SetLane(lane.ID())
	fmt.Println(process.Default().Info().Lane)
	iprof.SetLane(0)
	close(leave)
	// Output: cashier
}

// Where did the time below "sell" go? All else is left out.
func ExamplePinPath() {
	fresh(shop)
	iprof.PinPath(rowsNamed("sell")[0].Zone)
	fmt.Println(slices.Contains(shopRows(), "open"), slices.Contains(shopRows(), "wrap"))
	iprof.PinPath()
	fmt.Println(slices.Contains(shopRows(), "open"), slices.Contains(shopRows(), "wrap"))
	// Output:
	// false true
	// true true
}

// The slowest frames stay when the history has gone on.
func ExampleAppendSlowest() {
	iprof.Reset()
	for range 5 {
		iprof.Update()
	}
	slowest := iprof.AppendSlowest(nil)
	fmt.Println(len(slowest) > 1, slices.IsSortedFunc(slowest, func(a, b process.FrameSummary) int { return cmp.Compare(b.Busy, a.Busy) }))
	// Output: true true
}

// Every begin and end between two times.
func ExampleAppendEvents() {
	iprof.SetEvents(1024)
	defer iprof.SetEvents(0)
	done := make(chan []gather.Event)
	go func() {
		lane, from := iprof.Register("recorded"), platform.Now()
		defer lane.Close()
		shop()
		done <- iprof.AppendEvents(nil, lane.ID(), from, platform.Now())
	}()
	events := <-done
	fmt.Println(len(events), slices.IsSortedFunc(events, func(a, b gather.Event) int { return cmp.Compare(a.Time, b.Time) }))
	// Output: 10 true
}
