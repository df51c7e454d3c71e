// Package names has names that are made in loops.
package names

import (
	"fmt"
	"strconv"

	"example.com/iprof"
	"example.com/iprof/wait"
)

const prefix = "load "

var zone = iprof.Zone{Name: "zone"}

func made(files []string) {
	for i, file := range files {
		iprof.Begin("load " + file).End()            // want `each round of the loop makes a name for iprof.Begin: write one constant name, and s.Text\(…\) for what differs`
		iprof.Begin(fmt.Sprintf("load %d", i)).End() // want `each round`
		iprof.Begin((strconv.Itoa(i))).End()         // want `each round`
		iprof.Wait("for " + file).End()              // want `each round`
		wait.Begin(fmt.Sprint("for ", file)).End()   // want `each round`
		name := prefix + file
		s := iprof.Begin(name) // want `each round`
		s.End()
		for range zone.Span {
			iprof.Begin("in " + file).End() // want `each round`
		}
	}
	for i := 0; i < 10; i++ {
		iprof.Begin("load " + strconv.Itoa(i)).End() // want `each round`
	}
}

// All below is right.

func constant(files []string, kinds []string) {
	name := "load " + files[0]
	for i, file := range files {
		iprof.Begin("load").End()
		iprof.Begin(prefix + "file").End()
		iprof.Begin(file).End()
		iprof.Begin(kinds[i]).End()
		iprof.Begin(name).End()
		s := iprof.Begin("load")
		s.Text("load " + file)
		s.End()
		run(func() { iprof.Begin("once " + file).End() })
		iprof.Count("files " + file)
	}
	for range zone.Span {
		iprof.Begin("once " + name).End()
	}
	for s := iprof.Begin("once " + name); ; {
		s.End()
		break
	}
	iprof.Begin("once " + name).End()
}

func run(f func()) { f() }
