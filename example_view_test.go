//go:build !iprof_off

package iprof_test

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

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

func ExampleDefault_cursor() {
	fresh(shop)
	iprof.Default().SetCursor(2)
	fmt.Println(view().Cursor)
	iprof.Default().SetCursor(-3)
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
	iprof.SetReportMode(iprof.ReportCallTree)
	point("sell")
	iprof.Select()
	fmt.Println(view().Mode == iprof.ReportCallGraph, focus(), shopRows())
	iprof.SetReportMode(iprof.ReportSelfTime)
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
	iprof.SetReportMode(iprof.ReportSelfTime)
	// Output:
	// sell
	// open
}

func ExampleSetAverage() {
	iprof.SetAverage(iprof.AverageLong)
	fmt.Println(view().Average == iprof.AverageLong)
	iprof.SetAverage(iprof.AverageShort)
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
		iprof.Default().AppendReport(&report)
		for _, rec := range report.Records {
			if rec.Name == "fall" {
				n++
			}
		}
		return n
	}
	fmt.Println(rows(iprof.RecursionSpread), rows(iprof.RecursionFlattened))
	// Output: 3 1
}

func ExampleDefault_lane() {
	done, leave := make(chan *iprof.Lane), make(chan bool)
	go func() {
		lane := iprof.Register("cashier")
		shop()
		done <- lane
		<-leave
	}()
	lane := <-done
	iprof.Update()
	iprof.Default().SetLane(lane.ID())
	fmt.Println(iprof.Default().Info().Lane)
	iprof.Default().SetLane(0)
	close(leave)
	// Output: cashier
}

// Where did the time below "sell" go? All else is left out.
func ExampleDefault_pinpath() {
	fresh(shop)
	iprof.Default().PinPath(rowsNamed("sell")[0].Zone)
	fmt.Println(slices.Contains(shopRows(), "open"), slices.Contains(shopRows(), "wrap"))
	iprof.Default().PinPath()
	fmt.Println(slices.Contains(shopRows(), "open"), slices.Contains(shopRows(), "wrap"))
	// Output:
	// false true
	// true true
}

// The slowest frames stay when the history has gone on.
func ExampleDefault_slowest() {
	iprof.Reset()
	for range 5 {
		iprof.Update()
	}
	slowest := iprof.Default().AppendSlowest(nil)
	fmt.Println(len(slowest) > 1, slices.IsSortedFunc(slowest,
		func(a, b process.FrameSummary) int { return cmp.Compare(b.Busy, a.Busy) }))
	// Output: true true
}

// Every begin and end between two times.
func ExampleSetEvents_raw() {
	iprof.SetEvents(1024)
	defer iprof.SetEvents(0)
	done := make(chan []gather.Event)
	go func() {
		lane, from := iprof.Register("recorded"), platform.Now()
		defer lane.Close()
		shop()
		done <- gather.AppendEvents(nil, lane.ID(), from, platform.Now())
	}()
	events := <-done
	fmt.Println(len(events), slices.IsSortedFunc(events,
		func(a, b gather.Event) int { return cmp.Compare(a.Time, b.Time) }))
	// Output: 10 true
}
