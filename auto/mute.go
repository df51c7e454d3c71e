package auto

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/iprof"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// A program without frames gets one each frameLength, as muting acts at the end of a frame, and muted functions are
// measured again in whole frames. All functions are judged at the end of each frame, as long as that takes at most one
// part in judgeShare of the time.
const (
	frameLength = 16 * time.Millisecond
	judgeShare  = 16
)

const (
	// leastRate is the least number of calls a second of a function that is muted. Fewer calls cost too little to
	// matter.
	leastRate = 20_000

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

// judge judges all functions again and again. It never returns.
func judge(frames bool) {
	var r process.Report
	var next time.Time
	view := process.View{Mode: process.ReportSelfTime, Average: process.AverageInstant}
	if frames {
		view.Average = process.AverageShort // one frame of a game mutes nothing
	}
	for now := range time.Tick(frameLength) {
		if !frames {
			iprof.Update()
		}
		if now.Before(next) {
			continue
		}
		begin := time.Now()
		iprof.Default().AppendReportOf(&r, view)
		judgeFrame(&r)
		next = now.Add(judgeShare * time.Since(begin))
	}
}

// judgeFrame mutes functions with an overhead above a tenth of their time, and those with the most calls while all
// overhead is above mostOverhead.
func judgeFrame(r *process.Report) {
	zones := make([]called, 0, len(r.Records))
	for i := range r.Records {
		record := &r.Records[i]
		count := record.Values[process.ColumnCount]
		if record.Estimated == gather.EstimatedCount {
			continue // it is muted
		}
		if zones = append(zones, called{record.Zone, count}); record.Costly && count*1000 > leastRate*r.Frame.Length {
			mute(record.Zone)
		}
	}
	muteMost(zones, r.Frame.Length/1000, r.Frame.CPU/1000, r.Frame.Overhead*r.Frame.Length/1000)
}

// callCost is the calibrated cost of measuring a call, in seconds.
var callCost = sync.OnceValue(func() float64 {
	const units = 1024 // of Calibrate in a tick
	return float64(gather.Calibrate()) / units / platform.TicksPerSecond()
})

// muteMost mutes the zones with the most calls until the others cost little enough. Their own time does not count: with
// more goroutines than processors it is mostly that of waiting for one. The times are in seconds. cpu is the program's
// processor time with the overhead, 0 if it is not known.
func muteMost(zones []called, length, cpu, overhead float64) {
	left := -mostOverhead * max(cpu-overhead, cpu/4) / callCost()
	for i := range zones {
		left += zones[i].count
	}
	if left <= 0 || cpu == 0 {
		return
	}
	slices.SortFunc(zones, func(a, b called) int { return cmp.Compare(b.count, a.count) })
	for _, z := range zones {
		if left <= 0 || z.count < leastRate*length {
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

// judgeAll judges the whole run, so that a short run teaches as much as a long one. It returns the zones.
func judgeAll() []gather.ZoneInfo {
	d := iprof.Default().Dump(process.DumpOptions{NoFrames: true, NoHistory: true})
	var zones []called
	muted.Lock()
	for _, z := range d.ZoneTotals() {
		if !slices.Contains(muted.zones, z.Zone) {
			zones = append(zones, called{z.Zone, z.Count})
		}
	}
	muted.Unlock()
	muteMost(zones, d.RunTime.Seconds(), d.CPU.Seconds(), d.Overhead.Seconds())
	return d.Zones
}

// mutedZones returns the muted functions in the order in which they were muted. zones are all, by id.
func mutedZones(zones []gather.ZoneInfo) (list []gather.ZoneInfo) {
	muted.Lock()
	defer muted.Unlock()
	for _, id := range muted.zones {
		if int(id) < len(zones) {
			list = append(list, zones[id])
		}
	}
	return list
}

// writeMuted lists the muted functions. Without any it makes no Dump, as it is part of each snapshot.
func writeMuted(w io.Writer) {
	muted.Lock()
	any := len(muted.zones) > 0
	muted.Unlock()
	if any {
		d := iprof.Default().Dump(process.DumpOptions{NoFrames: true, NoHistory: true})
		_ = text.WriteMuted(w, mutedZones(d.Zones))
	}
}

// writeLearned adds the muted functions to a file, so that the next build leaves them out. Each line has a source file
// and a name. Errors are dropped, because a program never fails for its profiler.
func writeLearned(path string) {
	if path == "" {
		return
	}
	zones := mutedZones(judgeAll())
	if len(zones) == 0 {
		return
	}
	old, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(bytes.ToValidUTF8(old, nil))), "\n")
	for _, z := range zones {
		lines = append(lines, z.File+"\t"+z.Name)
	}
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(line string) bool { return line == "" })
	_ = os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
