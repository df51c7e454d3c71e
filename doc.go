// Package iprof is an always-on, in-process frame profiler you look at while the program runs.
//
//	func step() {
//		defer iprof.Begin("step").End() // one line a function
//		…
//	}
//
//	for !done {
//		step()
//		draw()
//		profgl.Overlay() // draw/gl: the report in the program's own window
//		iprof.Update()   // one line a frame
//	}
//
// There is nothing to set up. Every goroutine is measured on a lane of its own; every frame, live, the report says where the
// time went, exactly and by caller. See a hitch, pause, walk back through the history to the frame that did it.
//
// # Words
//
// A zone is a named stretch of code. Time spent in code that has no zone is charged to the innermost open one; what is
// outside all of them is the root's. A zone's self time is the time in it alone, its hierarchical time is with all it
// called, recursion counted once, and its count is how often it was entered. A private zone is one place in the program
// (Begin, Func); a public one is a variable (Zone), used in many.
//
// A frame is what lies between two calls of Update. Values are shown for the newest frame as they are, or smoothed over 0.8 s
// or 2.5 s, or for any older frame in the history. Heat is how fast a value is changing, not how large it is.
//
// A zone marked Idle (waiting for vertical sync, sleeping) is shown, but what is left without it is the frame's busy time.
// That is what is judged: with vertical sync on, every frame takes 16.67 ms.
//
// Besides time, a zone can have bytes of the program's own arenas (Alloc, Free), units of work (Units), whose time each the
// report then tells, and by choice what it allocates on the Go heap (SetMemoryMode). A frame has counts (Count), which begin at
// 0 in each, levels (Value), which stay until they are set again, and what the Go heap and its collector did.
//
// # Where Update goes
//
// In a program with a window, after the picture has been handed over:
//
//	var vsync = iprof.Zone{Name: "vsync", Idle: true}
//	for !window.ShouldClose() {
//		simulate(); draw(); profgl.Overlay()
//		for range vsync.Span { window.SwapBuffers() }
//		glfw.PollEvents(); iprof.Update()
//	}
//
// In an Ebitengine game, at the end of Draw, as Update may run any number of times a frame:
//
//	func (g *Game) Update() error { defer iprof.Begin("update").End(); return g.world.Step() }
//	func (g *Game) Draw(screen *ebiten.Image) {
//		g.draw(screen) // its zones end before the frame does
//		iprof.Update()
//	}
//	func (g *Game) Layout(w, h int) (int, int) { return w, h }
//
// In a server that ticks, waiting marked as such:
//
//	var wait = iprof.Zone{Name: "wait", Idle: true}
//	for {
//		for range wait.Span { <-ticker.C }
//		world.Step()
//		iprof.Update()
//	}
//
// In a command-line tool nowhere: without frames the totals since the start are what there is.
//
//	func main() {
//		defer iprof.WriteOnExit(os.Stderr)
//		convert(os.Args[1:])
//	}
//
// # What it costs
//
// Two readings of the clock and a few nanoseconds. This is what "cd bench && go run . -rounds 150" printed on one machine (go1.26,
// linux/amd64, 2 virtual processors; minima; only ratios within one run mean anything elsewhere):
//
//	ns a call   x floor
//	     26.6      1.00  two raw timestamps: the floor
//	     32.7      1.23  defer z.Begin().End()
//	     31.1      1.17  s := z.Begin() … s.End()
//	     32.8      1.24  defer iprof.Begin("x").End()
//	      2.6      0.10  switched off while the program runs: SetRecording(false)
//	        0         0  built with -tags iprof_off, within "if iprof.Enabled"
//	     73.3      2.76  time.Now and time.Since, added up in a struct
//	     46.4      1.75  an empty call of C at begin and end, the least that a binding to a C profiler pays
//	    163.1      6.14  a region of runtime/trace, tracing on
//	    455.1     17.14  an OpenTelemetry span whose exporter drops it
//
// A frame costs some 8 ns for each node that was busy in it (BenchmarkUpdate), whoever looks. A goroutine's
// lane takes about a kilobyte; entries take no memory at all.
//
// # When not to
//
// Do not put a zone around a few dozen instructions that run millions of times a frame: the report says "!" beside rows whose own
// measuring is over a tenth of them. Put it around the loop instead, and tell with Units how many rounds there were; or set
// SetOverheadLimit, and such zones are counted on every entry but timed on few.
//
// The compiler does not inline a function that defers. One so small that it would have been inlined loses that, and keeps the
// loss while recording is switched off: in BenchmarkSmallFunction a square takes 0.8 ns inlined, 1.1 ns called, 4.1 ns with a
// deferred zone that is switched off. It also loses what inlining would have made possible at its callers: constants folded,
// bounds proved, values kept off the heap. Such functions are best measured where they are called. Or write
//
//	if iprof.Enabled {
//		defer z.Begin().End()
//	}
//
// which gives all of it back in programs built with -tags iprof_off.
//
// # Other goroutines, and the race detector
//
// Zones may be entered anywhere: in initialisers, finalizers, callbacks from C, iterators that are pulled, bubbles of
// testing/synctest (where they go on by the machine's clock). Each goroutine writes its own lane, plainly, while Update and the
// writers read it with atomic loads. By the letter of the Go memory model that is a race; it is bounded by the model's word-size
// clause: a load sees one whole value that was stored, and every word here means something by itself, so what is read is a
// time that was right a moment ago, never a mixture. 32-bit machines, where a word is not enough, store atomically.
//
// The functions that do so are hidden from the race detector, and none of them synchronises: entering a zone orders nothing
// between goroutines. So the detector reports a program's own races inside zones as it does without them, and reports nothing of
// the profiler's.
//
// # Names of things
//
//	measure     Begin Func Zone Scope Lane Register SetAutoRegister SetRecording SetOverheadLimit
//	numbers     Count CountN Value Units Alloc Free SetMemoryMode
//	frames      Update BeginFrame EndFrame Pause Resume TogglePause Paused Reset SetFrameBudget
//	history     SetHistory SetHistoryLimits FrameOf AppendSlowest ShowFrame SetEvents AppendEvents AppendTimeline
//	            AppendCalls
//	look        SetReportMode MoveCursor SetCursor Select SelectParent MoveFrame SetFrame SetAverage SetRecursion SetLane
//	            SetLens SetColumns PinPath
//	as words    WriteText WriteCSV WriteTree WriteJSON WriteHTML
//	console     Command Terminal
//	log         LogEvery LogScope SetLog
//	at the end  WriteOnExit Exit WriteOnSignal
//	as pictures packages draw/gl (in the host's OpenGL window), draw (any renderer), input (keys and mouse), cmd/glviewer
package iprof
