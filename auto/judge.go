package auto

import (
	"slices"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

const (
	// judgeShare is the least interval between judgements, in multiples of the time of one.
	judgeShare = 50

	// mostOfZone limits the overhead of measuring a function, as a share of its time with its callees.
	mostOfZone = 0.1

	// leastWatched is the least time in seconds by which a wait is judged. A queue that fills at the start has short
	// waits first and long ones later, and the time of a muted wait looks like work of the function around it.
	leastWatched = 0.25

	// mostJudging is the greatest counted time of judging a node or a function. A longer time includes a wait for a
	// processor: on a busy machine it would delay the next judgement too long for a short program.
	mostJudging = 200 * time.Nanosecond
)

// judge periodically judges all functions by the frames since the last judgement. It is a sink, so that the session
// does not have to analyse frames for it.
type judge struct {
	mu    sync.Mutex
	next  time.Time     // earlier frames are left out
	spent time.Duration // judging time since the last judgement
	zones []judged      // by id
	waits []judged      // the same since the start, for zones that wait
	sub   []int64       // of WriteFrame: time with callees, by node

	length, cpu, overhead float64 // of these frames, in seconds
	whole                 float64 // length of all frames, in seconds

	known int           // number of zones compared with Settings.Muted
	other gather.ZoneID // "(other)", which holds the entries beyond a limit; 0 if unknown
}

// judged is a zone in these frames.
type judged struct {
	idle              bool
	count, hier, cost float64 // times are in ticks
}

// isCostly reports whether measuring a zone took too much of the time with its callees, in some seconds.
func (z *judged) isCostly(seconds float64) bool {
	return z.cost > mostOfZone*z.hier && z.count > leastRate*seconds
}

// WriteFrame adds a frame.
func (j *judge) WriteFrame(f *gather.Frame) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	begin := time.Now()
	if begin.Before(j.next) {
		return nil
	}
	for id := len(j.zones); id < len(f.Zones); id++ {
		if j.zones = append(j.zones, judged{}); isOther(f.Zones[id]) {
			j.other = gather.ZoneID(id)
		}
		j.waits = append(j.waits, judged{idle: f.Zones[id].Idle})
	}
	nodes := len(f.Zones)
	for i := range f.Lanes {
		j.add(f, &f.Lanes[i])
		nodes += len(f.Lanes[i].Nodes)
	}
	length := float64(f.End-f.Begin) / f.TicksPerSecond
	j.length, j.whole = j.length+length, j.whole+length
	j.cpu += f.CPU.Seconds()
	j.spent += tookFor(nodes, begin)
	return nil
}

// tookFor returns how long the work for some nodes or functions has taken, without long waits for a processor.
func tookFor(number int, since time.Time) time.Duration {
	return min(time.Since(since), time.Duration(number+1)*mostJudging)
}

// isOther reports whether a zone is "(other)" of package gather.
func isOther(z gather.ZoneInfo) bool { return z.Function == "" && z.Name == "(other)" }

// add adds a lane of a frame. Recursion too deep for separate nodes counts for the recursive function.
func (j *judge) add(f *gather.Frame, l *gather.LaneFrame) {
	const units = 1024 // of a cost in a tick
	pair, _ := f.CostsOn(l)
	j.sub = append(j.sub[:0], make([]int64, len(l.Nodes))...)
	for i := len(l.Nodes) - 1; i > 0; i-- {
		n := &l.Nodes[i]
		j.sub[i] += int64(n.Self)
		j.sub[n.Parent] += j.sub[i]
		z := &j.zones[n.Zone]
		if above := &l.Nodes[n.Parent]; n.Zone == j.other && j.other > 0 && above.Depth > 0 {
			z = &j.zones[above.Zone]
		} else if n.Depth == 0 {
			z.hier += float64(j.sub[i])
		}
		cost := float64(n.Count) * float64(pair) / units
		z.count, z.cost = z.count+float64(n.Count), z.cost+cost
		j.overhead += cost / f.TicksPerSecond
	}
}

// all mutes functions with an overhead above a tenth of their time; waits are judged since the start. While the total
// overhead is above mostOverhead, it also mutes those with the most calls.
func (j *judge) all() {
	j.muteKnown()
	j.mu.Lock()
	defer j.mu.Unlock()
	begin := time.Now()
	if j.length == 0 {
		return
	}
	zones := make([]called, 0, len(j.zones))
	for id := range j.zones {
		z := &j.zones[id]
		if id == 0 || id == int(j.other) || z.count == 0 || measure.Muted(gather.ZoneID(id)) {
			continue
		}
		zones = append(zones, called{gather.ZoneID(id), z.count})
		costly := z.isCostly(j.length)
		if w := &j.waits[id]; w.idle {
			w.count, w.hier, w.cost = w.count+z.count, w.hier+z.hier, w.cost+z.cost
			costly = w.isCostly(max(j.whole, leastWatched))
		}
		if costly {
			mute(gather.ZoneID(id))
		}
	}
	muteMost(zones, j.length, j.cpu, j.overhead)
	clear(j.zones)
	j.length, j.cpu, j.overhead = 0, 0, 0
	j.next, j.spent = time.Now().Add(judgeShare*(j.spent+tookFor(len(zones), begin))), 0
}

// muteKnown mutes the functions that earlier runs have muted, once they have a zone.
func (j *judge) muteKnown() {
	if len(settings().Muted) == 0 {
		return
	}
	for _, z := range zonesFrom(j.known + 1) {
		if j.known++; slices.Contains(settings().Muted, z.File+"\t"+z.Name) {
			mute(gather.ZoneID(j.known))
		}
	}
}
