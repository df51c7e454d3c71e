// Package auto measures programs that are built by the command iprof.
//
// The command inserts zones of this package into the program's functions:
//
//	import iprofAuto "example.com/iprof/auto"
//
//	var zones = [2]iprofAuto.Zone{{Name: "step"}}
//
//	func step() { if scope := zones[0].Begin(); iprofAuto.Opened(scope) { defer scope.End() }; …
//
// Do not call it by hand. A program with zones of its own uses package iprof, and both kinds nest.
//
// The environment variable IPROF_RUN has the settings: where the frames go and when they end. See [Settings]. The
// program itself does not see the variable, nor do programs that it starts. Without it nothing is measured, but for the
// zones of a program that has its own.
//
// The frames go to a file while the program runs. The command makes the report of them when the program has ended,
// however it ended. So this package handles no signal, replaces no function, and writes nothing that the program's
// users see. Its one goroutine is a system goroutine, which the runtime neither counts nor shows.
//
// The packages auto/serve and auto/cpuprofile add a server and a CPU profile to programs that the command asks for
// them in.
package auto

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Zone is the zone of one function. Any goroutine may use it.
type Zone = gather.Zone

// The compiler inlines Begin in packages that import this one only if this one calls it.
var _ = func(z *Zone) gather.Scope { return z.Begin() }

// Opened reports whether a scope is open and so has to be closed. That of a muted zone is not: its entry is counted.
func Opened(s gather.Scope) bool { return s != gather.Scope{} }

// begun is when the program started, as far as this package knows.
var begun = time.Now()

func init() {
	s := settings()
	program, err := os.Executable()
	switch launcher := s.Launcher != "" && err == nil && program == s.Launcher; {
	case launcher || !s.given:
		nobodyLooks()
	case s.Record == "":
	default:
		if err := begin(s); err != nil {
			fmt.Fprintln(os.Stderr, "iprof: nothing is measured:", err)
		}
	}
}

// nobodyLooks switches all zones off. Where this package is the program's own, the program may look itself. So a copy
// of itself that a program starts is as quick as without zones. Workers of go test -fuzz do not take the profiler's
// code for a new path through the program.
func nobodyLooks() {
	if strings.HasPrefix(ownFunctions, placed) {
		gather.SetRecording(false)
	}
}

// placed is how the import paths of packages begin that the command has put into the standard library.
const placed = "iprofrun/"

// begin starts what the settings ask for.
func begin(s Settings) (err error) {
	if recording.out, err = record(FileName(s.Record)); err != nil {
		return err
	}
	process.Default().SetSpawns(spawned)
	gather.SetWatched(s.Every > 0 || !s.Frames)
	if !s.Frames {
		process.Default().SetFrameBudget(report.NoBudget) // nobody asked for these frames, so none is late
	}
	beginLines(s)
	go watch()
	return nil
}

// ends are what the functions given to OnStart returned.
var ends []func()

// OnStart calls a function with the settings now, and the function that it returns at the end of the program. Only init
// functions may call it.
func OnStart(start func(Settings) (end func())) { ends = append(ends, start(settings())) }

// Waited ends an open scope and returns the result of what was waited for inside it.
func Waited[T any](open gather.Scope, result T) T {
	open.End()
	return result
}

// Wait is an open scope around a call with two results.
type Wait[T any] gather.Scope

// WaitRead and WaitOutput are for methods Read and Output. Files without type parameters may name them.
type (
	WaitRead   = Wait[int]
	WaitOutput = Wait[[]byte]
)

// Of ends the scope and returns the results of what was waited for inside it.
func (w Wait[T]) Of(result T, err error) (T, error) {
	open := gather.Scope(w)
	open.End()
	return result, err
}

// Done ends an open scope, and returns one that is not open.
func Done(open gather.Scope) gather.Scope {
	open.End()
	return gather.Scope{}
}

// AtMain writes what was measured until function main began. A program that is killed, or ends by a fatal error, may
// not live until the goroutine that records has run.
var AtMain = sync.OnceFunc(func() {
	if recording.out == nil || settings().Frames {
		return
	}
	gather.LeaveOut(true)
	defer gather.LeaveOut(false)
	defer gather.LeaveOutHeap(mostTaken)()
	process.Default().Update()
	recording.out.flush()
})

// EndMain ends the scope of function main. A panic goes on from there and ends the program without its exit hooks, so
// what was measured is written before.
func EndMain(open gather.Scope) {
	open.End()
	if recording.out != nil && panics() {
		gather.LeaveOut(true)
		defer gather.LeaveOutHeap(mostTaken)()
		process.Default().Update()
		recording.flush(true)
	}
}

// panics reports whether the function that deferred its caller ends by a panic. One that was raised by the profiler
// does not count: it may hold a lock.
func panics() (found bool) {
	const self = 2 // runtime.Callers and this function
	var stack [128]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(self, stack[:])])
	_, more := frames.Next() // EndMain
	for more {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, ownFunctions) {
			return false
		}
		found = found || f.Function == "runtime.gopanic"
	}
	return found
}

// Frame ends a frame. Any goroutine may call it.
func Frame() {
	if recording.wants() {
		defer gather.LeaveOutHeap(mostTaken)()
		process.Default().Update()
	}
}

// Finish ends the recording. It is an exit hook: it runs when main returns and when anything calls os.Exit.
var Finish = sync.OnceFunc(func() {
	for _, end := range ends {
		end()
	}
	finish()
})
