package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/whatif"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// Bounds of what a table of gains keeps.
const (
	mostStretches = 1 << 22
	mostGains     = 32 // zones that are replayed: those with the most time
)

// gainKind lists what a frame gains if a zone works less.
var gainKind = &Kind{Name: "gain", Words: "list by how much frames or requests would be shorter if a zone were faster",
	By: []string{"zone"}, late: true, find: (*reading).gains, end: (*reading).gained,
	sums: []column{{"least20_ms", sum, 0}, {"most20_ms", sum, 1}, {"least50_ms", sum, 2}, {"most50_ms", sum, 3},
		{"least100_ms", sum, 4}, {"most100_ms", sum, 5}},
	Missing: "the capture has no gains: they need events (iprof.SetEvents(1 << 16)) and the states of an execution " +
		"trace, as files of watch.BlackBox (package exectrace) have them; iprof top has the times"}

// gainShares are the shares of its work that a zone saves.
var gainShares = [...]float64{0.2, 0.5, 1}

// recording is what replays need.
type recording struct {
	lanes   map[gather.LaneID]*recorded
	routes  []whatif.Call
	updater gather.LaneID
	main    gather.LaneID // of goroutine 1
	count   int
	dropped uint64
}

// recorded is a lane of a recording.
type recorded struct {
	whatif.Lane
	open []open
	last platform.Ticks // time of its last event
}

// lane returns a lane.
func (g *recording) lane(id gather.LaneID) *recorded {
	l := g.lanes[id]
	if g.lanes == nil {
		g.lanes = map[gather.LaneID]*recorded{}
	}
	if l == nil {
		l = &recorded{Lane: whatif.Lane{ID: id}}
		g.lanes[id] = l
	}
	return l
}

// gains adds the events and the states of a frame.
func (r *reading) gains(f *gather.Frame, chosen bool) {
	g := &r.recording
	r.past = append(r.past, frameTime{f.Begin, f.End, f.Index, chosen})
	for i := range f.Lanes {
		l := &f.Lanes[i]
		of := g.lane(l.ID)
		of.Device = l.Device
		if l.Updater {
			g.updater = l.ID
		}
		if l.Goroutine == 1 {
			g.main = l.ID
		}
		r.lane(l.ID, l.Name)
	}
	for i := range f.States {
		if q := &f.States[i]; q.Lane != 0 && g.room() {
			l := g.lane(q.Lane)
			l.States = append(l.States, *q)
		}
	}
	r.eachEvent(f, func(l *lane, e *gather.Event) { r.stretch(g.lane(l.id), e) })
}

// room reports whether one thing more may be kept.
func (g *recording) room() bool {
	if g.count >= mostStretches {
		g.dropped++
		return false
	}
	g.count++
	return true
}

// stretch ends the stretch of a lane before an event.
func (r *reading) stretch(l *recorded, e *gather.Event) {
	level := int(e.Level)
	if level < 0 || level >= mostDeep {
		return
	}
	if n := len(l.open); n > 0 && e.Time > l.last {
		if o := &l.open[n-1]; o.path > 0 && r.recording.room() {
			l.Stretches = append(l.Stretches, whatif.Stretch{Path: o.path, Idle: r.zones[o.zone].Idle, Begin: l.last,
				End: e.Time})
		}
	}
	l.last = e.Time
	if e.End {
		if level < len(l.open) {
			r.routeCall(l, &l.open[level], e.Time)
			l.open = l.open[:level]
		}
		return
	}
	l.open = r.paths.enter(l.open, e)
}

// routeCall keeps the call of a route.
func (r *reading) routeCall(l *recorded, o *open, end platform.Ticks) {
	if o.zone > 0 && report.IsRoute(r.zones[o.zone].Name) && r.recording.room() {
		r.routed = true
		r.recording.routes = append(r.recording.routes, whatif.Call{Lane: l.ID, Begin: o.begin, End: end})
	}
}

// gained replays the recording, and adds a row for each zone.
func (r *reading) gained(in *framefile.Reader) {
	g := &r.recording
	if g.updater == 0 {
		if g.updater = g.main; len(r.past) > 0 && !r.routed { // without frames of its own, the run is one
			r.past = []frameTime{{r.past[0].begin, r.past[len(r.past)-1].end, 0, true}}
		}
	}
	whole := whatif.Recording{PerMS: r.perMS, Updater: g.updater}
	for _, l := range g.lanes {
		if len(l.States) > 0 || l.Device {
			sort.SliceStable(l.States, func(i, k int) bool { return l.States[i].Begin < l.States[k].Begin })
			whole.Lanes = append(whole.Lanes, l.Lane)
		}
	}
	slices.SortFunc(whole.Lanes, func(a, b whatif.Lane) int { return cmp.Compare(a.ID, b.ID) })
	whole.Processors = processors(whole.Lanes, in.Info().Machine)
	var programs []*whatif.Program
	frames := 0
	for _, borders := range r.runs() {
		part := whole
		part.Lanes, part.Borders = slices.Clone(whole.Lanes), borders
		for _, c := range g.routes {
			if c.Begin >= borders[0] && c.End <= borders[len(borders)-1] {
				part.Calls = append(part.Calls, c)
			}
		}
		if p, err := whatif.Compile(&part); err == nil {
			programs = append(programs, p)
			frames += len(borders) - 1
		}
	}
	if g.dropped > 0 {
		r.note("%d events and states are left out: there was no room", g.dropped)
	}
	if len(programs) > 0 {
		r.frames = uint64(frames)
		r.listGains(programs)
	}
}

// processors returns the number of processors: as many goroutines as ran at once if others waited for one, else those
// of the machine.
func processors(lanes []whatif.Lane, machine string) int {
	type edge struct {
		at   platform.Ticks
		more int
	}
	var edges []edge
	ran, waited := platform.Ticks(0), platform.Ticks(0)
	for i := range lanes {
		for k := range lanes[i].States {
			switch q := &lanes[i].States[k]; q.Kind {
			case gather.StateRunning, gather.StateAssist, gather.StateMarking:
				edges = append(edges, edge{q.Begin, 1}, edge{q.End, -1})
				ran += q.End - q.Begin
			case gather.StateRunnable:
				waited += q.End - q.Begin
			}
		}
	}
	sort.Slice(edges, func(i, k int) bool {
		return edges[i].at < edges[k].at || edges[i].at == edges[k].at && edges[i].more < edges[k].more
	})
	running, most := 0, 1
	for _, e := range edges {
		running += e.more
		most = max(most, running)
	}
	all := most
	_, words, _ := strings.Cut(machine, ", ")
	if _, err := fmt.Sscanf(words, "%d processors", &all); err != nil || waited > ran/50 {
		return most
	}
	return max(all, most)
}

// runs returns the borders of frames in sequence that are chosen, and of which nine tenths have states of the lane that
// ends them.
func (r *reading) runs() (runs [][]platform.Ticks) {
	states := r.recording.lane(r.recording.updater).States
	var run []platform.Ticks
	end := func() {
		if len(run) > 1 {
			runs = append(runs, run)
		}
		run = nil
	}
	for i := range r.past {
		p := &r.past[i]
		covered := platform.Ticks(0)
		at := sort.Search(len(states), func(i int) bool { return states[i].End > p.begin })
		for ; at < len(states) && states[at].Begin < p.end; at++ {
			covered += min(states[at].End, p.end) - max(states[at].Begin, p.begin)
		}
		if !p.chosen || covered < (p.end-p.begin)/10*9 {
			end()
			continue
		}
		if len(run) == 0 || run[len(run)-1] != p.begin {
			end()
			run = append(run, p.begin)
		}
		run = append(run, p.end)
	}
	end()
	return runs
}

// listGains adds a row for each zone with much time.
func (r *reading) listGains(programs []*whatif.Program) {
	fit, frames := 0.0, 0.0
	for _, p := range programs {
		fit, frames = fit+p.Fit*float64(p.Frames()), frames+float64(p.Frames())
	}
	zones := r.zonesByTime()
	if len(zones) > mostGains {
		r.note("of %d zones the %d with the most time are replayed", uint64(len(zones)), uint64(mostGains))
		zones = zones[:mostGains]
	}
	fits := math.Abs(fit/frames-1) < mostUnfit
	if !fits {
		r.note("gains are not known: the unchanged program takes %.2f times as long in the replay", fit/frames)
	}
	best, then := fact{}, gather.LaneID(0)
	for _, zone := range zones {
		t := fact{zone: zone}
		if !fits {
			t.values = [7]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
			r.add(&t)
			continue
		}
		waits := r.gainOf(programs, frames, &t)
		if r.add(&t); t.values[0] > best.values[0] {
			best, then = t, waits
		}
	}
	r.sayGain(&best, then)
}

// gainOf computes the gains of a zone. It returns the lane for which a frame then waits longer, or 0.
func (r *reading) gainOf(programs []*whatif.Program, frames float64, t *fact) (then gather.LaneID) {
	chosen := r.pathsWith(t.zone)
	for i, share := range gainShares {
		for _, p := range programs {
			g := p.Gain(whatif.Faster(chosen, share))
			part := float64(p.Frames()) / frames / r.perMS
			t.values[2*i] += g.Least * part
			if t.values[2*i+1] += g.Most * part; i == 0 && g.Then != 0 {
				then = g.Then
			}
		}
	}
	return then
}

// sayGain says in a sentence what the zone with the greatest gain gives.
func (r *reading) sayGain(best *fact, then gather.LaneID) {
	if best.zone == 0 {
		return
	}
	of := "a frame"
	switch {
	case r.routed:
		of = "a request"
	case len(r.past) == 1:
		of = "the run"
	}
	words := fmt.Sprintf("if %s took 20 %% less, %s would be %.2f to %.2f ms shorter", r.zones[best.zone].Name, of,
		best.values[0], best.values[1])
	if l := r.lanes[then]; l != nil && then != 0 {
		words += "; it would then wait longer for " + l.name
	}
	r.notes = append(r.notes, words)
}

// mostUnfit is the greatest relative error of the replay of an unchanged program.
const mostUnfit = 0.15

// zoneTime is the work of a zone with that of zones in it.
type zoneTime struct {
	zone gather.ZoneID
	time platform.Ticks
}

// zonesByTime returns the chosen zones that work, those with the most work first.
func (r *reading) zonesByTime() (zones []gather.ZoneID) {
	times := make([]platform.Ticks, len(r.paths.steps))
	for _, l := range r.recording.lanes {
		for i := range l.Stretches {
			if q := &l.Stretches[i]; !q.Idle {
				times[q.Path] += q.End - q.Begin
			}
		}
	}
	of := map[gather.ZoneID]platform.Ticks{}
	for path, t := range times {
		seen := map[gather.ZoneID]bool{}
		for at := int32(path); at > 0 && t > 0; at = r.paths.steps[at].above {
			if z := r.paths.steps[at].zone; !seen[z] {
				seen[z] = true
				of[z] += t
			}
		}
	}
	var list []zoneTime
	for z, t := range of {
		if z > 0 && !r.zones[z].Idle && r.takes(&fact{zone: z}) {
			list = append(list, zoneTime{z, t})
		}
	}
	sort.Slice(list, func(i, k int) bool {
		return list[i].time > list[k].time || list[i].time == list[k].time && list[i].zone < list[k].zone
	})
	for i := range list {
		zones = append(zones, list[i].zone)
	}
	return zones
}

// pathsWith returns by number which paths have a zone.
func (r *reading) pathsWith(zone gather.ZoneID) []bool {
	has := make([]bool, len(r.paths.steps))
	for path := 1; path < len(has); path++ { // a path comes after the one above it
		step := r.paths.steps[path]
		has[path] = step.zone == zone || has[step.above]
	}
	return has
}
