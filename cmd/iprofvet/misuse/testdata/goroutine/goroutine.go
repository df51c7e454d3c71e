// Package goroutine has scopes that other goroutines end.
package goroutine

import (
	"os"
	"sync"
	"time"

	"example.com/iprof"
)

var physics = iprof.Zone{Name: "physics"}

func use(s iprof.Scope) { s.End() }

func describe(s iprof.Scope) { s.Text("described") }

func leave(group *sync.WaitGroup) {
	s := physics.Begin()
	go s.End() // want `scope s leaves its goroutine, and only there it can end: enter a zone in the function that go starts`
	t := physics.Begin()
	go func() {
		work()
		t.End() // want `scope t leaves`
	}()
	u := physics.Begin()
	go use(u) // want `scope u leaves`
	v := physics.Begin()
	group.Go(func() {
		defer v.End() // want `scope v leaves`
	})
	w := physics.Begin()
	go func(s iprof.Scope) { s.End() }(w) // want `scope w leaves`
	x := physics.Begin()
	time.AfterFunc(time.Second, func() { x.End() }) // want `scope x leaves`
	y := physics.Hold()
	go func() {
		func() { y.Keep(true) }() // want `scope y leaves`
	}()
	go use(physics.Begin())  // want `the scope of physics.Begin\(\) leaves`
	go physics.Begin().End() // want `the scope of physics.Begin\(\) leaves`
	go physics.Begin()       // want `go physics.Begin\(\) enters a zone on a goroutine that then ends`
}

func work() bool { return len(os.Args) > 1 }

// All below is right.

func stay() {
	s := physics.Begin()
	defer s.End()
	go s.Text("any goroutine may")
	go describe(s)
	go func() {
		s.Text("any goroutine may")
		defer physics.Begin().End()
		t := iprof.Begin("inner")
		t.End()
	}()
	var u iprof.Scope
	go func() {
		u = physics.Begin()
		u.End()
	}()
	log := iprof.LogScope("load")
	go func() { log.End() }()
	other := iprof.LogScope("load")
	go func() {
		defer other.End()
	}()
}
