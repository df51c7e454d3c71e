package iprof

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// Enabled is false in programs built with the tag iprof_off, where every zone compiles to nothing. It is a constant, so
//
//	if iprof.Enabled {
//		defer z.Begin().End()
//	}
//
// costs a small function not even its inlining.
const Enabled = gather.Enabled

// Zone is a public zone: one variable, used in as many functions, files and packages as serve the same purpose. Its
// identity is the variable, so it must not be copied. The zero value is ready.
//
//	var physics = iprof.Zone{Name: "physics"}
//
// Its methods:
//
//	Begin() Scope        // enters on the calling goroutine's lane: defer physics.Begin().End()
//	In(*Lane) Scope      // enters on a lane held in hand, a little quicker
//	Span(func() bool)    // for range physics.Span { … } measures a block; return and break inside are fine
//	Hold() gather.Held   // enters, and decides at the end whether it counts: defer request.Hold().KeepIf(&slow)
//
// Set Idle for waiting that is no work: vertical sync, sleeping, blocking on input. Idle zones are drawn grey and kept out
// of busy time, which budgets judge. Any goroutine may use a Zone.
type Zone = gather.Zone

// Scope is one open entry of a zone: what Begin returns. It is one word; copying it is fine.
//
//	End() // closes it, and whatever was left open inside
//
// A second End, or one on another goroutine, is counted, shown as a warning, and otherwise harmless.
type Scope = gather.Scope

// Lane is one independent stack of zones: one goroutine's.
//
//	ID() uint64; Name() string
//	Close() // before the goroutine ends: closes what is open and gives the name up
type Lane = gather.Lane

// Register names the calling goroutine's lane and returns it. Goroutines need not register: the first zone gives them a
// lane called "goroutine lane N". Names need not be unique.
//
//	lane := iprof.Register("worker 3")
//	defer lane.Close()
func Register(name string) *Lane { return gather.Register(name) }

// SetAutoRegister chooses whether a goroutine's first zone gives it a lane (the default). When off, goroutines that did not
// call Register are absent from every report and pay next to nothing. Any goroutine may call it.
func SetAutoRegister(on bool) { gather.SetAutoRegister(on) }

// SetRecording switches all measuring off and on while the program runs; zones then cost one load and a branch. Open zones
// are charged up to the switch. It starts on. Any goroutine may call it.
func SetRecording(on bool) { gather.SetRecording(on) }

// Recording reports whether zones are being measured.
func Recording() bool { return gather.Recording() }

// Alloc charges bytes taken from the program's own arena or pool to the zone that is open on the calling goroutine: reports have
// the calls and bytes of each zone in each frame. The Go heap is measured without it: see SetMemoryMode.
func Alloc(bytes int) { gather.Alloc(bytes) }

// Free charges bytes given back to the program's own arena or pool to the zone that is open on the calling goroutine.
func Free(bytes int) { gather.Free(bytes) }

// Discard decides that the innermost Zone.Hold open on the calling goroutine is not kept, at any depth below it. What it
// measured becomes the row "(not kept)" below the same parent. Without an open hold it does nothing.
func Discard() { gather.Discard() }

// Update ends a frame and begins the next. Call it once a frame, at its very end. It may run on any goroutine while all
// others measure on; the goroutine that calls it owns the root row. Its own cost is the zone "iprof update", which belongs
// to the frame that it opens.
func Update() { process.Default().Update() }

// BeginFrame begins a frame that EndFrame ends, with a label (or "") that reports show. The time between EndFrame and
// BeginFrame belongs to no zone; it is the row "(between frames)". Update is EndFrame and BeginFrame in one.
func BeginFrame(label string) { process.Default().BeginFrame(label) }

// EndFrame ends the frame that BeginFrame began.
func EndFrame() { process.Default().EndFrame() }

// Pause freezes what is shown: frames are still cut by Update, but thrown away. Use it on its own key, or in step with the
// host's pause.
func Pause() { process.Default().Pause() }

// Resume ends Pause.
func Resume() { process.Default().Resume() }

// TogglePause pauses when running and resumes when paused.
func TogglePause() { process.Default().TogglePause() }

// Paused reports whether frames are being thrown away.
func Paused() bool { return process.Default().Paused() }

// Reset forgets every measurement: history, averages, extremes, totals. Zones that are open go on from now. It may be called
// at any time, at any depth, on any goroutine.
func Reset() { process.Default().Reset() }

// SetFrameBudget sets how long a frame may take; 1 s/60 at first. A frame is over budget when its busy time is above 1.02
// times that, also one that ended before. Zero or less restores the default.
func SetFrameBudget(d time.Duration) { process.Default().SetFrameBudget(d) }

// FrameBudget returns what SetFrameBudget set.
func FrameBudget() time.Duration { return process.Default().FrameBudget() }

// SetHistory sets how many frames are remembered: graphFrames with each zone's self time, for the graph, and fullFrames with
// everything, for whole reports of old frames. Both are 300 at first; see process.Session.SetHistory for the memory they
// take and its limit.
func SetHistory(graphFrames, fullFrames int) { process.Default().SetHistory(graphFrames, fullFrames) }
