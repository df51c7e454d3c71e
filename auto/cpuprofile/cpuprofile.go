// Package cpuprofile writes a CPU profile of programs that are built by the command iprof, for go tool pprof.
//
// The command imports it in the program's main package for "iprof run -cpuprofile FILE". Settings.CPUProfile has the
// file's name.
package cpuprofile

import (
	"log"
	"os"
	"runtime/pprof"

	"example.com/iprof/auto"
)

func init() { auto.OnStart(start) }

// start profiles until the program ends. Without a file it does nothing.
func start(s auto.Settings) (end func()) {
	if s.CPUProfile == "" {
		return func() {}
	}
	file, err := os.Create(auto.FileName(s.CPUProfile))
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		log.Print("iprof: ", err)
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			log.Print("iprof: ", err)
		}
	}
}
