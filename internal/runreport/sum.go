package runreport

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/auto"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// sum is the run in numbers. Times are in milliseconds.
type sum struct {
	busy     float64 // in zones, without what waits and without the profiler
	worked   float64 // what of that is no wait that samples showed
	waiting  bool    // samples showed that a good part of busy was spent waiting, so shares are of worked
	profiler float64
	rows     []row   // by self time without waits
	waits    float64 // in zones that only wait
	groups   []group // of goroutines, the longest first
}

// row is a zone that works.
type row struct {
	zone      report.ZoneID
	info      gather.ZoneInfo
	self      float64
	waited    float64 // what of self had no processor, by the samples
	count     float64
	estimated gather.Estimated
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
	s := &sum{profiler: (r.Notes.Own + r.Dump.Overhead).Seconds() * 1000}
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
			s.rows = append(s.rows, row{zone: z.Zone, info: info, self: z.Self, count: z.Count,
				estimated: z.Estimated, caller: callers[z.Zone]})
		}
	}
	waits := s.findWaits(r)
	slices.SortStableFunc(s.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.self-b.waited, a.self-a.waited), cmp.Compare(b.self, a.self),
			cmp.Compare(b.count, a.count), strings.Compare(a.info.Name, b.info.Name))
	})
	s.groups = r.groups(waits)
	return s
}

const (
	sampleMS    = 10 // processor time between two samples
	fewest      = 10 // samples of the run that say anything about waits
	waitingPart = 0.1
)

// findWaits sets what of each row's self time had no processor, and returns its share of that by zone. Zones measure
// the time that passes, samples that of processors. A difference within the samples' spread is none.
func (s *sum) findWaits(r *Run) map[report.ZoneID]float64 {
	s.worked = s.busy
	cpu := r.Dump.CPU.Seconds() * 1000
	if n := float64(r.Notes.Sampled); n < fewest || n*sampleMS < cpu/2 { // they were lost
		return nil
	}
	sampled := map[string]float64{}
	for _, l := range r.Notes.Samples {
		sampled[l.Zone] += float64(l.Count)
	}
	waits := map[report.ZoneID]float64{}
	for i := range s.rows {
		z := &s.rows[i]
		n := sampled[z.info.Function]
		if most := sampleMS * (n + 2*math.Sqrt(n+1) + 1); z.info.Function != "" && z.self > 1.5*most {
			z.waited = z.self - sampleMS*n
			waits[z.zone] = z.waited / z.self
			s.worked -= z.waited
		}
	}
	s.waiting = s.busy-s.worked > waitingPart*s.busy
	return waits
}

func (r *Run) zone(id report.ZoneID) gather.ZoneInfo {
	if int(id) < len(r.Dump.Zones) {
		return r.Dump.Zones[id]
	}
	return gather.ZoneInfo{}
}

// callers returns for each zone the name of the zone around it in which it took the most time.
func (r *Run) callers() map[report.ZoneID]string {
	type pair struct{ zone, caller report.ZoneID }
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
	most, name := map[report.ZoneID]float64{}, map[report.ZoneID]string{}
	for p, ms := range took {
		caller := r.zone(p.caller).Name
		if name[p.zone] == "" || ms > most[p.zone] || ms == most[p.zone] && caller < name[p.zone] {
			most[p.zone], name[p.zone] = ms, caller
		}
	}
	return name
}

// groups returns the goroutines in groups. The profiler's own is in none. Waits has the share of zones' self time that
// was spent waiting.
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
	slices.SortStableFunc(list, func(a, b group) int { return cmp.Compare(b.life, a.life) })
	return list
}

// isOwnLane reports whether a goroutine entered no zone but the profiler's.
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
				g.waited["in "+r.zone(n.Zone).Name] += n.Self * waits[n.Zone]
			}
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
