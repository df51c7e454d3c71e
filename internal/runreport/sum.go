package runreport

import (
	"cmp"
	"slices"
	"strings"

	"example.com/iprof/auto"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// sum is the run in numbers. Times are in milliseconds.
type sum struct {
	busy     float64 // in zones, without what waits and without the profiler
	profiler float64
	rows     []row   // by self time
	waits    float64 // in zones that only wait
	groups   []group // of goroutines, the longest first
}

// row is a zone that works.
type row struct {
	zone      process.ZoneID
	info      gather.ZoneInfo
	self      float64
	count     float64
	estimated bool
	caller    string // the zone around it with the most time; "" if there is none
}

// group is the goroutines of one go statement, or main.
type group struct {
	name       string
	goroutines int
	life, ran  float64
	waited     map[string]float64 // by what it waited for
}

// sum adds the run up.
func (r *Run) sum() *sum {
	s := new(sum)
	callers := r.callers()
	for _, z := range r.Dump.ZoneTotals() {
		info := r.zone(z.Zone)
		switch {
		case z.Zone == 0:
		case r.own[z.Zone]:
			s.profiler += z.Self
		case z.Idle:
			s.waits += z.Self
		case z.Count > 0 || z.Self > 0:
			s.busy += z.Self
			s.rows = append(s.rows, row{z.Zone, info, z.Self, z.Count, z.Estimated != gather.EstimatedNone,
				callers[z.Zone]})
		}
	}
	slices.SortStableFunc(s.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(b.count, a.count),
			strings.Compare(a.info.Name, b.info.Name))
	})
	s.groups = r.groups()
	return s
}

func (r *Run) zone(id process.ZoneID) gather.ZoneInfo {
	if int(id) < len(r.Dump.Zones) {
		return r.Dump.Zones[id]
	}
	return gather.ZoneInfo{}
}

// callers returns for each zone the name of the zone around it in which it took the most time.
func (r *Run) callers() map[process.ZoneID]string {
	type pair struct{ zone, caller process.ZoneID }
	took := map[pair]float64{}
	nodes := r.Dump.Merged
	for i := range nodes {
		at := nodes[i].Parent
		for at >= 0 && nodes[at].Zone == nodes[i].Zone {
			at = nodes[at].Parent
		}
		if at >= 0 && nodes[at].Zone != 0 {
			took[pair{nodes[i].Zone, nodes[at].Zone}] += nodes[i].Self
		}
	}
	most, name := map[process.ZoneID]float64{}, map[process.ZoneID]string{}
	for p, ms := range took {
		caller := r.zone(p.caller).Name
		if name[p.zone] == "" || ms > most[p.zone] || ms == most[p.zone] && caller < name[p.zone] {
			most[p.zone], name[p.zone] = ms, caller
		}
	}
	return name
}

// groups returns the goroutines in groups. The profiler's own is in none.
func (r *Run) groups() (list []group) {
	at := map[string]int{}
	for i := range r.Dump.Lanes {
		l := &r.Dump.Lanes[i]
		if strings.Contains(l.Name, "iprofWatch") || r.isOwnLane(l) {
			continue
		}
		name := process.Crowd(l.Name)
		if name == "" {
			name = l.Name
		}
		n, known := at[name]
		if !known {
			n = len(list)
			at[name] = n
			list = append(list, group{name: name, waited: map[string]float64{}})
		}
		list[n].add(r, l)
	}
	slices.SortStableFunc(list, func(a, b group) int { return cmp.Compare(b.life, a.life) })
	return list
}

// isOwnLane reports whether a goroutine entered no zone but the profiler's.
func (r *Run) isOwnLane(l *process.LaneTree) bool {
	own := false
	for i := range l.Nodes {
		if n := &l.Nodes[i]; n.Zone != 0 && !r.own[n.Zone] {
			return false
		}
		own = own || r.own[l.Nodes[i].Zone]
	}
	return own
}

func (g *group) add(r *Run, l *process.LaneTree) {
	g.goroutines++
	for i := range l.Nodes {
		switch n := &l.Nodes[i]; {
		case n.Zone == 0 || r.own[n.Zone]:
		case n.Idle:
			g.life += n.Self
			g.waited[r.zone(n.Zone).Name] += n.Self
		default:
			g.life += n.Self
			g.ran += n.Self
		}
	}
}

// samples returns the samples of the CPU profiler, those of the hottest lines first.
func (r *Run) samples() []auto.Sample {
	list := slices.Clone(r.Notes.Samples)
	slices.SortFunc(list, func(a, b auto.Sample) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Zone, b.Zone))
	})
	return list
}

// nsMuted is about what an entry of a muted zone costs, in nanoseconds: see BenchmarkMuted in package auto.
const nsMuted = 2

// Gain returns the share of the program's processor time that the zones of muted functions take: what a build without
// them gains.
func (r *Run) Gain() float64 {
	calls := 0.0
	for _, z := range r.Dump.ZoneTotals() {
		info := r.zone(z.Zone)
		same := func(m gather.ZoneInfo) bool { return m.File == info.File && m.Name == info.Name }
		if slices.ContainsFunc(r.Notes.Muted, same) {
			calls += z.Count
		}
	}
	if r.Dump.CPU <= 0 {
		return 0
	}
	return calls * nsMuted / float64(r.Dump.CPU)
}
