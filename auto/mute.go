package auto

import (
	"cmp"
	"slices"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

const (
	// leastRate is the least number of calls a second of a function that is muted because measuring takes too much of
	// it. Fewer calls of one function cost too little to matter.
	leastRate = 20_000

	// spreadRate is the same while measuring all functions costs too much: a thousand functions may have fewer calls
	// than leastRate each. And there are leastCalls in the frame, as the first ones are short.
	spreadRate = 1_000
	leastCalls = 50

	// mostOverhead is what measuring all functions may cost, as a share of the rest of the program's processor time.
	// The cost of a call in the program is up to twice that in the loop of gather.Calibrate, which counts here.
	mostOverhead = 0.05
)

// muted are the zones that were muted in this run.
var muted struct {
	sync.Mutex
	zones []gather.ZoneID
}

// called is how often a zone was entered.
type called struct {
	zone  gather.ZoneID
	count float64
}

// zonesFrom returns the zones of the frames so far, from an id on.
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
	return float64(gather.Calibrate()) / units / platform.TicksPerSecond()
})

// muteMost mutes the zones with the most calls until the others cost little enough. Their own time does not count: with
// more goroutines than processors it is mostly that of waiting for one. The times are in seconds. cpu is the program's
// processor time with the overhead, 0 if it is not known. Rates are of the time in which the program had a processor,
// but of a tenth of length at least: of a program that hardly works, little is muted.
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

// mute mutes a zone, but only once: who unmutes it in a viewer wants to see it.
func mute(zone gather.ZoneID) {
	muted.Lock()
	defer muted.Unlock()
	if zone <= 0 || slices.Contains(muted.zones, zone) {
		return
	}
	gather.SetMuted(zone, true)
	muted.zones = append(muted.zones, zone)
}

// judgeRun judges the whole run, so that a short run teaches as much as a long one.
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

// mutedZones returns the muted functions in the order in which they were muted.
func mutedZones() (list []gather.ZoneInfo) {
	muted.Lock()
	defer muted.Unlock()
	for _, id := range muted.zones {
		list = append(list, process.Default().Zone(id))
	}
	return list
}
