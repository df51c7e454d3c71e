// Package iprof is a frame profiler that stays in a program and shows, while the program runs, where the time goes.
//
//	package main
//
//	import (
//		"os"
//		"time"
//
//		"example.com/iprof"
//	)
//
//	func step() {
//		defer iprof.Begin("step").End() // one line a function
//		time.Sleep(2 * time.Millisecond)
//	}
//
//	func main() {
//		for range 500 {
//			step()
//			iprof.Update() // one line a frame
//		}
//		iprof.WriteText(os.Stdout)
//	}
//
// There is no setup. Every goroutine is measured. A program with a window can draw the report in that window, with
// package draw/gl; others print it, or show it in a terminal.
//
// # Concepts
//
// A zone is a named stretch of code. [Begin] and [Func] make a private zone: it belongs to one place in the program. A
// variable of type [Zone] is a public zone: many places can use it. Time outside all zones belongs to the root row.
//
// A lane is the stack of open zones of one goroutine. Goroutines get lanes by themselves; [Register] gives a lane a
// name.
//
// Self time is the time in a zone alone. Hierarchical time includes the zones entered inside it, and counts recursion
// once. The count is the number of entries.
//
// All times are wall time, so they include waiting: a zone that sleeps or waits for a lock has that time, too. Trees
// and pages show the processor time of the whole process beside the run time. On Linux they also show the processor
// time of each goroutine that is locked to its OS thread (runtime.LockOSThread). Zones of many goroutines can have more
// time than has passed. Then "at once" is the number of goroutines that were in the zone at the same time, on average.
// The root row has the time of the frame, or of the run, on the goroutine that calls [Update].
//
// A frame is the time between two calls of Update. A report shows the newest frame, a moving average (90 % of its
// weight in 0.8 s or 2.5 s), or an older frame from the history. Heat shows how fast a value changes, not how large
// it is.
//
// A zone with Idle set waits: for vertical sync, for input, asleep. A frame's busy time leaves idle zones out.
// [SetFrameBudget] limits busy time, and waits that the program did not choose: those of [Mutex], [RWMutex] and [Wait].
//
// A mark is a text at a moment, such as "level loaded". It is a flag on the history and on the timeline. [Mark] makes
// one, and package logmark makes one of each line of a log.
//
// A section is a named range of frames with statistics of its own, such as a level of a game: see [Section].
//
// A sampled zone is counted on every entry but timed on some. Its row has "~" before times that are estimates. This
// happens only after [SetOverheadLimit].
//
// # Where Update goes
//
// In a program with a window, Update goes after the buffer swap:
//
//	var vsync = iprof.Zone{Name: "vsync", Idle: true}
//
//	for !window.ShouldClose() {
//		simulate()
//		draw()
//		profgl.Overlay() // draw/gl: the report in this window
//		for range vsync.Span {
//			window.SwapBuffers()
//		}
//		glfw.PollEvents()
//		iprof.Update()
//	}
//
// In an Ebitengine game it goes at the end of Draw, because Ebitengine calls the game's Update any number of times a
// frame:
//
//	func (g *Game) Update() error {
//		defer iprof.Begin("update").End()
//		return g.world.Step()
//	}
//
//	func (g *Game) Draw(screen *ebiten.Image) {
//		g.draw(screen) // its zones end before the frame does
//		iprof.Update()
//	}
//
// In a server that ticks, the wait is an idle zone:
//
//	var wait = iprof.Zone{Name: "wait", Idle: true}
//
//	for {
//		for range wait.Span {
//			<-ticker.C
//		}
//		world.Step()
//		iprof.Update()
//	}
//
// A command-line tool needs no Update. Without frames, the totals since the start are written:
//
//	func main() {
//		defer iprof.WriteOnExit(os.Stderr)
//		convert(os.Args[1:])
//	}
//
// # Cost
//
// A zone costs two clock reads and a few nanoseconds. This table was printed by
//
//	cd bench && go run . -rounds 150
//
// with go1.26 on linux/amd64 and two virtual processors. It shows minima. Compare only ratios with other machines.
//
//	ns a call   x floor   Go's clock
//	     22.8      1.00         61.6  two raw timestamps: the floor
//	     23.9      1.05         66.9  defer z.Begin().End()
//	     22.9      1.00         66.0  s := z.Begin() … s.End()
//	     27.6      1.21         68.1  defer iprof.Begin("x").End()
//	      5.2      0.23          5.0  switched off while the program runs: SetRecording(false)
//	        0         0            0  built with -tags iprof_off, within "if iprof.Enabled"
//	     87.1      3.82               time.Now and time.Since, added up in a struct
//	     60.1      2.63               an empty C call at begin and end, the least that a binding to a C profiler costs
//	    222.3      9.74               a region of runtime/trace, tracing on
//	    630.2     27.62               an OpenTelemetry span whose exporter drops it
//
// Where the processor's counter cannot be trusted, Go's clock is read, and reports say so. docs/cost.md lists these
// machines.
//
// Update costs time for each node that was busy in the frame (BenchmarkUpdate). A lane takes less than a kilobyte, plus
// 176 bytes for each distinct stack that it has entered. An entry takes no memory.
//
// # When not to use a zone
//
// Do not put a zone around a few dozen instructions that run millions of times a frame. The report marks a row with
// "!" when measuring takes more than a tenth of it. Put the zone around the loop, and pass the number of rounds to
// [Units]. Or call SetOverheadLimit.
//
// The compiler does not inline a function that defers. So a zone keeps a small function from being inlined, also while
// recording is off. Its callers lose the optimisations that follow inlining: folded constants, removed bound checks,
// values off the heap (BenchmarkSmallFunction). Put the zone into the caller, or write
//
//	if iprof.Enabled {
//		defer z.Begin().End()
//	}
//
// A build with -tags iprof_off then contains no code for the zone.
//
// # Memory model
//
// Zones may be entered anywhere: in initialisers, finalizers, callbacks from C, iterators, bubbles of testing/synctest.
// Each goroutine writes its own lane with plain stores. Readers use atomic loads of single words, and each word is a
// correct value on its own. 32-bit machines store atomically. The race detector does not see these functions, and they
// order nothing between goroutines. So it reports a program's own races as it does without the profiler.
//
// # Names
//
// Measuring:
//
//	Begin Func Zone Scope Held Discard Register Lane LaneID ZoneID Enabled
//	Wait Mutex RWMutex
//	Count CountN Value Units Alloc Free Mark Section
//	SetRecording SetAutoRegister SetOverheadLimit SetLimits Limits SetEvents
//
// One frame after another:
//
//	Update BeginFrame EndFrame Frames Pause Resume Paused Reset SetFrameBudget
//
// Reports:
//
//	SetReportMode SetAverage SetRecursion
//	MoveCursor Select SelectParent MoveFrame SetFrame
//	Default Session
//
// Outputs:
//
//	WriteText WriteTree WriteHTML WriteJSON WriteVerdict
//	LogEvery LogScope LoggedScope
//	WriteOnExit WriteOnSignal Exit
//	Record Recorder
//
// [Default] returns the session. Its methods steer the rest of the view (lens, columns, lane, order, filter), bound the
// history, and return reports as data. Package gather has events and single calls as data, and the memory in use
// (MemoryUsed). Package capture keeps the frames around a hitch in files (NewBlackBox); package debug serves reports
// over HTTP. Package draw/gl draws in an OpenGL window, draw for any other renderer; package input handles keys and
// mouse; cmd/glviewer is a viewer with sample programs.
package iprof
