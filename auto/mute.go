package auto

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// A program without frames gets one each frameLength, as muting acts at the end of a frame, and muted functions are
// measured again in whole frames. All functions are judged at the end of each frame for judgeOften, and then each
// judgeEvery.
const (
	frameLength = 16 * time.Millisecond
	judgeOften  = 512 * time.Millisecond
	judgeEvery  = 256 * time.Millisecond
)

// leastRate is the least number of calls a second of a function that is muted. Fewer calls cost too little to matter.
const leastRate = 20_000

// muted are the zones that were muted in this run.
var muted struct {
	sync.Mutex
	zones []gather.ZoneID
}

// judge mutes functions with an overhead above a tenth of their time. It never returns.
func judge(frames bool) {
	var r process.Report
	start, last := time.Now(), time.Now()
	for now := range time.Tick(frameLength) {
		if !frames {
			iprof.Update()
		}
		if now.Sub(start) > judgeOften && now.Sub(last) < judgeEvery {
			continue
		}
		last = now
		view := process.View{Mode: process.ReportSelfTime, Average: process.AverageShort}
		iprof.Default().AppendReportOf(&r, view)
		for i := range r.Records {
			if record := &r.Records[i]; isCostly(record, r.Frame.Length) {
				mute(record.Zone)
			}
		}
	}
}

// isCostly reports whether the overhead of a zone is too large. length is the length of the frame in milliseconds.
func isCostly(r *process.Record, length float64) bool {
	return r.Costly && r.Zone > 0 && r.Values[process.ColumnCount]*1000 > leastRate*length
}

// mute mutes a zone, but only once: who unmutes it in a viewer wants to see it.
func mute(zone gather.ZoneID) {
	muted.Lock()
	defer muted.Unlock()
	if slices.Contains(muted.zones, zone) {
		return
	}
	gather.SetMuted(zone, true)
	muted.zones = append(muted.zones, zone)
}

// writeLearned adds the muted functions to a file, so that the next build leaves them out. Each line has a source file
// and a name. Errors are dropped, because a program never fails for its profiler.
func writeLearned(path string) {
	muted.Lock()
	defer muted.Unlock()
	if path == "" || len(muted.zones) == 0 {
		return
	}
	infos := iprof.Default().Dump(process.DumpOptions{NoFrames: true, NoHistory: true}).Zones
	old, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(bytes.ToValidUTF8(old, nil))), "\n")
	for _, id := range muted.zones {
		if int(id) < len(infos) {
			lines = append(lines, infos[id].File+"\t"+infos[id].Name)
		}
	}
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(line string) bool { return line == "" })
	_ = os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
