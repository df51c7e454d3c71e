//go:build !iprof_off

package api_test

import (
	"testing"

	"example.com/iprof"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
)

func spanned() {
	for range outer.Span {
		work++
	}
}

func arena() {
	defer outer.Begin().End()
	iprof.Alloc(64)
	iprof.Free(64)
	iprof.Units(3)
	iprof.Count("arenas")
	iprof.CountN("arenas", 2)
	iprof.Value("arenas", work)
}

func misused() {
	s := outer.Begin()
	inner.Begin()
	s.End()
	s.End()
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	if !platform.Assembly {
		t.Skip("asking for the goroutine allocates")
	}
	lane := iprof.Register("allocations")
	defer lane.Close()
	for name, body := range map[string]func(){
		"defer": deferred, "pair": paired, "lane": func() { onLane(lane) }, "named": named, "func": selfNamed,
		"span":   spanned,
		"nested": nested, "recursive": func() { recursive(32) }, "alloc and free": arena, "misuse": misused,
		"switched off": func() {
			iprof.SetRecording(false)
			deferred()
			iprof.SetRecording(true)
		},
	} {
		if got := allocstest.PerRun(100, body); got != 0 {
			t.Errorf("%s: got %v allocations; want 0", name, got)
		}
	}
}
