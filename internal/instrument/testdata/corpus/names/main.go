// Names that collide with the inserted ones, a dot import, and imports that are shadowed.
package main

import (
	. "fmt"
	logger "log"
	"os"
)

type iprof struct{ iprofAuto int }

func (i iprof) Begin() string { return "mine" }

type exiter struct{}

func (exiter) Exit(int) { Println("not os.Exit") }

func shadow() {
	os := exiter{}
	os.Exit(7)
}

func main() {
	iprofAuto := iprof{1}
	Println(iprofAuto.Begin(), iprofAuto)
	shadow()
	logger.SetFlags(0)
	logger.SetOutput(os.Stdout)
	defer Println("never printed")
	if len(os.Args) < 9 {
		logger.Fatalf("fatal %d", 1)
	}
	os.Exit(4)
}
