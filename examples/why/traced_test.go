package main

import (
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
)

// BenchmarkTraced is a frame of each sample program, with and without the execution trace.
func BenchmarkTraced(b *testing.B) {
	for _, name := range []string{"sphereflake", "game", "goroutines"} {
		for _, trace := range []string{"off", "on"} {
			b.Run(name+"/trace="+trace, func(b *testing.B) {
				program, err := workload.New(name, workload.Options{Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				defer program.Close()
				if trace == "on" {
					watch, err := exectrace.Watch(process.Default())
					if err != nil {
						b.Fatal(err)
					}
					defer watch.Stop()
				}
				for b.Loop() {
					if err := program.Step(time.Second / 60); err != nil {
						b.Fatal(err)
					}
					process.Default().Update()
				}
			})
		}
	}
}
