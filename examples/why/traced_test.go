package main

import (
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
)

// BenchmarkTraced is a frame of each sample program, with and without the execution trace.
func BenchmarkTraced(b *testing.B) {
	for _, name := range []string{"sphereflake", "game", "goroutines"} {
		for _, trace := range []string{"off", "on"} {
			b.Run(name+"/trace="+trace, func(b *testing.B) {
				program := must.Get(workload.New(name, workload.Options{Seed: 1}))(b)
				defer program.Close()
				if trace == "on" {
					watch := must.Get(exectrace.Watch(process.Default()))(b)
					defer watch.Stop()
				}
				for b.Loop() {
					must.Do(b, program.Step(time.Second/60))
					process.Default().Update()
				}
			})
		}
	}
}
