package auto

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// What zones have waited is a share of the time since the start, so it changes less and less.
const (
	firstWaits = time.Second
	laterWaits = 10 * time.Second
	waitsShare = 100 // times as long as finding them takes passes at least before the next time
)

// waits are what zones have waited so far, for who watches the program while it runs. The report and the recording get
// them at the end. The goroutine of keep has it.
type waits struct {
	next   time.Time
	read   time.Duration // processor time when the samples were read last
	ran    time.Duration // RunTime of the last dump
	last   Notes         // the samples then
	before Notes         // samples that are of a time before Session.Reset
}

// show gives the session what zones have waited and where the samples fell, if others may look and it is time. It needs
// no goroutine to stand still.
func (w *waits) show() {
	begin := time.Now()
	if settings().Listen == "" || begin.Before(w.next) {
		return
	}
	defer gather.LeaveOutHeap(mostNoted)()
	run := w.soFar()
	process.Default().SetHotZones(run.Hot())
	end := time.Now()
	w.next = end.Add(max(min(max(time.Since(begun)/10, firstWaits), laterWaits), waitsShare*end.Sub(begin)))
}

// soFar returns what is known since the start or Session.Reset.
func (w *waits) soFar() *sampled.Run {
	if cpu := platform.CPUTime(); cpu-w.read >= time.Second/sampleRate {
		w.read = cpu
		readLinesNow()
	}
	var n Notes
	linesSoFar(&n)
	d := process.Default().Dump(report.DumpOptions{NoFrames: true, NoHistory: true, NoLanes: true,
		Nodes: report.DumpNodes})
	if d.RunTime < w.ran {
		w.before = w.last
	}
	w.ran, w.last = d.RunTime, n
	run := &sampled.Run{Dump: d, Samples: n.Samples, Sampled: n.Sampled, Outside: n.Outside, Muted: mutedZones()}
	if w.before.Sampled > 0 {
		run.Leave(&sampled.Run{Samples: w.before.Samples, Sampled: w.before.Sampled, Outside: w.before.Outside})
	}
	return run
}
