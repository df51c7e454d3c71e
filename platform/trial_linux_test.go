//go:build amd64 && gc && !purego

package platform

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTrialPutsTheMaskBack runs the trial on this machine, whatever it finds.
func TestTrialPutsTheMaskBack(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	masks := func() (all []unix.CPUSet) {
		for range 8 { // on whichever threads the trial may have run
			done := make(chan unix.CPUSet)
			go func() {
				var mask unix.CPUSet
				if err := unix.SchedGetaffinity(0, &mask); err != nil {
					t.Error(err)
				}
				done <- mask
			}()
			all = append(all, <-done)
		}
		return all
	}
	before := masks()[0]
	ok, why := measureCounter()
	t.Logf("measured: %v, as %s", ok, why)
	if why == "" {
		t.Error("got no reason")
	}
	for _, after := range masks() {
		if after != before {
			t.Errorf("processors of a thread afterwards: got %d; want %d", after.Count(), before.Count())
		}
	}
}

// TestProcessorsAreTakenAway moves a thread from processor to processor, as taskset does while a program runs. Readings
// do not go back.
func TestProcessorsAreTakenAway(t *testing.T) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		t.Skip(err)
	}
	done := make(chan bool)
	go func() { // the thread ends with the goroutine
		defer close(done)
		runtime.LockOSThread()
		last := Now()
		for range 10 {
			for _, p := range processorsOf(&mask) {
				if err := pinThread(p); err != nil {
					t.Error(err)
				}
				now := Now()
				if now+Jitter() < last {
					t.Errorf("on processor %d: got %d after %d; want no step back", p, now, last)
				}
				last = now
			}
		}
	}()
	<-done
}
