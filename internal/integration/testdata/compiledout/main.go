// Command compiledout holds functions that are nothing but zones, for the tests that look at what the compiler makes of them.
package main

import (
	"io"
	"os"
	"time"

	"example.com/iprof"
)

var zone = iprof.Zone{Name: "zone"}

//go:noinline
func live() {
	if zone.Live() {
		defer zone.Begin().End()
	}
}

//go:noinline
func guarded() {
	if iprof.Enabled {
		defer zone.Begin().End()
	}
}

//go:noinline
func guardedName() {
	if iprof.Enabled {
		defer iprof.Begin("name").End()
	}
}

//go:noinline
func guardedFunction() {
	if iprof.Enabled {
		defer iprof.Func().End()
	}
}

//go:noinline
func pair() {
	s := zone.Begin()
	s.End()
}

//go:noinline
func pairName() {
	s := iprof.Begin("name")
	s.End()
}

//go:noinline
func onLane(lane *iprof.Lane) {
	s := zone.In(lane)
	s.End()
}

//go:noinline
func span() {
	for range zone.Span {
	}
}

//go:noinline
func deferred() {
	defer zone.Begin().End()
}

//go:noinline
func onStack() {
	local := iprof.Zone{Name: "local"}
	s := local.Begin()
	s.End()
}

// main runs everything once, and writes with the given writer.
func main() {
	guarded()
	live()
	guardedName()
	guardedFunction()
	pair()
	pairName()
	onLane(nil)
	span()
	deferred()
	onStack()
	iprof.Update()
	writers := map[string]func(io.Writer) error{
		"text": iprof.WriteText, "tree": iprof.WriteTree, "json": iprof.WriteJSON,
		"html": iprof.WriteHTML, "verdict": iprof.WriteVerdict,
		"zones": func(w io.Writer) error { iprof.WriteOnExit(w); return nil },
		"exit":  func(w io.Writer) error { iprof.Exit(0); return nil },
		"log":   func(w io.Writer) error { iprof.LogEvery(w, time.Hour)(); return nil },
	}
	for _, name := range os.Args[1:] {
		if err := writers[name](os.Stdout); err != nil {
			panic(err)
		}
	}
}
