package exectrace

import (
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"

	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// Sample is SampleAt with 100 samples a second, the rate of Go's CPU profiler.
func (w *Watcher) Sample() (stop func(), err error) { return w.SampleAt(report.MinSampling) }

// SampleAt starts Go's CPU profiler for HotLines, with a rate of 100 to 1000 samples a second of processor time. It
// returns an error if the CPU profiler is already running, also with another rate. The function stop ends it. HotLines
// counts only the samples since the last start, so all of them have one rate.
//
// Above 100, Go's runtime prints a line on standard error, "runtime: cannot set cpu profile rate until previous profile
// has finished.", once for each start. The line is harmless: runtime/pprof has a rate of its own, and sets it after
// ours. Go 1.26 offers no other way. Linux takes at most one sample per thread and kernel tick, which is 250 a second
// with the usual setting, also at higher rates. The shares are still right. Other profilers of the program meanwhile
// get the error of runtime/pprof.
func (w *Watcher) SampleAt(rate int) (stop func(), err error) {
	if err := checkRate(rate); err != nil {
		return nil, err
	}
	if rate != report.MinSampling { // runtime/pprof sets this rate by itself
		runtime.SetCPUProfileRate(rate)
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		return nil, fmt.Errorf("exectrace: %w", err)
	}
	w.since.Store(int64(platform.Now()))
	return pprof.StopCPUProfile, nil
}

func checkRate(rate int) error {
	if rate < report.MinSampling || rate > report.MaxSampling {
		return fmt.Errorf("exectrace: %d samples a second; want %d to %d", rate, report.MinSampling,
			report.MaxSampling)
	}
	return nil
}
