//go:build (amd64 || arm64) && gc && !purego

package platform_test

import (
	"runtime"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

func TestSpawnIsTheGoStatement(t *testing.T) {
	pcs := make(chan uintptr)
	_, _, line, _ := runtime.Caller(0)
	go func() { // line+1
		key, _ := platform.Identity()
		pcs <- platform.Spawn(key)
	}()
	frame, _ := runtime.CallersFrames([]uintptr{<-pcs}).Next()
	if want := "example.com/iprof/platform_test.TestSpawnIsTheGoStatement"; frame.Function != want {
		t.Errorf("got %q; want %q", frame.Function, want)
	}
	if frame.Line < line+1 || frame.Line > line+4 {
		t.Errorf("got line %d; want the go statement's, from %d", frame.Line, line+1)
	}
}

func TestGoroutinesThatEndedAreKnown(t *testing.T) {
	type identity struct{ key, id uint64 }
	started, stop := make(chan identity), make(chan bool)
	go func() {
		key, id := platform.Identity()
		started <- identity{key, id}
		<-stop
	}()
	is := <-started
	for range 100 {
		if platform.Ended(is.key, is.id) {
			t.Fatal("got ended; want a goroutine that waits")
		}
		runtime.Gosched()
	}
	if key, id := platform.Identity(); platform.Ended(key, id) {
		t.Error("got ended; want the caller itself")
	}
	close(stop)
	must.Until(t, "the goroutine that has returned ends", func() bool { return platform.Ended(is.key, is.id) })
}
