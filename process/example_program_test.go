package process_test

import (
	"fmt"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A session of frames from elsewhere has that program's name in its reports.
func ExampleSession_SetSources_program() {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) {
		c.Program = report.Program{Name: "game", GoVersion: "go1.26", Machine: "windows/amd64, 8 cores",
			Start: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	})
	d := s.Dump(report.DumpOptions{Arguments: true})
	fmt.Println(d.Program, d.GoVersion, d.Machine, d.Time.Format(time.DateOnly), len(d.Arguments))
	// Output: game go1.26 windows/amd64, 8 cores 2026-11-01 0
}

// calls is a source of the durations of single calls.
type calls []gather.Calls

func (c calls) AppendCalls(dst []gather.Calls) []gather.Calls { return append(dst, c...) }

// A session of frames from elsewhere has the durations of single calls of that program.
func ExampleSession_SetSources_calls() {
	load := gather.Calls{Lane: 1, Node: 1, Zone: 1}
	for range 99 {
		load.Add(2_000_000)
	}
	load.Add(50_000_000)
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Calls = calls{load} })
	err := s.WriteFrame(&gather.Frame{TicksPerSecond: 1e9, End: 300_000_000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{
			{Parent: -1, Self: 52_000_000}, {ID: 1, Zone: 1, Count: 100, Self: 248_000_000}}}}})
	r := report.Report{Want: report.ColumnsOf(report.ColumnCallP50, report.ColumnCallMax)}
	s.View().AppendReportOf(&r, report.View{})
	v := &r.Records[0].Values
	fmt.Printf("%s: median %.0f ms, longest %.0f ms, %v\n", r.Records[0].Name, v[report.ColumnCallP50],
		v[report.ColumnCallMax], err)
	// Output: load: median 2 ms, longest 50 ms, <nil>
}

// A display of a program elsewhere has that program count the calls of the zone that is looked at.
func ExampleSession_SetSources_count() {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) {
		c.Count = func(zone report.ZoneID) (release func()) {
			fmt.Println("count the calls of zone", zone)
			return func() { fmt.Println("no longer") }
		}
	})
	if err := s.WriteFrame(&gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}); err != nil {
		fmt.Println(err)
	}
	release := s.View().WantCalls(3)
	release()
	// Output:
	// count the calls of zone 3
	// no longer
}

// The slowest frames that are over budget may have a picture of what they showed.
func ExampleSession_SetPicture() {
	s := process.NewSession()
	f := gather.Frame{Index: 7, TicksPerSecond: 1e3, End: 100, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 100}}}}}
	if err := s.WriteFrame(&f); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.WantsPicture(7))
	s.SetPicture(7, &report.Picture{Width: 2, Height: 1, Pixels: []byte{255, 0, 0, 0, 0, 255}})
	fmt.Println(s.WantsPicture(7))
	fmt.Println(s.Picture(7).Pixels)
	fmt.Println(s.Dump(report.DumpOptions{}).FrameTrees[0].Picture == s.Picture(7))
	// Output:
	// true true
	// false true
	// [255 0 0 0 0 255]
	// true
}

// A program that knows its go statements has their times in its reports.
func ExampleSession_SetSources_spawns() {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) {
		c.Spawns = func() []report.Spawn {
			return []report.Spawn{{Crowd: "main.serve server.go:42", Path: []string{"serve"}, Goroutines: 1, Paths: 1}}
		}
	})
	lane := func(id gather.LaneID, name string, zone gather.ZoneID, ticks int64) gather.LaneFrame {
		return gather.LaneFrame{ID: id, Name: name, Updater: id == 1, Nodes: []gather.Node{
			{Parent: -1}, {ID: 1, Zone: zone, Count: 1, Self: platform.Ticks(ticks), Depth: 1}}}
	}
	s.WriteFrame(&gather.Frame{TicksPerSecond: 1e9, End: 10_000_000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "serve"}, {Name: "handle"}},
		Lanes: []gather.LaneFrame{
			lane(1, "main", 1, 2_000_000), lane(2, "main.serve server.go:42 #1", 2, 7_000_000)}})
	for _, f := range s.Dump(report.DumpOptions{}).Spawns {
		fmt.Printf("%s: %d goroutine, own %.1f ms, spawned %.1f ms\n", f.Crowd, f.Goroutines, f.Own, f.Spawned)
	}
	// Output: main.serve server.go:42: 1 goroutine, own 2.0 ms, spawned 7.0 ms
}

// A thousand entries of 20 ns each, by a clock of nanoseconds.
func ExampleLaneCost() {
	f := gather.Frame{TicksPerSecond: 1e9, End: 10_000_000, ScopeCost: 20 * 1024,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{
			{Parent: -1, Self: 9_000_000}, {ID: 1, Zone: 1, Count: 1000, Self: 1_000_000}}}}}
	ms, low, high := process.LaneCost(&f, &f.Lanes[0])
	fmt.Printf("%.3f ms, from %.3f to %.3f\n", ms, low, high)
	// Output: 0.020 ms, from 0.007 to 0.040
}

// A frame that is over its budget by a hundredth is within it.
func ExampleOverBudget() {
	const budget = 10 * time.Millisecond
	fmt.Println(report.OverBudget(10100*time.Microsecond, budget), report.OverBudget(10300*time.Microsecond, budget))
	fmt.Println(report.OverBudget(time.Hour, 0))
	// Output:
	// false true
	// false
}

// A program says at its end which frame was the worst, and why.
func ExampleSession_VerdictOnSlowest() {
	s := process.NewSession()
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "update"}, {Name: "load"}}
	for i := range uint64(90) {
		begin, load := platform.Ticks(i*1000), platform.Ticks(2)
		if i == 40 {
			load = 70
		}
		_ = s.WriteFrame(&gather.Frame{Index: i, Begin: begin, End: begin + 8 + load, TicksPerSecond: 1000,
			Zones: zones, Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1},
				{ID: 1, Zone: 1, Count: 1, Self: 8}, {ID: 2, Parent: 1, Zone: 2, Count: 1, Self: load}}}}})
	}
	var v report.Verdict
	fmt.Println(s.VerdictOnSlowest(&v))
	fmt.Println(v.String())
	// Output:
	// true
	// Frame 40: +68 ms. load 70 (usually 2), called by update.
}
