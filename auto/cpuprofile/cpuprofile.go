// Package cpuprofile writes a CPU profile of programs that are built by the command iprof, for go tool pprof.
//
// The command imports it in the program's main package for "iprof run -cpuprofile FILE". Settings.CPUProfile has the
// file's name.
package cpuprofile

import (
	"log"
	"runtime/pprof"

	"example.com/iprof/auto"
	"example.com/iprof/internal/outfile"
)

func init() { auto.OnStart(start) }

// start profiles until the program ends. Without a file it does nothing.
func start(s auto.Settings) (end func()) {
	if s.CPUProfile == "" {
		return func() {}
	}
	file, err := outfile.Create(auto.FileName(s.CPUProfile))
	if err == nil {
		if err = pprof.StartCPUProfile(file); err != nil {
			file.Drop()
		}
	}
	if err != nil {
		log.Print("iprof: ", err)
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		if err := file.Keep(); err != nil {
			log.Print("iprof: ", err)
		}
	}
}
