// Package wrapped has functions that return an entry.
package wrapped

import (
	"zones/wrapped/own"

	"example.com/iprof"
)

func use() {
	own.Trace("a")         // want `nothing ends the zone that own.Trace\("a"\) enters`
	defer own.Trace("a")   // want `defer enters`
	own.Twice("a")         // want `nothing ends`
	own.Of[int]{}.Enter(1) // want `nothing ends`
	own.Current()          // returns one that another function has entered
	s := own.Current()
	s.Text("b")
	defer own.Trace("a").End()
	maybe(true).End()
	maybe(true) // want `nothing ends`
}

func maybe(on bool) iprof.Scope { // want maybe:"enters"
	if !on {
		return iprof.Begin("off")
	}
	return later()
}

func later() iprof.Scope { return iprof.Begin("later") } // want later:"enters"
