// Package auto measures programs that are built by the command iprof.
//
// The command inserts calls of this package into the program's functions:
//
//	package main; import iprofAuto "example.com/iprof/auto"
//
//	func main() { defer iprofAuto.Main()(); …
//	func step() { if zones[0].Live() { defer zones[0].Begin().End() }; …
//
// Do not call it by hand. A program with zones of its own uses package iprof, and both kinds nest.
//
// The environment variable IPROF_RUN has the settings: where the report goes and when frames end. See Settings. The
// packages auto/record and auto/serve add a recording and a server to programs that the command asks for them in.
package auto

import (
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// Zone is the zone of one function. Any goroutine may use it.
type Zone = iprof.Zone

// The compiler inlines Live in packages that import this one only if this one calls it.
var _ = func(z *Zone) bool { return z.Live() }

// Main starts what the settings ask for. Main functions defer the function that it returns, which writes the report.
func Main() (end func()) {
	s := settings()
	iprof.Default().SetSpawns(spawned)
	for _, start := range starts {
		ends = append(ends, start(s))
	}
	stop := func() {}
	if s.Report != "" || s.Learn != "" || len(ends) > 0 {
		stop = watchEndings()
	}
	if s.Report != "" && s.Spare != "" {
		go keepSnapshots(FileName(s.Spare))
	}
	if s.Every > 0 {
		go every(s.Every)
	}
	if s.Mute {
		go judge(s.Frames)
	}
	return func() {
		stop()
		finish()
	}
}

// starts are the functions given to OnStart, ends what they returned.
var (
	starts []func(Settings) (end func())
	ends   []func()
)

// OnStart makes Main call a function, and finish call the function that it returns. Only init functions may call it.
func OnStart(start func(Settings) (end func())) { starts = append(starts, start) }

// every ends a frame after each interval. It never returns.
func every(interval time.Duration) {
	for range time.Tick(interval) {
		iprof.Update()
	}
}

// Waited calls wait inside an open scope, ends that, and returns what wait returns.
func Waited[T any](open iprof.Scope, wait func() T) T {
	defer open.End()
	return wait()
}

// Frame ends a frame. Any goroutine may call it.
func Frame() { iprof.Update() }

// Exit writes the report and calls os.Exit.
func Exit(code int) {
	finish()
	os.Exit(code)
}

// Fatal is log.Fatal, but writes the report before the process ends.
func Fatal(v ...any) {
	log.Print(v...)
	Exit(1)
}

// Fatalf is log.Fatalf, but writes the report before the process ends.
func Fatalf(format string, v ...any) {
	log.Printf(format, v...)
	Exit(1)
}

// Fatalln is log.Fatalln, but writes the report before the process ends.
func Fatalln(v ...any) {
	log.Println(v...)
	Exit(1)
}

// finish writes the report and the list of muted functions, once.
var finish = sync.OnceFunc(func() {
	for _, end := range ends {
		end()
	}
	if settings().Mute {
		writeLearned(settings().Learn)
	}
	endSnapshots()
	if settings().Report != "" {
		r := new(report)
		writeReport(r)
		if err := r.failed.Load(); err != nil {
			fmt.Fprintln(os.Stderr, "iprof: the report is not written:", *err)
		}
	}
})

// writeReport writes the report so far. It returns no errors, because a program never fails for its profiler.
func writeReport(w io.Writer) {
	s := settings()
	if s.isJSON() {
		_ = iprof.WriteJSON(w)
		return
	}
	iprof.WriteOnExit(w)
	writeMuted(w)
	if s.Frames || !s.Mute { // else the frames are those of judge
		writeFrames(w)
	}
	writeRoutes(w)
	_ = text.WriteForks(w, iprof.Default().Forks())
}

// writeFrames writes how long frames took and why the slowest was slow.
func writeFrames(w io.Writer) {
	text.WriteFrames(w, process.Default().Dump(process.DumpOptions{NoFrames: true, NoTrees: true}))
}

// report writes to the file of the report. The first Write creates the file.
type report struct{ failed atomic.Pointer[error] }

// Write writes p to the file of the report. It keeps an error, since the program goes on.
func (r *report) Write(p []byte) (n int, err error) {
	w, err := opened()
	if err == nil {
		n, err = w.Write(p)
	}
	if err != nil {
		r.failed.Store(&err)
	}
	return n, err
}

var opened = sync.OnceValues(func() (io.Writer, error) {
	if name := settings().Report; name != "-" {
		return os.Create(FileName(name))
	}
	return os.Stderr, nil
})
