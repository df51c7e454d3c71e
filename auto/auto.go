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
// The environment variable IPROF_RUN has the settings: where the frames go and when they end. See Settings. Without it
// the program only measures. The program itself does not see the variable, nor do programs that it starts.
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
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
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
	if s.Record == "" {
		return
	}
	if program, err := os.Executable(); err == nil && program == s.Launcher {
		return
	}
	if err := begin(s); err != nil {
		fmt.Fprintln(os.Stderr, "iprof: nothing is measured:", err)
	}
}

// begin starts what the settings ask for.
func begin(s Settings) (err error) {
	if recording.out, err = record(FileName(s.Record)); err != nil {
		return err
	}
	process.Default().SetSpawns(spawned)
	gather.SetWatched(s.Every > 0 || !s.Frames)
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

// Frame ends a frame. Any goroutine may call it.
func Frame() {
	if recording.wants() {
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
