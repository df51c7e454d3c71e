// Package iprofc measures the C code of a program as zones, in one tree with Go's.
//
// C and C++ code includes iprof.h of this folder. Copy it next to the code:
//
//	cp $(go list -f '{{.Dir}}' example.com/iprof/iprofc)/iprof.h .
//
// It enters zones with iprof_begin and iprof_end, or IPROF_SCOPE("physics"). Go calls such code inside [Call]:
//
//	iprofc.Call(func() { C.step(world) })
//
// The zones are below the zone in which Call is, with exact times. Zones of threads that C code has started, and of
// calls without Call, are in lanes of their own: call [Collect] once a frame, before Update.
//
// C code writes begins and ends to a ring of its thread, so a zone costs two clock readings and two stores
// (BenchmarkZone). Call adds one call from Go to C (BenchmarkCall). A ring has room for 65,536 begins and ends; entries
// beyond are left out whole, and counted in Dropped.Foreign. There are at most 256 rings.
//
// C code that calls Go does so through an exported function, whose body is inside [Callback].
//
// The package needs cgo and a Unix system. Elsewhere, and with the tag iprof_off, Call and Callback only call f.
package iprofc
