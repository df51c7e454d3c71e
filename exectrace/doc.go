// Package exectrace shows why the goroutines of a frame did not run. It reads Go's execution trace, and gives a session
// or a capture the states of its lanes. A lane is running, runnable without a processor, waiting (with the reason, and
// the goroutine that ended the wait), in a system call, or working for the collector. States of the whole program are
// marking by the collector, and stops of the world or of the process. The timeline draws states below each lane, and
// verdicts name them.
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
// After a pause of the session, and soon after a slow frame, the frames of the last seconds have their states. With
// events (gather.SetEvents) the table has columns waiting and runnable. The files of a black box have the states, too:
//
//	box, err := watch.BlackBox(capture.BlackBoxOptions{Dir: "hitches"})
//
// Annotate adds states to the file of a black box that has only a trace (capture.BlackBoxOptions.Trace):
//
//	go run example.com/iprof/exectrace/cmd/annotate hitch.iprof why.iprof
//
// Tracing costs 0.07 microseconds an event (BenchmarkWatch). The sample programs take 0 to 2 percent longer with it
// (BenchmarkTraced in examples/why). Two goroutines that only send each other messages take 2.7 times as long. The cost
// is measured in the running program: Watcher.Tracing has the numbers, the footer of the viewer shows them, and the
// command trace of the viewer and the console switches the trace off and on. In a program that only calls Offer, the
// user starts the trace. Reading takes about a microsecond an event.
//
// The package is a module of its own and needs Go 1.26. The viewer works without the module and without a trace.
//
// # What needs no trace
//
// Verdicts can name these causes without a trace: a late worker, the GPU, the display, pauses of the collector,
// contended locks of package wait, and a stop of the process for 0.1 s in the first 10 s of a frame. They need a trace
// for locks of package sync, channels, a missing processor, system calls and work for the collector.
//
// # What if
//
// The command iprof gain lists by how much a frame would be shorter if a zone took 20, 50 or 100 percent less, at least
// and at most. It plays the recorded run again: goroutines work, wait for each other and for processors as in the
// states. A file of Watcher.BlackBox has what it needs if the program has called iprof.SetEvents. BenchmarkGain
// compares the gains with runs of programs whose zone really works less.
//
// # Allocations
//
// TraceAllocations counts each allocation of some frames, by goroutine, zone and type, and how many were freed.
// iproftrace.NoAllocs checks in a test that a zone allocates nothing. After Offer or Watch a user can ask for a trace:
// Alt+N in the viewer, "allocations slow" in the console, or the page of package debug. Each says first what it costs.
// The list (Alt+Y), the card of a zone, the page, JSON and captures have the result, and iprof memory -by type.
//
// # Hot lines
//
// The page "source" of the zone's card (Shift+Z in the viewer) starts and stops sampling, and shows the lines inside
// the zone with the most samples, and the share of samples in no zone. Watcher.Sample and Watcher.HotLines do the same
// for programs: Go's CPU profiler takes 100 samples a second of processor time. Sampling is off by default.
// Watcher.SampleAt, "sample 500" in the console and "samples a second" in the menu set a rate of up to 1000.
// Watcher.SampleAt describes the benefit of a higher rate, and a line that the runtime then prints. A remote viewer has
// the same button. Captures and the files of black boxes have the lines of the 64 zones with the most samples. Reading
// samples takes at most a fifth of a processor, and only while the lines are shown or recorded.
//
// A slow frame can have hot lines of its own, from the samples in its time alone. While sampling is on, they are kept
// for the 8 slowest frames over budget of each 5 seconds, 16 frames in all. The card shows them together with such a
// frame, and says "frame:" in place of "hot lines:". In the file of a black box, Annotate adds them to the 16 longest
// frames with samples. A frame has few samples: 120 ms have about 12 at 100 a second, and 30 at 250. With 12 samples a
// share of 50 percent has a standard error of 14 points. A frame that waited has hardly any samples, because samples
// are of processor time.
//
// The time of a zone is measured; its hot lines are estimates. The events of the lanes (gather.SetEvents) show the zone
// that was open on the goroutine of each sample, to about a microsecond. For a busy lane, events cover only the last
// frames. For older samples the innermost function with a zone is taken, and the card shows the number of such samples.
//
// # Zones in go tool trace
//
// Begin enters a zone that is a region of the trace, too, and LogFrames writes a line for each frame into it. Both work
// with a trace of any recorder: runtime/trace.Start, go test -trace, net/http/pprof or Watch. They are for analysis in
// go tool trace. The viewer needs neither.
//
//	defer exectrace.LogFrames(iprof.Default())()
//	defer exectrace.Begin(ctx, &physics).End()
//
// # How exact
//
// States begin and end with the scheduler's own events, which carry the time of the processor's counter. If a session
// or a capture has no room for all states, the shortest are left out. A stop of the process is inferred: there was no
// event for 100 ms although a goroutine was running or runnable, and the runtime tries to interrupt a goroutine every
// 10 ms. A machine without a free processor looks the same. Shorter stops are not detected.
package exectrace
