// Package record writes a capture of programs that are built by the command iprof.
//
// The command imports it in the program's main package for "iprof run -o FILE". Settings.Record has the file's name.
package record

import (
	"log"

	"example.com/iprof"
	"example.com/iprof/auto"
	"example.com/iprof/capture"
)

func init() { auto.OnStart(start) }

// start records until the program ends. Without a file it does nothing.
func start(s auto.Settings) (end func()) {
	if s.Record == "" {
		return func() {}
	}
	r, err := capture.Record(iprof.Default(), auto.FileName(s.Record))
	if err != nil {
		log.Print("iprof: ", err)
		return func() {}
	}
	return func() {
		iprof.Update() // what was measured since the last frame
		if err := r.Close(); err != nil {
			log.Print("iprof: ", err)
		}
	}
}
