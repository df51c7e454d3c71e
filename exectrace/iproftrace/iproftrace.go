// Package iproftrace checks in tests what only an execution trace knows.
//
//	func TestPhysicsAllocatesNothing(t *testing.T) {
//		iproftrace.NoAllocs(t, "physics", func() { world.Step() })
//	}
package iproftrace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// NoAllocs runs a function twice, the second time in a frame of its own of the default session with a trace of all
// allocations. The test fails if a zone of that name, or one inside, allocates on any goroutine, and if no allocation
// can be traced. The failure has the types, their numbers and zones. An allocation within 0.1 us of a zone's border may
// count on the other side. It must not run beside a test that uses the default session or an execution trace.
func NoAllocs(t testing.TB, zone string, run func()) {
	t.Helper()
	s := process.Default()
	kept := gather.Events()
	gather.SetEvents(max(kept, exectrace.AllocationEvents)) // the first run makes the memory for them
	defer gather.SetEvents(kept)
	run()
	s.Update()
	trace, err := exectrace.TraceAllocations(s, exectrace.AllocationLimits{})
	if err != nil {
		t.Errorf("no allocation of zone %q can be traced: %v", zone, err)
		return
	}
	run()
	s.Update()
	a, err := trace.Stop()
	if err != nil {
		t.Errorf("the allocations of zone %q are not known: %v", zone, err)
		return
	}
	if found := inside(a, zone); len(found) > 0 {
		t.Errorf("zone %q allocates:\n%s", zone, strings.Join(found, "\n"))
	}
}

// inside returns a line for each type that a zone allocated.
func inside(a *exectrace.Allocations, zone string) (lines []string) {
	for i := range a.Rows {
		r := &a.Rows[i]
		if !slices.Contains(r.Zones, zone) {
			continue
		}
		kind := r.Type
		if kind == "" {
			kind = "memory without a type, as of a string"
		}
		lines = append(lines, fmt.Sprintf("\t%d of %s, %d bytes, in %q", r.Objects, kind, r.Bytes, r.Zone()))
	}
	return lines
}
