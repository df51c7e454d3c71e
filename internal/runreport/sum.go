package runreport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// sum is the run in numbers. Times are in milliseconds.
type sum struct {
	*sampled.Sum
	profiler measuring
	rows     []row   // by self time without waits
	groups   []group // of goroutines, the longest first
}

// row is a zone with work.
type row struct {
	sampled.Row
	caller string // the enclosing zone with the most time; "" without one
}

// group is the goroutines of one go statement, or main.
type group struct {
	name       string
	goroutines int
	life, ran  float64
	waited     map[string]float64 // by cause
}

// sum adds the run up.
func (r *Run) sum() *sum {
	of, waits := r.sampled().Sum()
	s := &sum{Sum: of, profiler: r.measuring(r.Notes.Own.Seconds()*1000 + of.Own)}
	callers := r.callers()
	for _, z := range of.Rows {
		s.rows = append(s.rows, row{z, callers[z.Zone]})
	}
	s.rows = addRounds(s.rows)
	s.groups = r.groups(waits)
	return s
}

// measuring is the processor time of the profiler in milliseconds, and an interval for the true time. high is 0 if it
// is not known.
type measuring struct{ ms, low, high float64 }

// measuring returns the time of entries of zones, by their calibrated cost, or by samples if that is more, as where
// goroutines wait for each other in the profiler. The profiler's other work took own.
func (r *Run) measuring(own float64) measuring {
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	m := measuring{ms(r.Dump.Overhead), ms(r.Dump.OverheadLow), ms(r.Dump.OverheadHigh)}
	if r.Notes.Measuring >= leastSamples && r.Notes.Sampled != 0 {
		sampled := ms(r.Dump.CPU) * float64(r.Notes.Measuring) / float64(r.Notes.Sampled)
		if off := 2 / math.Sqrt(float64(r.Notes.Measuring)); sampled > m.ms { // two standard errors
			m = measuring{sampled, sampled * (1 - off), sampled * (1 + off)}
		}
	}
	m.ms, m.low = m.ms+own, m.low+own
	if m.high > 0 {
		m.high += own
	}
	return m
}

// of returns the share of a processor time that is named what, with its interval.
func (m measuring) of(cpu float64, what string) string {
	percent := func(ms float64) float64 { return min(100, 100*ms/cpu) }
	share := fmt.Sprintf("%.1f %% of %s", percent(m.ms), what)
	if m.high > 0 {
		share += fmt.Sprintf(" (%.1f to %.1f)", percent(m.low), percent(m.high))
	}
	return share
}

// sampled returns the run as the source of samples.
func (r *Run) sampled() *sampled.Run {
	return &sampled.Run{Dump: r.Dump, Samples: r.Notes.Samples, Sampled: r.Notes.Sampled, Outside: r.Notes.Outside,
		Muted: r.Notes.Muted, Partial: r.Notes.Yielded, Away: r.Notes.Away, Beside: r.Notes.GC + r.Notes.Own}
}

func (r *Run) zone(id report.ZoneID) gather.ZoneInfo {
	if int(id) < len(r.Dump.Zones) {
		return r.Dump.Zones[id]
	}
	return gather.ZoneInfo{}
}

// unmeasured is the name of the zone above the entries of goroutines without a lane. It called nothing.
const unmeasured = "(unmeasured goroutines)"

// callers returns for each zone the name of the enclosing zone in which it took the most time.
func (r *Run) callers() map[report.ZoneID]string {
	type pair struct{ zone, caller report.ZoneID }
	took := map[pair]float64{}
	nodes := r.Dump.Merged
	for i := range nodes {
		at := nodes[i].Parent
		for at >= 0 && (nodes[at].Zone == nodes[i].Zone || r.isSame(nodes[at].Zone, nodes[i].Zone)) {
			at = nodes[at].Parent
		}
		if at >= 0 && nodes[at].Zone != 0 && r.zone(nodes[at].Zone).Name != unmeasured {
			took[pair{nodes[i].Zone, nodes[at].Zone}] += nodes[i].Self
		}
	}
	most, name := map[report.ZoneID]float64{}, map[report.ZoneID]string{}
	for p, ms := range took {
		caller := aroundRoundZone(r.zone(p.caller).Name)
		if name[p.zone] == "" || ms > most[p.zone] || ms == most[p.zone] && caller < name[p.zone] {
			most[p.zone], name[p.zone] = ms, caller
		}
	}
	return name
}

// isSame reports whether two zones have one name and function: the function's own zone, and one in its code.
func (r *Run) isSame(a, b report.ZoneID) bool {
	first, second := r.zone(a), r.zone(b)
	return first.Name == second.Name && first.Function == second.Function
}

// groups returns the goroutines in groups, without the profiler's own. waits holds the share of each zone's self time
// spent waiting.
func (r *Run) groups(waits map[report.ZoneID]float64) (list []group) {
	at := map[string]int{}
	for i := range r.Dump.Lanes {
		l := &r.Dump.Lanes[i]
		if r.isOwnLane(l) {
			continue
		}
		name := report.Crowd(l.Name)
		if name == "" {
			name = l.Name
		}
		n, known := at[name]
		if !known {
			n = len(list)
			at[name] = n
			list = append(list, group{name: name, waited: map[string]float64{}})
		}
		list[n].add(r, l, waits)
	}
	for i := range r.Notes.Spawns { // also those without a lane
		if n, known := at[plainName(r.Notes.Spawns[i].Crowd)]; known {
			list[n].goroutines = max(list[n].goroutines, int(r.Notes.Spawns[i].Goroutines))
		}
	}
	slices.SortStableFunc(list, func(a, b group) int { return cmp.Compare(b.life, a.life) })
	return list
}

// isOwnLane reports whether a goroutine entered only the profiler's zones.
func (r *Run) isOwnLane(l *report.LaneTree) bool {
	own := false
	for i := range l.Nodes {
		if n := &l.Nodes[i]; n.Zone != 0 && !r.own[n.Zone] {
			return false
		}
		own = own || r.own[l.Nodes[i].Zone]
	}
	return own
}

func (g *group) add(r *Run, l *report.LaneTree, waits map[report.ZoneID]float64) {
	g.goroutines++
	for i := range l.Nodes {
		switch n := &l.Nodes[i]; {
		case n.Zone == 0 || r.own[n.Zone]:
		case n.Idle:
			g.life += n.Self
			g.waited[r.zone(n.Zone).Name] += n.Self
		default:
			g.life += n.Self
			g.ran += n.Self * (1 - waits[n.Zone])
			if waits[n.Zone] > 0 {
				g.waited["in "+aroundRoundZone(r.zone(n.Zone).Name)] += n.Self * waits[n.Zone]
			}
		}
	}
}

// nsMuted is the cost of an entry of a muted zone in real programs: that of a goroutine with a lane in docs/cost.md.
// Without a lane it costs more: see BenchmarkWithoutLane in package measure. Beside other work of the same function it
// may cost less: see docs/governor.md.
const nsMuted = 6

// Gain returns the program's processor time in muted zones: the gain of a build without them.
func (r *Run) Gain() time.Duration {
	calls := 0.0
	for _, z := range r.Dump.ZoneTotals() {
		info := r.zone(z.Zone)
		same := func(m gather.ZoneInfo) bool { return m.File == info.File && m.Name == info.Name }
		if slices.ContainsFunc(r.Notes.Muted, same) {
			calls += z.Count
		}
	}
	return min(time.Duration(calls*nsMuted), r.Dump.CPU)
}
