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
// # When not to
//
// A zone costs two readings of the clock and a few nanoseconds (BenchmarkBegin beside BenchmarkFloor says what it is on a
// given machine). Do not put one around a few dozen instructions that run millions of times a frame: the report says "!"
// beside rows whose own measuring is over a tenth of them. A function with a defer is not inlined by the compiler, so a
// zone in a very small function costs more than itself; "if iprof.Enabled { … }" around it gives the inlining back in
// programs built with -tags iprof_off.
//
// # Names of things
//
//	measure     Begin Func Zone Scope Lane Register SetAutoRegister SetRecording
//	numbers     Count CountN Value Units Alloc Free SetMemoryMode
//	frames      Update BeginFrame EndFrame Pause Resume TogglePause Paused Reset SetFrameBudget
//	history     SetHistory SetHistoryLimits FrameOf AppendSlowest ShowFrame SetEvents AppendEvents AppendTimeline
//	            AppendCalls
//	look        SetReportMode MoveCursor SetCursor Select SelectParent MoveFrame SetFrame SetAverage SetRecursion SetLane
//	            SetLens SetColumns
//	as words    WriteText WriteCSV WriteTree WriteJSON WriteHTML
//	console     Command Terminal
//	log         LogEvery LogScope SetLog
//	at the end  WriteOnExit Exit WriteOnSignal
//	as pictures packages draw/gl (in the host's OpenGL window), draw (any renderer), input (keys and mouse), cmd/glviewer
package iprof
