// Package own has a program's own functions around zones.
package own

import "example.com/iprof"

var current iprof.Scope

func Twice(name string) iprof.Scope { return (Trace(name)) } // want Twice:"enters"

func Trace(name string) iprof.Scope { // want Trace:"enters"
	f := func() iprof.Scope { return current }
	f()
	return iprof.Begin("own " + name)
}

func Current() iprof.Scope { return current }

type Of[T any] struct{}

func (Of[T]) Enter(T) iprof.Scope { return iprof.Func() } // want Enter:"enters"
