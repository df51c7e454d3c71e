//go:build !iprof_off

package iprof_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
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
	iprof.Default().View().Set(report.View{Average: report.AverageShort})
	iprof.Reset()
	for range 2 {
		work()
		iprof.Update()
	}
}

// shopRows names the current report's rows of the shop, in the order of the alphabet.
func shopRows() (names []string) {
	var r report.Report
	iprof.Default().View().AppendReport(&r)
	for _, rec := range r.Records {
		if slices.Contains([]string{"open", "sell", "wrap"}, rec.Name) {
			names = append(names, rec.Name)
		}
	}
	slices.Sort(names)
	return names
}

func view() report.View { return iprof.Default().View().Get() }

func focus() string { return iprof.Default().Zone(view().Focus).Name }

// point puts the cursor on a row, as a user does with the arrow keys.
func point(name string) {
	var r report.Report
	iprof.Default().View().AppendReport(&r)
	iprof.Default().View().SetCursor(slices.IndexFunc(r.Records,
		func(rec report.Record) bool { return rec.Name == name }))
}

// A function's zone can name itself.
func ExampleFunc() {
	fresh(func() { defer iprof.Func().End() })
	var r report.Report
	iprof.Default().View().AppendReport(&r)
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
		fmt.Println(len(rowsNamed("sell")), rowsNamed("sell")[0].Values[report.ColumnCount])
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
	fmt.Println(iprof.Default().View().Info().Label, rowsNamed("wrap")[0].Values[report.ColumnCount])
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
	fmt.Println(rowsNamed("open")[0].Values[report.ColumnCount])
	// Output: 1
}

func ExampleResume() {
	iprof.Pause()
	iprof.Resume()
	fmt.Println(iprof.Paused())
	// Output: false
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
		go func() { // of a package that is switched off
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

func ExampleSetOverheadLimit() {
	iprof.SetOverheadLimit(0.02) // measuring may take 2 % of each goroutine's time
	defer iprof.SetOverheadLimit(0)
	fmt.Println(gather.OverheadLimit())
	// Output: 0.02
}

// A limit of four times the default is for programs with many goroutines and many distinct stacks.
func ExampleSetLimits() {
	iprof.SetLimits(iprof.Limits{Bytes: 256 << 20})
	defer iprof.SetLimits(iprof.Limits{}) // the defaults
	fmt.Println(gather.MemoryUsed().Limit>>20, "MB")
	// Output: 256 MB
}

func ExampleZone_muted() {
	hot := iprof.Zone{Name: "hot"}
	hot.SetMuted(true) // or, of any row of a report: iprof.Default().SetMuted(record.Zone, true)
	defer hot.SetMuted(false)
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

func ExampleDefault_cursor() {
	fresh(shop)
	iprof.Default().View().SetCursor(2)
	fmt.Println(view().Cursor)
	iprof.Default().View().SetCursor(-3)
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
	iprof.SetReportMode(report.ReportCallTree)
	point("sell")
	iprof.Select()
	fmt.Println(view().Mode == report.ReportCallGraph, focus(), shopRows())
	iprof.SetReportMode(report.ReportSelfTime)
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
	iprof.SetReportMode(report.ReportSelfTime)
	// Output:
	// sell
	// open
}

func ExampleSetAverage() {
	iprof.SetAverage(report.AverageLong)
	fmt.Println(view().Average == report.AverageLong)
	iprof.SetAverage(report.AverageShort)
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
	rows := func(r report.Recursion) (n int) {
		iprof.SetRecursion(r)
		var report report.Report
		iprof.Default().View().AppendReport(&report)
		for _, rec := range report.Records {
			if rec.Name == "fall" {
				n++
			}
		}
		return n
	}
	fmt.Println(rows(report.RecursionSpread), rows(report.RecursionFlattened))
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
	iprof.Default().View().SetLane(lane.ID())
	fmt.Println(iprof.Default().View().Info().Lane)
	iprof.Default().View().SetLane(0)
	close(leave)
	// Output: cashier
}

// Where did the time below "sell" go? All else is left out.
func ExampleDefault_pinpath() {
	fresh(shop)
	iprof.Default().View().PinPath(rowsNamed("sell")[0].Zone)
	fmt.Println(slices.Contains(shopRows(), "open"), slices.Contains(shopRows(), "wrap"))
	iprof.Default().View().PinPath()
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
		func(a, b report.FrameSummary) int { return cmp.Compare(b.Busy, a.Busy) }))
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

// All frames of the history in one report.
func ExampleDefault_lens() {
	iprof.Reset()
	for entries := range 4 {
		for range entries {
			iprof.Begin("lensed").End()
		}
		iprof.Update()
	}
	iprof.Default().View().SetLens(report.Lens{Kind: report.LensAll})
	defer iprof.Default().View().SetLens(report.Lens{})
	var r report.Report
	iprof.Default().View().AppendReport(&r)
	for _, rec := range r.Records {
		if rec.Name == "lensed" {
			fmt.Println(r.Frame.LensFrames, "frames,", rec.Values[report.ColumnCount], "entries a frame")
		}
	}
	// Output: 4 frames, 1.5 entries a frame
}

// A quantile of the frames and the average of the whole run instead of the usual columns.
func ExampleDefault_columns() {
	iprof.Default().View().SetColumns(report.ColumnP99, report.ColumnEverMean)
	defer iprof.Default().View().SetColumns()
	var r report.Report
	iprof.Default().View().AppendReport(&r)
	fmt.Println(slices.Equal(r.Columns, []report.Column{report.ColumnP99, report.ColumnEverMean}))
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
	fmt.Println(iprof.Default().View().ShowFrame(slowest.Index), iprof.Default().View().Info().Length, "ms")
	iprof.SetFrame(0)
	// Output: true 40 ms
}

// What this goroutine did in the frame before the newest.
func ExampleDefault_frameof() {
	iprof.Update()
	iprof.Begin("mine").End()
	iprof.Update()
	iprof.Update()
	var f report.PastFrame
	if iprof.Default().FrameOf(&f, timeline.OwnLane, 1) {
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

// What this goroutine did in the last frame, in the order in which it did it.
func ExampleDefault_timeline() {
	iprof.SetEvents(1024)
	defer iprof.SetEvents(0)
	iprof.Begin("before").End() // lanes follow at their next zone
	iprof.Update()
	outer := iprof.Begin("outer")
	for range 2 {
		iprof.Begin("inner").End()
	}
	outer.End()
	iprof.Update()
	for _, s := range iprof.Default().AppendTimeline(nil, timeline.OwnLane, 0) {
		if name := iprof.Default().Zone(s.Zone).Name; name == "outer" || name == "inner" {
			fmt.Printf("%s%s %v\n", strings.Repeat("  ", int(s.Level)), name, s.Begin > 0 && s.End >= s.Begin)
		}
	}
	// Output:
	// outer true
	//   inner true
	//   inner true
}

// A hitch explains itself.
func ExampleWriteVerdict() {
	now := int64(0) // the time of a simulation, in ms, so that the frames have the same lengths on any machine
	platform.SetClock(func() int64 { return now }, 1000)
	defer platform.SetClock(nil, 0)
	iprof.Reset()
	iprof.Update()
	for range 10 {
		now++
		iprof.Update()
	}
	scope := iprof.Begin("load level")
	now += 80
	scope.End()
	iprof.Update()
	var line strings.Builder
	iprof.WriteVerdict(&line)
	fmt.Println(strings.Contains(line.String(), "load level"))
	// Output: true
}

// What a test can do: fail with the reason.
func ExampleDefault_verdictof() {
	iprof.Reset()
	iprof.Update()
	var v report.Verdict
	for range 20 {
		iprof.Begin("work").End()
		iprof.Update()
		if iprof.Default().VerdictOf(&v, 0) && v.Over {
			fmt.Fprintln(os.Stderr, v.String())
		}
	}
	fmt.Println("done")
	// Output: done
}

// A game has three fixed steps for each picture. Both are frames, over the same zones.
func ExampleFrames() {
	pictures, steps := iprof.Default(), iprof.Frames("step")
	steps.SetFrameBudget(2 * time.Millisecond)
	pictures.Reset()
	for range 2 {
		for range 3 {
			steps.BeginFrame("")
			iprof.Begin("physics").End()
			steps.EndFrame()
		}
		iprof.Begin("draw").End()
		pictures.Update()
	}
	for _, s := range []*iprof.Session{pictures, steps} {
		var f report.PastFrame
		s.FrameOf(&f, 0, 0)
		entered := map[string]int{}
		for _, n := range f.Nodes {
			entered[s.Zone(n.Zone).Name] += int(n.Count)
		}
		frames := len(s.AppendFrames(nil, 99))
		fmt.Printf("%d frames %q: physics %d, draw %d\n", frames, s.Sources().Set, entered["physics"], entered["draw"])
	}
	// Output:
	// 2 frames "": physics 3, draw 1
	// 6 frames "step": physics 1, draw 0
}
