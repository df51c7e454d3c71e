// Package integration tests the module as a whole, through its public packages only. It has no code of its own.
//
//   - layering_test.go: which package may import which, and which packages build without cgo.
//   - consumer_test.go: what importing the module does to a program and to a module.
//   - compiler_test.go: what the compiler makes of zones, with the profiler and without it (tag iprof_off).
//   - programs_test.go: programs that need a C compiler or the race detector.
//   - api_test.go: the exported names: the same with iprof_off, documented, each function with an example.
//   - chaos_test.go: a long run, short in "go test"; IPROF_CHAOS sets its length.
//   - disk_test.go, kill_test.go: saving on a full disk, and programs that are killed or end in another way.
package integration
