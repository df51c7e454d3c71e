package iprof

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/wait"
)

// Enabled is false in programs built with the tag iprof_off, in which zones compile to nothing. It is a constant, so
//
//	if iprof.Enabled {
//		defer z.Begin().End()
//	}
//
// does not stop a small function from being inlined in such a build.
const Enabled = gather.Enabled

// Zone is a public zone: a variable that marks code with one purpose, in any number of functions, files and packages.
// Its identity is the address of the variable, so do not copy it. The zero value is ready. Any goroutine may use it.
//
//	var physics = iprof.Zone{Name: "physics"}
//
// Its methods:
//
//	Begin() Scope        // enters on the calling goroutine's lane: defer physics.Begin().End()
//	In(*Lane) Scope      // enters on a lane in hand, a little faster
//	Span(func() bool)    // for range physics.Span { … } measures a block; return and break inside are fine
//	Hold() Held          // enters, and decides at the end whether it counts: defer request.Hold().KeepIf(&slow)
//
// Set Idle for waiting: vertical sync, sleep, input. Idle zones are grey and are left out of busy time.
type Zone = gather.Zone

// Scope is one open entry of a zone, as Begin returns it. It is one word and may be copied.
//
//	End()          // closes it, and the scopes left open inside it
//	Text(string)   // describes this one entry: s.Text("chunk 12,7")
//	Value(float64) // the same for a number
//
// The timeline, lists of calls, pages and exported traces show the text and the value. Both are kept only while events
// are kept: see SetEvents. Otherwise a call costs a load and a branch; do not format a text for it. Cost:
// BenchmarkScopeText in package measure.
//
// Call End once, on the goroutine that called Begin. Any other use is counted and shown as a warning, and does no other
// harm.
type Scope = gather.Scope

// Lane is the stack of open zones of one goroutine.
//
//	ID() LaneID; Name() string
//	Close() // closes what is open and gives the lane up; call it before the goroutine ends
//
// A nil Lane is safe to use: its ID is 0, and Close does nothing.
type Lane = gather.Lane

// LaneID names a lane: see Lane.ID. It is never reused in a process. 0 is no lane; where a lane is chosen, it means
// all lanes merged.
type LaneID = gather.LaneID

// ZoneID names a zone in reports, see Zone.ID and report.Record. It is a small number that stays the same while the
// process runs.
type ZoneID = gather.ZoneID

// Held is an open entry whose measurements may still be dropped. Zone.Hold returns one.
//
//	Keep(bool)    // closes it, and keeps what it measured or makes it part of "(not kept)"
//	KeepIf(*bool) // the same, by the value when it is called: defer request.Hold().KeepIf(&slow)
//
// Close it on the goroutine that opened it. Code called inside it can call Discard to drop it.
type Held = gather.Held

// Mutex is a sync.Mutex with a zone "lock NAME" that is entered only when Lock has to wait. Reports then show the wait,
// who held the lock, and the line that released it. The zero value is ready. Set Name before the first use. Do not
// copy it. Cost without contention: BenchmarkMutex in package wait.
//
//	var world = iprof.Mutex{Name: "world"}
type Mutex = wait.Mutex

// RWMutex is a sync.RWMutex with zones "lock NAME" and "read lock NAME". Otherwise it is like Mutex.
type RWMutex = wait.RWMutex

// Wait enters an idle zone of that name on the calling goroutine's lane. Use it where the program waits for another
// goroutine or process, for example at a channel. End it on the same goroutine. The time counts against the frame
// budget. For a wait that the program chose, such as for the display, use a Zone with Idle set; its time does not
// count. All callers of the same name share a zone. The name is any text; beyond 1,024 names the zone is "(other)". Any
// goroutine may call it.
//
//	defer iprof.Wait("for a job").End()
func Wait(name string) Scope { return wait.Begin(name) }

// Register names the calling goroutine's lane and returns it. It is optional: the first zone gives a goroutine a lane
// named by the go statement that made the goroutine: "main.serve server.go:42 #7". Names need not be unique; they are
// cut to 1,024 bytes. Beyond the limit of lanes it returns nil, which is safe to use.
//
//	lane := iprof.Register("worker 3")
//	defer lane.Close()
//
// On Linux, reports show the processor time of a goroutine that is locked to its OS thread. Call runtime.LockOSThread
// before Register. The goroutine that calls Update needs no Register for its processor time.
func Register(name string) *Lane { return gather.Register(name) }

// SetAutoRegister chooses whether a goroutine's first zone gives it a lane. It starts on. While off, goroutines that
// did not call Register are absent from reports. Existing lanes stay. Any goroutine may call it.
func SetAutoRegister(on bool) { measure.SetAutoRegister(on) }

// SetRecording switches all measuring on or off. It starts on. While off, entering a zone costs a load and a branch.
// Open zones have their time up to the moment when measuring is switched off, and again from the moment when it is
// switched on. Any goroutine may call it.
func SetRecording(on bool) { gather.SetRecording(on) }

// SetEvents sets how many events each lane keeps: the newest begins and ends of scopes. The number is rounded up to a
// power of two in 64..1<<20; an event takes 16 bytes. 0 or less keeps none, which is the default until a window shows
// the program: see viewer.PanelFor. The timeline and the columns of single calls need events. Any goroutine may call
// it; a lane follows at its next zone. Cost: BenchmarkEvents in package measure.
func SetEvents(events int) { gather.SetEvents(events) }

// Alloc charges bytes taken from the program's own arena or pool to the innermost open zone of the calling goroutine.
// Reports show calls and bytes by zone and frame. Less than 0 counts as 0. The Go heap is measured without it: see
// process.Session.SetMemoryMode. Any goroutine may call it; it never blocks. Cost: BenchmarkCharge in package measure.
func Alloc(bytes int) { measure.Alloc(bytes) }

// Free charges bytes returned to the program's own arena or pool to the innermost open zone of the calling goroutine.
// Otherwise it is like Alloc.
func Free(bytes int) { measure.Free(bytes) }

// Count adds 1 to the count of that name in this frame: shots fired, cache misses, draw calls. Each frame starts at
// 0. The name is any text. At most 256 names are kept; calls with others are counted as dropped. Any goroutine may
// call it; it never blocks and does not allocate. Cost: BenchmarkCount in package measure.
//
//	iprof.Count("cache misses")
func Count(name string) { measure.Count(name) }

// CountN adds n to the count of that name. n may be negative. Otherwise it is like Count.
func CountN(name string, n int) { measure.CountN(name, n) }

// Value sets the level of that name. The level applies to this frame and to later frames until it is set again. When
// several goroutines set it, the last one wins. Infinities and NaN are ignored. Otherwise it is like Count.
//
//	iprof.Value("entities", len(world.Entities))
func Value[N ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64](name string, v N) {
	measure.Value(name, float64(v))
}

// Units adds units of work to the innermost open zone of the calling goroutine: entities stepped, rays traced, bytes
// parsed. Reports then show nanoseconds a unit. Use one kind of unit in a zone. Less than 0 counts as 0. Any goroutine
// may call it; it never blocks.
//
//	defer iprof.Begin("step").End()
//	iprof.Units(len(world.Entities))
func Units(n int) { measure.Units(n) }

// Discard drops the innermost open Zone.Hold of the calling goroutine, from any depth below it. Its measurements move
// to the row "(not kept)" under the same parent, so sums still equal the frame. Without an open hold it does nothing.
// Any goroutine may call it.
func Discard() { measure.Discard() }

// Mark puts a flag with a text on the history and on the timeline: "level loaded", "connection lost". Reports of the
// frame, LogEvery, JSON, pages and captures have it, too. The text is any text; it is cut to 1,024 bytes. A frame has
// at most 256 marks; later ones are dropped and counted. It allocates a copy of the text. Any goroutine may call it.
// Package logmark makes a mark of each line of a log. Cost: BenchmarkMark in package measure.
//
//	iprof.Mark("level loaded")
func Mark(text string) { measure.Mark(text) }

// Section begins a section of the run, such as a level of a game or a phase of a job. The section has all frames until
// the next call. Section("") ends it. A frame belongs to the last section that was open in it. Viewers draw a band with
// the names above the history, and list frames, average, p99 and worst of each section. The command iprof frames, JSON
// and captures have sections, too. A mark shows where a section begins or ends. The name is any text; it is cut to
// 1,024 bytes. A session keeps the newest 256 sections and counts the others. Any goroutine may call it. Cost:
// BenchmarkSection in package measure.
//
//	iprof.Section("level 3")
func Section(name string) { measure.Section(name) }

// Update ends a frame and begins the next. Call it once a frame, at the end, on any goroutine. Other goroutines are
// measured meanwhile. The root row belongs to the goroutine that calls Update. The cost of Update is the zone "iprof
// update" of the new frame.
func Update() { process.Default().Update() }

// BeginFrame begins a frame that EndFrame ends. Reports show the label. With "" they show none. Call both on the same
// goroutine. The time from EndFrame to BeginFrame is the idle row "(between frames)". A program calls either these two
// or Update.
func BeginFrame(label string) { process.Default().BeginFrame(label) }

// EndFrame ends the frame that BeginFrame began.
func EndFrame() { process.Default().EndFrame() }

// Frames returns the session of another set of frames over the same zones: fixed steps beside pictures, or a server's
// ticks beside its requests. Its methods Update, or BeginFrame and EndFrame, end the set's frames; it has its own
// history, budget, verdicts and totals. A program has four sets at most, its own included: see [process.Frames]. Any
// goroutine may call it.
//
//	var tick = iprof.Frames("tick")
func Frames(name string) *Session { return process.Frames(name) }

// Pause freezes the reports: Update throws frames away until Resume. Zones are still measured. A second Pause does
// nothing. Any goroutine may call it.
func Pause() { process.Default().Pause() }

// Resume ends Pause. Without a Pause it does nothing. Any goroutine may call it.
func Resume() { process.Default().Resume() }

// Paused reports whether frames are being thrown away: see [Pause]. Any goroutine may call it.
func Paused() bool { return process.Default().Paused() }

// Reset forgets every measurement: history, averages, extremes, totals. Zones that are open continue from now. Names
// and settings stay. It may be called at any time, at any depth, on any goroutine.
func Reset() { process.Default().Reset() }

// SetFrameBudget sets how long a frame may take. It starts at 1 s/60; 0 or less restores that. The budget judges the
// length of a frame without its idle zones. Idle zones are waits that the program chose: for the display, a ticker, a
// limit of the frame rate, or events (see Session.SetEventDriven). Waits for a Mutex or RWMutex and zones of Wait count
// like work. The frame is over budget when the judged time is above 1.02 times the budget. A new budget applies to the
// frames in the history, too. Any goroutine may call it.
func SetFrameBudget(d time.Duration) { process.Default().SetFrameBudget(d) }

// This function lets the compiler inline Begin and End in programs that import only this package. The compiler exports
// the body of a method to a package's importers if the package declares the method or has inlined it. The methods of
// Zone and Scope are declared in package gather. Without the calls below each use would cost one more call, and an
// empty call in builds with iprof_off. The function itself is dropped. See exportBody in Go 1.26's
// cmd/compile/internal/noder/linker.go. TestHotPathInlinesInUsers checks it.
var _ = func(z *Zone, lane *Lane) {
	z.Begin().End()
	s := z.In(lane)
	s.Text("")
	s.Value(0)
	s.End()
	_ = z.Live()
	for range z.Span {
	}
}
