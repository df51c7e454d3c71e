package auto

import (
	"cmp"
	"slices"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

const (
	// leastRate is the least number of calls a second of a function muted for its own overhead. Fewer calls of one
	// function cost too little to matter.
	leastRate = 20_000

	// spreadRate is the same while the total overhead is too large: a thousand functions may each have fewer calls than
	// leastRate. The function must also have leastCalls in the frame, because the first frames are short.
	spreadRate = 1_000
	leastCalls = 50

	// mostOverhead limits the total overhead, as a share of the rest of the program's processor time. It uses the cost
	// of a call in the loop of measure.Calibrate; in the program the cost is up to twice as high.
	mostOverhead = 0.05
)

// muted are the zones that were muted in this run.
var muted struct {
	sync.Mutex
	zones []gather.ZoneID
}

// called is the number of entries of a zone.
type called struct {
	zone  gather.ZoneID
	count float64
}

// zonesFrom returns the zones of the frames so far, from id on.
func zonesFrom(id int) (list []gather.ZoneInfo) {
	for ; ; id++ {
		z := process.Default().Zone(gather.ZoneID(id))
		if z == (gather.ZoneInfo{}) {
			return list
		}
		list = append(list, z)
	}
}

// callCost is the calibrated cost of measuring a call, in seconds.
var callCost = sync.OnceValue(func() float64 {
	const units = 1024 // of Calibrate in a tick
	return float64(measure.Calibrate()) / units / platform.TicksPerSecond()
})

// muteMost mutes the zones with the most calls until the others cost little enough. It ignores their own time: with
// more goroutines than processors that is mostly waiting for a processor. The times are in seconds. cpu is the
// program's processor time with the overhead, 0 if unknown. Rates are calls per second of processor time, which it
// takes to be at least a tenth of length: so it mutes little in a program that hardly works.
func muteMost(zones []called, length, cpu, overhead float64) {
	left := -mostOverhead * max(cpu-overhead, cpu/4) / callCost()
	for i := range zones {
		left += zones[i].count
	}
	if left <= 0 || cpu == 0 {
		return
	}
	slices.SortFunc(zones, func(a, b called) int { return cmp.Compare(b.count, a.count) })
	seconds := min(length, max(cpu, length/10))
	for _, z := range zones {
		if left <= 0 || z.count < max(spreadRate*seconds, leastCalls) {
			return
		}
		mute(z.zone)
		left -= z.count
	}
}

// mute mutes a zone, but only once: a user who unmutes it in a viewer wants to see it.
func mute(zone gather.ZoneID) {
	muted.Lock()
	defer muted.Unlock()
	if zone <= 0 || slices.Contains(muted.zones, zone) {
		return
	}
	measure.SetMuted(zone, true)
	muted.zones = append(muted.zones, zone)
}

// judgeRun judges the whole run, so that a short run mutes the same functions for the next build as a long one.
func judgeRun() {
	d := process.Default().Dump(report.DumpOptions{NoTrees: true, NoFrames: true, NoHistory: true})
	var zones []called
	muted.Lock()
	for _, z := range d.ZoneTotals() {
		if !slices.Contains(muted.zones, z.Zone) && !isOther(process.Default().Zone(z.Zone)) {
			zones = append(zones, called{z.Zone, z.Count})
		}
	}
	muted.Unlock()
	muteMost(zones, d.RunTime.Seconds(), d.CPU.Seconds(), d.Overhead.Seconds())
}

// mutedZones returns the muted functions in the order of their muting.
func mutedZones() (list []gather.ZoneInfo) {
	muted.Lock()
	defer muted.Unlock()
	for _, id := range muted.zones {
		list = append(list, process.Default().Zone(id))
	}
	return list
}
