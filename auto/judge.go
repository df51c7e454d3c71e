package auto

import (
	"slices"
	"sync"
	"time"

	"example.com/iprof/gather"
)

const (
	// judgeShare is how many times as long as judging takes passes at least before the next time.
	judgeShare = 50

	// mostOfZone is the share of a function's time, with its callees, that measuring it may take.
	mostOfZone = 0.1
)

// judge judges all functions again and again, by what the frames since the last time say. It is a sink, so that the
// session need not look at a frame that nobody reads.
type judge struct {
	mu    sync.Mutex
	next  time.Time     // frames before are left out
	spent time.Duration // since the last time
	zones []judged      // by id
	sub   []int64       // of WriteFrame: time with callees, by node

	length, cpu, overhead float64 // of these frames, in seconds

	known int           // the last zone that was compared with Settings.Muted
	other gather.ZoneID // "(other)", where entries are that a limit left no node for; 0 before there is one
}

// judged is a zone in these frames.
type judged struct {
	count, hier, cost float64 // times are in ticks
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
	}
	for i := range f.Lanes {
		j.add(f, &f.Lanes[i])
	}
	j.length += float64(f.End-f.Begin) / f.TicksPerSecond
	j.cpu += f.CPU.Seconds()
	j.spent += time.Since(begin)
	return nil
}

// isOther reports whether a zone is "(other)" of package gather.
func isOther(z gather.ZoneInfo) bool { return z.Function == "" && z.Name == "(other)" }

// add adds a lane of a frame. What is too deep for nodes of its own counts for the function that calls itself.
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

// all mutes functions with an overhead above a tenth of their time, and those with the most calls while all overhead is
// above mostOverhead.
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
		if id == 0 || id == int(j.other) || z.count == 0 || gather.Muted(gather.ZoneID(id)) {
			continue
		}
		zones = append(zones, called{gather.ZoneID(id), z.count})
		if z.cost > mostOfZone*z.hier && z.count > leastRate*j.length {
			mute(gather.ZoneID(id))
		}
	}
	muteMost(zones, j.length, j.cpu, j.overhead)
	clear(j.zones)
	j.length, j.cpu, j.overhead = 0, 0, 0
	end := time.Now()
	j.next, j.spent = end.Add(judgeShare*(j.spent+end.Sub(begin))), 0
}

// muteKnown mutes the functions that earlier runs have muted, as soon as they have a zone.
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
