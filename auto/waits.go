package auto

import (
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The waits of zones are shares of the time since the start, so they change less and less.
const (
	firstWaits = time.Second
	laterWaits = 10 * time.Second
	waitsShare = 100 // times as long as finding them takes passes at least before the next time
)

// waits holds the waits of zones so far, for viewers of the running program. The report and the recording get them at
// the end. The goroutine of keep owns it.
type waits struct {
	next   time.Time
	read   time.Duration // processor time when the samples were read last
	ran    time.Duration // RunTime of the last dump
	last   Notes         // the samples then
	before Notes         // samples that are of a time before Session.Reset
}

// show gives the waits of zones and the lines of samples to the session, if viewers may look and the interval is over.
// It stops no goroutine.
func (w *waits) show() {
	begin := time.Now()
	if settings().Listen == "" || begin.Before(w.next) {
		return
	}
	defer measure.LeaveOutHeap(mostNoted)()
	run := w.soFar()
	process.Default().SetSources(func(c *process.Sources) { c.Hot = run.Hot() })
	end := time.Now()
	w.next = end.Add(max(min(max(time.Since(begun)/10, firstWaits), laterWaits), waitsShare*end.Sub(begin)))
}

// soFar returns the samples since the start or Session.Reset.
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
	run := &sampled.Run{Dump: d, Samples: n.Samples, Sampled: n.Sampled, Outside: n.Outside, Muted: mutedZones(),
		Partial: n.Yielded, Beside: collected() + time.Duration(worked.Load())}
	if w.before.Sampled > 0 {
		run.Leave(&sampled.Run{Samples: w.before.Samples, Sampled: w.before.Sampled, Outside: w.before.Outside})
	}
	return run
}
