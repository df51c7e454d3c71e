// Package exectrace tells why the goroutines of a frame did not run. It reads Go's execution trace, and gives a session
// or a capture the states of its lanes: running, without a processor, waiting for what and ended by whom, in a system
// call, working for the collector; and the times in which the collector marked, the world or the process was stopped.
// The timeline draws them below each lane, and verdicts name them.
//
// A whole program:
//
//	package main
//
//	import (
//		"example.com/iprof"
//		"example.com/iprof/exectrace"
//	)
//
//	func main() {
//		watch, err := exectrace.Watch(iprof.Default()) // the last seconds, in memory
//		if err == nil {
//			defer watch.Stop()
//		}
//		for range 1000 {
//			step()
//			iprof.Update()
//		}
//	}
//
//	func step() { defer iprof.Begin("step").End() }
//
// Pause the session, and the last seconds have their states; soon after a slow frame they have them, too. With events
// (gather.SetEvents) the table has columns waiting and runnable. The files of a black box have the states, too:
//
//	box, err := watch.BlackBox(capture.BlackBoxOptions{Dir: "hitches"})
//
// A black box that only had a trace (capture.BlackBoxOptions.Trace) gets them afterwards:
//
//	go run example.com/iprof/exectrace/cmd/annotate hitch.iprof why.iprof
//
// Tracing costs 0.07 microseconds an event (BenchmarkWatch). The sample programs take 0 to 2 percent longer with it
// (BenchmarkTraced in examples/why); two goroutines that do nothing but send each other messages, 2.7 times as long.
// What it costs the running program is measured in it: Watcher.Tracing has the numbers, the footer of the viewer shows
// them, and the command trace of the viewer and the console switches the trace off and on. A program that only calls
// Offer leaves the start to its user. Reading takes about a microsecond an event.
//
// The package is a module of its own and needs Go 1.26; the viewer needs
// neither it nor a trace.
//
// # What needs no trace
//
// A late worker, the GPU, the display, pauses of the collector, contended locks of package wait and a process that was
// stopped for 0.1 s, in the first 10 s of a frame, are in verdicts without a trace. Locks of package sync, channels, a
// missing processor, system calls and work for the collector need one.
//
// # Hot lines
//
// The page "source" of the zone's card (Shift+Z in the viewer) starts and stops sampling, and shows the lines inside
// the zone with the most samples, and the share of samples in no zone. Watcher.Sample and Watcher.HotLines do the same
// for programs: Go's CPU profiler takes 100 samples a second of processor time. It is off until somebody asks.
// Watcher.SampleAt, "sample 500" in the console and "samples a second" in the menu take up to 1000; what that is worth,
// and the line that the runtime prints then, are with Watcher.SampleAt. The viewer of a program elsewhere has the same
// button. Captures and the files of black boxes have the lines of the 64 zones with the most samples. Reading them
// takes a fifth of a processor at most, and only while somebody shows or records them.
//
// A slow frame has lines of its own: while sampling is on, those of the samples in its time alone are kept of the 8
// slowest frames over budget of each 5 seconds, 16 in all. The card shows them when such a frame is looked at, and says
// "frame:" in place of "hot lines:". The file of a black box has them of its 16 longest frames with samples, by
// Annotate. They are few: a frame of 120 ms has about 12 samples at 100 a second, and 30 at 250. Of 12 samples a share
// of 50 percent has a standard error of 14 points. A frame that waited has next to none, as samples are of processor
// time.
//
// The zone is measured, its lines are guessed. The events of the lanes (gather.SetEvents) say which zone was open on
// the goroutine of each sample, to about a microsecond. They cover only the last frames of a busy lane: for older
// samples, the innermost function with a zone is taken, and the card says of how many.
//
// # Zones in go tool trace
//
// Begin enters a zone that is a region of the trace, too, and LogFrames writes a line for each frame into it. Both work
// with a trace of any recorder: runtime/trace.Start, go test -trace, net/http/pprof or Watch. They are for those who go
// on in go tool trace; our own views need neither.
//
//	defer exectrace.LogFrames(iprof.Default())()
//	defer exectrace.Begin(ctx, &physics).End()
//
// # How exact
//
// States begin and end with the scheduler's own events, which carry the time of the processor's counter. The shortest
// states are left out when a session or a capture has no room for all. That the process was stopped is a conclusion: a
// goroutine ran or could for 100 ms, and there was no event, though the runtime tries to interrupt one every 10 ms. A
// machine without a free processor looks the same. A shorter stop is not told.
package exectrace
