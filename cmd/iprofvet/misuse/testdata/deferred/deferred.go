// Package deferred has defers that enter, and defers in loops.
package deferred

import (
	"os"

	"example.com/iprof"
)

var physics = iprof.Zone{Name: "physics"}

func forgotten(name string) {
	defer physics.Begin()         // want `defer enters the zone at the end of the function, and nothing ends it: write "defer physics.Begin\(\).End\(\)"`
	defer iprof.Begin("a")        // want `defer enters`
	defer iprof.Begin("a" + name) // want `defer enters`
	defer iprof.Func()            // want `defer enters`
	defer physics.Hold()          // want `defer enters the zone at the end of the function, and nothing ends it: write "defer physics.Hold\(\).KeepIf\(&keep\)"`
	func() {
		defer physics.Begin() // want `defer enters`
	}()
	defer physics.Begin().End()
	defer (physics.Begin()).End()
	defer (physics.Begin().End)()
}

func loops(n int) {
	for i := range n {
		defer physics.Begin().End() // want `a defer in a loop ends the zone with the function, not with the round`
		s := iprof.Begin("round")
		if i == 1 {
			defer s.End() // want `a defer in a loop`
		} else {
			s.End()
		}
	}
again:
	defer physics.Begin().End() // want `a defer in a loop`
	if len(os.Args) > 1 {
		goto again
	}
}

func spans() {
	for len(os.Args) > 1 {
		for range physics.Span {
			defer physics.Begin().End() // want `a defer in a loop`
		}
	}
}

func once(n int) bool {
	for range physics.Span {
		defer iprof.Begin("inside").End()
	}
	for i := range n {
		if i == 3 {
			defer iprof.Begin("third").End()
			return true
		}
		func() {
			defer iprof.Begin("round").End()
		}()
		if i == 2 {
			defer iprof.Begin("second").End()
			break
		}
	}
	return false
}
