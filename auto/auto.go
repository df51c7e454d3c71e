// Package auto measures programs built by the command iprof.
//
// The command inserts zones of this package into the program's functions:
//
//	import iprofAuto "example.com/iprof/auto"
//
//	var zones = [2]iprofAuto.Zone{{Name: "step"}}
//
//	func step() { if scope := zones[0].Begin(); iprofAuto.Opened(scope) { defer scope.End() }; …
//
// Do not call it by hand. A program with its own zones uses package iprof; zones of both kinds nest.
//
// The environment variable IPROF_RUN holds the settings: the file for the frames and the ends of frames. See
// [Settings]. The program itself does not see the variable, nor do programs that it starts. Without the variable this
// package measures nothing; a program's own zones of package iprof work as usual.
//
// The frames go to a file while the program runs. After the end of the program, even by a crash, the command makes the
// report from this file. So this package handles no signals, replaces no functions, and writes nothing visible to the
// program's users. Its one goroutine is a system goroutine, which the runtime neither counts nor shows.
//
// The packages auto/serve and auto/cpuprofile add a server and a CPU profile at the command's wish. Package auto/yield
// lets the program take its own.
package auto

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Zone is the zone of one function. Any goroutine may use it.
type Zone = gather.Zone

// Scope is an open or closed entry of a zone. The zero value is closed.
type Scope = gather.Scope

// This call makes the compiler inline Begin in packages that import this one.
var _ = func(z *Zone) gather.Scope { return z.Begin() }

// Opened reports whether a scope is open and must be closed. A muted zone only counts its entry, and returns a scope
// that is not open.
func Opened(s gather.Scope) bool { return s != gather.Scope{} }

// begun is about the start time of the program: the initialisation of this package.
var begun = time.Now()

func init() {
	s := settings()
	program, err := os.Executable()
	switch launcher := s.Launcher != "" && err == nil && program == s.Launcher; {
	case launcher || !s.given:
		switchOff()
	case s.Record == "":
	default:
		if err := begin(s); err != nil {
			fmt.Fprintf(os.Stderr, "iprof: no frame is recorded: %v; name another file as Record in %s\n", err,
				Variable)
		}
	}
}

// switchOff stops measuring in a program started without settings, unless the program imports package iprof itself. So
// when a program starts a copy of itself, the copy is as fast as without zones. Workers of go test -fuzz then do not
// take the profiler's code for a new path through the program.
func switchOff() {
	if strings.HasPrefix(ownFunctions, placed) {
		gather.SetRecording(false)
	}
}

// placed begins the import paths of packages that the command has put into the standard library.
const placed = "iprofrun/"

// begin starts the outputs chosen by the settings.
func begin(s Settings) (err error) {
	if recording.out, err = record(FileName(s.Record), FileName(s.Spare)); err != nil {
		return err
	}
	process.Default().SetSources(func(c *process.Sources) { c.Spawns = spawned })
	process.Default().AddSink(&frames)
	measure.SetWatched(s.Every > 0 || !s.Frames)
	if !s.Frames {
		process.Default().SetFrameBudget(report.NoBudget) // the user did not ask for these frames, so none can be late
	}
	beginLines(s)
	go watch()
	return nil
}

// ends are the end functions of OnStart.
var ends []func()

// OnStart registers a function to call with the settings at the start. The program's end calls the function that it
// returns. Only init functions may call it.
func OnStart(start func(Settings) (end func())) { ends = append(ends, start(settings())) }

// Waited ends an open scope and returns the result of the wait inside it.
func Waited[T any](open gather.Scope, result T) T {
	open.End()
	return result
}

// Wait is an open scope around a call with two results.
type Wait[T any] gather.Scope

// WaitRead and WaitOutput are for methods Read and Output, in files of language versions without type parameters.
type (
	WaitRead   = Wait[int]
	WaitOutput = Wait[[]byte]
)

// Of ends the scope and returns the results of the wait inside it.
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

// AtMain writes the measurements before function main. A killed or crashed program may end before the recording
// goroutine has run.
var AtMain = sync.OnceFunc(func() {
	if recording.out == nil || settings().Frames {
		return
	}
	measure.LeaveOut(true)
	defer measure.LeaveOut(false)
	defer measure.LeaveOutHeap(mostTaken)()
	process.Default().Update()
	recording.out.flush()
})

// EndMain ends the scope of function main. After a panic it also writes the measurements, because a panic ends the
// program without its exit hooks.
func EndMain(open gather.Scope) {
	open.End()
	if recording.out != nil && panics() {
		measure.LeaveOut(true)
		defer measure.LeaveOutHeap(mostTaken)()
		process.Default().Update()
		recording.out.flush()
		recording.note(false, false)
	}
}

// panics reports whether the function that deferred its caller ends by a panic. It ignores panics in the profiler,
// which may hold a lock.
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

// Frame ends a frame, unless the program ends frames itself, through package iprof. Any goroutine may call it.
func Frame() {
	if !frames.areOthers() {
		cut()
	}
}

// cut ends a frame.
func cut() {
	if recording.wants() {
		defer measure.LeaveOutHeap(mostTaken)()
		frames.own.Add(1)
		process.Default().Update()
	}
}

// Finish ends the recording. It is an exit hook: it runs when main returns and in os.Exit.
var Finish = sync.OnceFunc(func() {
	for _, end := range ends {
		end()
	}
	finish()
})
