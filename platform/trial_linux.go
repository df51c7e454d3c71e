//go:build amd64 && gc && !purego

package platform

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// measureCounter runs a trial on a thread of its own. If the thread's mask cannot be put back, the thread ends.
func measureCounter() (ok bool, why string) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread()
		var mask unix.CPUSet
		if unix.SchedGetaffinity(0, &mask) != nil {
			why = "the processors of the program are not known"
			runtime.UnlockOSThread()
			return
		}
		t := trial{processorsOf(&mask), pinThread, ticks, nanotime}
		ok, why = t.run()
		if unix.SchedSetaffinity(0, &mask) == nil {
			runtime.UnlockOSThread()
		}
	}()
	<-done
	return ok, why
}

func pinThread(processor int) error {
	var one unix.CPUSet
	one.Set(processor)
	return unix.SchedSetaffinity(0, &one)
}

func processorsOf(mask *unix.CPUSet) (processors []int) {
	for p := 0; len(processors) < mask.Count(); p++ {
		if mask.IsSet(p) {
			processors = append(processors, p)
		}
	}
	return processors
}
