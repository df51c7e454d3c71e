package iprof

import "example.com/iprof/gather"

// Limits bound the memory that measuring may take: goroutines, distinct stacks, names, and the bytes of all that. The
// history of frames is apart: see Session.SetHistoryLimits. Fields not above 0 mean the defaults; that of Bytes is
// 64 MB.
type Limits = gather.Limits

// SetLimits bounds the memory that measuring may take. What goes beyond a limit is counted in rows such as "(other)",
// its time stays with the zone around it, and a warning says so. The limits hold for new goroutines, stacks and names.
// gather.MemoryUsed tells what is in use. Any goroutine may call it.
//
//	iprof.SetLimits(iprof.Limits{Bytes: 256 << 20})
func SetLimits(l Limits) { gather.SetLimits(l) }
