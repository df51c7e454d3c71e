package platform_test

import (
	"runtime"
	"testing"
	"time"

	"example.com/iprof/platform"
)

// The time of a locked goroutine's thread is the time that this goroutine was on a processor.
func TestThreadTime(t *testing.T) {
	if got := platform.LockedThread(); got != 0 {
		t.Errorf("not locked: got thread %d; want 0", got)
	}
	runtime.LockOSThread()
	thread := platform.LockedThread()
	if thread == 0 {
		t.Fatal("locked: got thread 0")
	}
	const some = 50 * time.Millisecond
	before, all := platform.ThreadTime(thread), platform.CPUTime()
	for platform.ThreadTime(thread)-before < some {
	}
	if used := platform.CPUTime() - all; used < some/2 {
		t.Errorf("the process used %v meanwhile; want the thread's %v and more", used, some)
	}
	before = platform.ThreadTime(thread)
	other := make(chan bool)
	go func() {
		for begun := platform.CPUTime(); platform.CPUTime()-begun < some; {
		}
		other <- true
	}()
	<-other
	if got := platform.ThreadTime(thread) - before; got >= some {
		t.Errorf("while another goroutine used %v: got %v", some, got)
	}
	runtime.UnlockOSThread()
	if got := platform.LockedThread(); got != 0 {
		t.Errorf("unlocked: got thread %d; want 0", got)
	}
	for _, none := range []int{0, -1, 1 << 27} {
		if got := platform.ThreadTime(none); got != 0 {
			t.Errorf("thread %d: got %v; want 0", none, got)
		}
	}
}
