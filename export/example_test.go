package export_test

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// frame is a frame of 4 ms: physics is called three times.
func frame() *gather.Frame {
	return &gather.Frame{
		Index: 7, End: 4e6, TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics", Function: "main.step", File: "step.go", Line: 12}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, End: 4e6, Nodes: []gather.Node{
			{Parent: -1, Self: 1e6}, {ID: 1, Zone: 1, Self: 3e6, Count: 3}}}},
	}
}

// The self time of physics is 3 ms: in the bucket up to 2^(-67/8) s, that is 3.01 ms.
func ExampleNewZoneTimes() {
	z := export.NewZoneTimes(30) // defer session.AddSink(z)() counts each frame of a session
	for range 2 {
		if err := z.WriteFrame(frame()); err != nil {
			fmt.Println(err)
		}
		list, left := z.Histograms()
		for _, h := range list {
			fmt.Println(h.Labels[1], h.Count, h.Sum, h.Buckets, left)
		}
	}
	// Output:
	// (other) 1 0.004 map[-63:1] 0
	// (root) 0 0 map[] 0
	// physics 0 0 map[] 0
	// (other) 1 0.004 map[-63:1] 0
	// (root) 1 0.001 map[-79:1] 0
	// physics 1 0.003 map[-67:1] 0
}

// A table of every stack of every frame.
func ExampleNewCSV() {
	x := export.NewCSV(os.Stdout) // defer session.AddSink(x)() writes each frame of a session
	if err := x.WriteFrame(frame()); err != nil {
		fmt.Println(err)
	}
	if err := x.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame,label,lane,stack,zone,function,file,line,calls,self_ns,hier_ns
	// 7,,main,(root);physics,physics,main.step,step.go,12,3,3000000,3000000
	// 7,,main,(root),(root),,,0,0,1000000,4000000
}

// A file for chrome://tracing, Perfetto and speedscope.
func ExampleNewChrome() {
	x := export.NewChrome(brief{`{"ph":"X"`}, "game")
	if err := x.WriteFrame(frame()); err != nil {
		fmt.Println(err)
	}
	if err := x.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"ph":"X","pid":1,"tid":0,"ts":0.000,"dur":4000.000,"name":"frame 7"},
	// {"ph":"X","pid":1,"tid":2,"ts":0.000,"dur":3000.000,"name":"physics","args":{"calls":3}},
	// {"ph":"X","pid":1,"tid":2,"ts":0.000,"dur":4000.000,"name":"(root)","args":{"calls":0}}
}

// The file has frame 7 only. A frame behind it says what the goroutine of that one did.
func ExampleFrames_TakeStates() {
	x := export.NewChrome(brief{`{"ph":"X"`}, "game")
	if err := x.WriteFrame(frame()); err != nil {
		fmt.Println(err)
	}
	x.TakeStates(&gather.Frame{Index: 8, TicksPerSecond: 1e9, States: []gather.LaneState{
		{Lane: 1, Begin: 2e6, End: 3e6}}})
	if err := x.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"ph":"X","pid":1,"tid":0,"ts":0.000,"dur":4000.000,"name":"frame 7"},
	// {"ph":"X","pid":1,"tid":2,"ts":0.000,"dur":3000.000,"name":"physics","args":{"calls":3}},
	// {"ph":"X","pid":1,"tid":2,"ts":0.000,"dur":4000.000,"name":"(root)","args":{"calls":0}},
	// {"ph":"X","pid":1,"tid":1073741825,"ts":2000.000,"dur":1000.000,"name":"running","cat":"state","args":{"kind":0}}
}

// A goroutine does one thing at a time. What says something else is cut, and counted.
func ExampleFrames_Overlaps() {
	x, f := export.NewPerfetto(io.Discard, "game"), frame()
	f.States = []gather.LaneState{{Lane: 1, Kind: gather.StateSyscall, Begin: 1e6, End: 3e6},
		{Lane: 1, Kind: gather.StateWaiting, Begin: 2e6, End: 4e6}}
	fmt.Println(x.WriteFrame(f), x.Close(), x.Overlaps())
	// Output: <nil> <nil> 1
}

// A sink of the program's own chooses frames and lanes: here the lane main of frame 7.
func ExampleFrames_WriteFrame() {
	x := export.NewCSV(os.Stdout)
	session := process.NewSession()
	defer session.AddSink(chosen{x})()
	for i := range 9 {
		f := frame()
		f.Index = uint64(i)
		if err := session.WriteFrame(f); err != nil {
			fmt.Println(err)
		}
	}
	if err := x.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame,label,lane,stack,zone,function,file,line,calls,self_ns,hier_ns
	// 7,,main,(root);physics,physics,main.step,step.go,12,3,3000000,3000000
	// 7,,main,(root),(root),,,0,0,1000000,4000000
}

// chosen passes on the lane main of one frame.
type chosen struct{ *export.Frames }

func (c chosen) WriteJudged(f *gather.Frame, j *process.Judged) error {
	if f.Index != 7 {
		c.TakeStates(f) // which may be of the frame
		return nil
	}
	f.Lanes = slices.DeleteFunc(slices.Clone(f.Lanes), func(l gather.LaneFrame) bool { return l.Name != "main" })
	return c.Frames.WriteJudged(f, j)
}

// A file for ui.perfetto.dev of all that the program does from now on, with the times of single calls.
func ExampleNewPerfetto() {
	file, err := os.CreateTemp("", "*.perfetto")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(file.Name())
	x := export.NewPerfetto(file, "game")
	remove := process.Default().AddSink(x)
	// … the program runs
	remove()
	fmt.Println(x.Close(), file.Close())
	// Output: <nil> <nil>
}

// The counters of a session, for a monitoring system.
func ExampleMetrics() {
	session, m := process.NewSession(), new(export.Metrics)
	defer session.AddSink(m)()
	if err := session.WriteFrame(frame()); err != nil {
		fmt.Println(err)
	}
	if err := m.WriteText(brief{"iprof_zone_self"}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// iprof_zone_self_seconds_total{zone="(root)",function="",idle="false",waited="false"} 0.001
	// iprof_zone_self_seconds_total{zone="physics",function="main.step",idle="false",waited="false"} 0.003
}

// What happened between two dumps, as a profile.
func ExampleDelta() {
	session := process.NewSession()
	options := report.DumpOptions{NoFrames: true, AllLanes: true}
	before := session.Dump(options)
	if err := session.WriteFrame(frame()); err != nil {
		fmt.Println(err)
	}
	if err := export.Folded(os.Stdout, export.Delta(before, session.Dump(options))); err != nil {
		fmt.Println(err)
	}
	// Output:
	// main;(root) 1000000
	// main;(root);physics 3000000
}

// A profile of the whole run, for go tool pprof.
func ExamplePprof() {
	d := process.Default().Dump(report.DumpOptions{NoFrames: true, NoHistory: true})
	d.Time = time.Unix(0, 0)
	fmt.Println(export.Pprof(brief{"nothing"}, d))
	// Output: <nil>
}
