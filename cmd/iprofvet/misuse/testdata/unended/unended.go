// Package unended has scopes without an End, and with one on each path.
package unended

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.com/iprof"
	"example.com/iprof/exectrace"
	"example.com/iprof/wait"
)

var physics = iprof.Zone{Name: "physics"}

var stored iprof.Scope

func work() bool { return len(os.Args) > 1 }

func discarded(lane *iprof.Lane) {
	physics.Begin()     // want `nothing ends the zone that physics.Begin\(\) enters: write "defer physics.Begin\(\).End\(\)"`
	physics.In(lane)    // want `nothing ends`
	iprof.Begin("load") // want `write "defer iprof.Begin\(\\"load\\"\).End\(\)"`
	iprof.Func()        // want `nothing ends`
	iprof.Wait("job")   // want `nothing ends`
	wait.Begin("job")   // want `nothing ends`
	(physics.Begin())   // want `nothing ends`
	iprof.LogScope("x") // want `nothing ends`

	physics.Begin().Text("one entry") // want `Text does not end the zone that physics.Begin\(\) enters`

	exectrace.Begin(context.Background(), &physics) // want `nothing ends`

	_ = physics.Begin() // on purpose
	physics.Begin().End()
	if iprof.Enabled {
		defer physics.Begin().End()
	}
}

func never() {
	s := physics.Begin() // want `nothing ends scope s: write "defer s.End\(\)" in the next line`
	s.Text("some")
	var t = iprof.Begin("t") // want `nothing ends scope t`
	t.Value(1)
	var u iprof.Scope
	if work() {
		u = iprof.Begin("u") // want `nothing ends scope u`
	}
	u.Value(2)
	func() {
		s := physics.Begin() // want `nothing ends scope s`
		s.Text("some")
	}()
}

func returns() error {
	s := physics.Begin() // want `scope s is still open at the return in line 61: write "defer s.End\(\)" in the next line, or end it there`
	if work() {
		return errors.New("early")
	}
	s.End()
	return nil
}

func falls() {
	s := physics.Begin() // want `scope s is still open at the end of the function, line 72`
	if work() {
		s.End()
	}
}

func named() (err error) {
	s := physics.Begin() // want `at the return in line 77`
	if err = errors.New("early"); work() {
		return
	}
	defer s.End()
	return
}

func panics(n int) {
	s := physics.Begin() // want `scope s is still open after the panic in line 86, if that is recovered`
	if n < 0 {
		panic("negative")
	}
	s.End()
}

func rounds() {
	for work() {
		s := physics.Begin() // want `scope s is still open in the next round of the loop, line 93`
		if work() {
			continue
		}
		s.End()
	}
	s := physics.Begin() // want `scope s is still open when the variable is set in line 101`
	work()
	s = iprof.Begin("next")
	s.End()
}

func jumps(n int) {
	s := physics.Begin() // want `at the end of the function, line 118`
	switch {
	case n == 1:
		fallthrough
	case n == 2:
		s.End()
		return
	case n == 3:
		goto out
	}
	s.End()
out:
}

func selects(c chan int) {
	s := physics.Begin() // want `at the return in line 127`
	select {
	case <-c:
		s.End()
	case n := <-c:
		if n > 0 {
			return
		}
		s.End()
	}
}

func literal() {
	f := func() error {
		s := physics.Begin() // want `at the return in line 137`
		if work() {
			return errors.New("early")
		}
		s.End()
		return nil
	}
	f()
}

type list[T any] struct {
	iprof.Zone
	all []T
}

func (l *list[T]) each(f func(T) bool) {
	s := l.Begin() // want `at the return in line 154`
	for _, x := range l.all {
		if !f(x) {
			return
		}
	}
	s.End()
}

type beginner interface{ Begin() iprof.Scope }

func through[B beginner](b B, c beginner) {
	b.Begin() // want `nothing ends`
	c.Begin() // want `nothing ends`
}

// All below is right.

func paths(n int) (string, error) {
	s := physics.Begin()
	switch n {
	case 1:
		s.End()
		return "", errors.New("one")
	case 2:
		s.End()
		goto out
	case 3:
		s.End()
		os.Exit(3)
	default:
		s.End()
	}
	s = iprof.Begin("second")
	for {
		if work() {
			s.End()
			break
		}
	}
	if s := physics.Begin(); work() {
		s.End()
	} else {
		defer s.End()
	}
out:
	return fmt.Sprint(n), nil
}

func die() { panic("no return") }

func exits() {
	s := physics.Begin()
	if work() {
		die()
	}
	if work() {
		select {}
	}
	s.End()
}

func conditions(trace bool, n int) {
	var s iprof.Scope
	if trace {
		s = physics.Begin()
	}
	work()
	if trace {
		s.End()
	}
	t := physics.Begin()
	open := true
	for range n {
		if work() && open {
			t.End()
			open = false
		}
	}
	if open {
		t.End()
	}
	a := physics.Begin()
	open = true
	if work() {
		a.End()
		open = false
	}
	if open {
		a.End()
	}
	b := physics.Begin()
	for i := range n {
		if i == n-1 {
			b.End()
		}
	}
	u := physics.Begin()
	if n != 3 {
		u.End()
	}
	if n == 3 {
		u.End()
	}
	if trace && n > 1 {
		v := physics.Begin()
		if !trace || n <= 1 {
			return
		}
		v.End()
	}
	w := physics.Begin()
	if iprof.Enabled {
		w.End()
	}
}

func closures(t interface{ Cleanup(func()) }) {
	s := physics.Begin()
	defer func() {
		if recover() == nil {
			s.End()
		}
	}()
	u := physics.Begin()
	t.Cleanup(u.End)
	v := physics.Begin()
	end := v.End
	defer end()
	w := physics.Begin()
	t.Cleanup(func() { w.End() })
	var x iprof.Scope
	begin := func() { x = physics.Begin() }
	begin()
	x.End()
	y := physics.Begin()
	stored = y
	z := physics.Begin()
	finish(z)
	finish(physics.Begin())
	stored = physics.Begin()
	all := []iprof.Scope{physics.Begin()}
	all[0].End()
	defer physics.Begin().End()
}

func finish(s iprof.Scope) { s.End() }

func result(t iprof.Scope) (s iprof.Scope) {
	s, t = physics.Begin(), physics.Begin()
	stored = physics.Begin()
	return
}

func spans() int {
	s := physics.Begin()
	for range physics.Span {
		if work() {
			s.End()
			return 1
		}
		s.End()
	}
	return 2
}

func lanes() {
	lane := iprof.Register("worker")
	s := physics.In(lane)
	if work() {
		lane.Close()
		return
	}
	s.End()
	lane.Close()
}

func hidden(err error) error {
	s := physics.Begin() // want `at the return in line 335`
	if err != nil {
		s.End()
		return err
	}
	if err := errors.New("inner"); err != nil {
		return err
	}
	s.End()
	return nil
}

var early = physics.Begin()

type scope struct{}

func (scope) End() {}

type mine struct{}

func (mine) Begin() scope { return scope{} }

func others() {
	mine{}.Begin()
	s := mine{}.Begin()
	_ = s
}

func leavesLoop(n int) {
	s := physics.Begin() // want `at the end of the function`
	for i := range n {
		if i == 7 {
			s.End()
			break
		}
	}
}

func spansAgain() {
	for work() {
		s := physics.Begin() // want `at the return in line`
		for range physics.Span {
			if work() {
				return
			}
		}
		s.End()
	}
}
