package capture

import (
	"fmt"
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// judge finds frames above a limit. It has the limits by id, so that no frame needs a look-up by name.
type judge struct {
	options *BlackBoxOptions
	program uint64           // gather.Origin.Program of the frames
	zones   []time.Duration  // by ZoneID; 0 is no limit
	levels  []limit          // by counter
	hier    []platform.Ticks // scratch: by node
	sums    []platform.Ticks // scratch: by zone, all 0 between two lanes
}

// limit is the greatest value of a counter.
type limit struct {
	greatest float64
	set      bool
}

// trouble is why a file is due, and by what factor the frame is over the limit. A call of Trigger has the factor 1.
type trouble struct {
	reason string // "" for none
	excess float64
}

// worse is the least factor between two frames of which the second is worth a file of its own in the cool-down of the
// first.
const worse = 1.1

// exceeds reports whether t is clearly worse.
func (t trouble) exceeds(other trouble) bool { return t.excess > worse*other.excess }

// trouble returns why a frame triggers a file.
func (j *judge) trouble(f *gather.Frame, by *process.Judged) trouble {
	o, judged, budget := j.options, by.Time, by.Budget
	if f.Origin.Program != j.program {
		*j = judge{options: o, program: f.Origin.Program}
	}
	switch {
	case o.OverBudget > 0 && by.Unjudged && len(f.SlowCalls) > 0:
		return slowest(f)
	case o.OverBudget > 0 && budget > 0 && !by.Unjudged && judged.Seconds() > o.OverBudget*budget.Seconds():
		const format = "frame %d: %s ms busy%s, budget %s ms%s"
		return trouble{fmt.Sprintf(format, f.Index, ms(judged), orBlocked(f), ms(budget),
			machineBusy(f, judged-budget)), judged.Seconds() / (o.OverBudget * budget.Seconds())}
	case o.Pause > 0 && f.Memory.Pause > o.Pause:
		return trouble{fmt.Sprintf("frame %d: collector paused it for %s ms", f.Index, ms(f.Memory.Pause)),
			f.Memory.Pause.Seconds() / o.Pause.Seconds()}
	}
	if t := j.counter(f); t.reason != "" {
		return t
	}
	return j.zone(f)
}

// slowest returns the slow call of a frame that is furthest over its usual time. Without a budget, calls are what a
// program such as a server is late with.
func slowest(f *gather.Frame) (t trouble) {
	for i := range f.SlowCalls {
		c := &f.SlowCalls[i]
		if by := float64(c.End-c.Begin) / float64(max(c.Usual, 1)); by > t.excess {
			took := report.DurationOf(float64(c.End-c.Begin) / f.TicksPerSecond)
			t = trouble{fmt.Sprintf("interval %d: %s took %s ms, usually %s", f.Index, f.Zones[c.Zone].Name, ms(took),
				ms(report.DurationOf(float64(c.Usual)/f.TicksPerSecond))), by}
		}
	}
	return t
}

// orBlocked returns the words for the time of a frame that was also blocked in idle zones.
func orBlocked(f *gather.Frame) string {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		for k := range l.Nodes {
			if n := &l.Nodes[k]; l.Updater && f.Zones[n.Zone].Blocked && n.Self > 0 {
				return " or blocked"
			}
		}
	}
	return ""
}

// machineBusy returns words for a frame that is over budget because other programs had the processor, else "".
func machineBusy(f *gather.Frame, over time.Duration) string {
	if !f.Disturbed() || f.Away.Time < over/2 {
		return ""
	}
	return ", machine busy for " + ms(f.Away.Time) + " ms"
}

func ms(d time.Duration) string { return strconv.FormatFloat(d.Seconds()*1000, 'f', 1, 64) }

// counter returns which count or value is too great.
func (j *judge) counter(f *gather.Frame) (t trouble) {
	if len(j.options.Counters) == 0 {
		return t
	}
	for i := len(j.levels); i < len(f.Counters); i++ {
		most, set := j.options.Counters[f.Counters[i].Name]
		j.levels = append(j.levels, limit{most, set})
	}
	for _, v := range f.Values {
		if l := j.levels[v.Counter]; l.set && v.Value > l.greatest {
			t = trouble{fmt.Sprintf("frame %d: %s is %g", f.Index, f.Counters[v.Counter].Name, v.Value), 1}
			if l.greatest > 0 {
				t.excess = v.Value / l.greatest
			}
			return t
		}
	}
	return t
}

// zone returns which zone took too long.
func (j *judge) zone(f *gather.Frame) (t trouble) {
	if len(j.options.Zones) == 0 {
		return t
	}
	for i := len(j.zones); i < len(f.Zones); i++ {
		j.zones = append(j.zones, j.options.Zones[f.Zones[i].Name])
		j.sums = append(j.sums, 0)
	}
	for i := range f.Lanes {
		if zone, took := j.lane(f.Lanes[i].Nodes, f.TicksPerSecond); took > 0 {
			return trouble{fmt.Sprintf("frame %d: %s took %s ms", f.Index, f.Zones[zone].Name, ms(took)),
				took.Seconds() / j.zones[zone].Seconds()}
		}
	}
	return t
}

// lane returns a zone of a lane that took too long, and its time.
func (j *judge) lane(nodes []gather.Node, perSecond float64) (zone gather.ZoneID, took time.Duration) {
	j.hier = j.hier[:0]
	for i := range nodes {
		j.hier = append(j.hier, nodes[i].Self)
	}
	for i := len(nodes) - 1; i > 0; i-- {
		j.hier[nodes[i].Parent] += j.hier[i]
	}
	for i := range nodes { // the sum over all callers
		if n := &nodes[i]; j.zones[n.Zone] > 0 && n.Depth == 0 {
			j.sums[n.Zone] += j.hier[i]
		}
	}
	tick := float64(time.Second) / perSecond
	for i := range nodes {
		id := nodes[i].Zone
		most := j.zones[id]
		if most > 0 && took == 0 && float64(j.sums[id])*tick > float64(most) { // without a conversion of each
			if d := report.DurationOf(float64(j.sums[id]) / perSecond); d > most {
				zone, took = id, d
			}
		}
		j.sums[id] = 0
	}
	return zone, took
}
