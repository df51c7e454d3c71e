package runreport

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

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
	outside  float64 // in no zone
	groups   []group // of goroutines, the longest first
}

// row is a zone that works.
type row struct {
	zone      report.ZoneID
	info      gather.ZoneInfo
	self      float64
	waited    float64 // what of self had no processor, by the samples
	sampled   bool    // it is muted, and self is by the samples
	unknown   bool    // what of self was work is at most self-waited
	measured  float64 // self before the samples
	count     float64
	estimated gather.Estimated
	off       float64 // standard error of self, if it is estimated
	caller    string  // the zone around it with the most time; "" if there is none
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
	callers, off := r.callers(), r.standardErrors()
	for _, z := range r.Dump.ZoneTotals() {
		info := r.zone(z.Zone)
		switch {
		case z.Zone == 0:
			s.outside = max(z.Self, 0)
		case r.own[z.Zone]:
			s.profiler += z.Self
		case z.Idle:
			s.waits += z.Self
		case z.Count > 0 || z.Self > 0:
			s.busy += z.Self
			s.rows = append(s.rows, row{zone: z.Zone, info: info, self: z.Self, measured: z.Self, count: z.Count,
				estimated: z.Estimated, off: off[z.Zone], caller: callers[z.Zone]})
		}
	}
	waits := s.useSamples(r)
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

// useSamples corrects the rows by the samples, if there are enough. It returns the share of self time that was spent
// waiting, by zone.
func (s *sum) useSamples(r *Run) (waits map[report.ZoneID]float64) {
	s.worked = s.busy
	cpu := r.Dump.CPU.Seconds() * 1000
	if n := float64(r.Notes.Sampled); n < fewest || n*sampleMS < cpu/2 { // they were lost
		waits = s.findLongWaits(cpu)
	} else {
		sampled := map[string]float64{}
		for _, l := range r.Notes.Samples {
			sampled[l.Zone] += float64(l.Count)
		}
		s.timeMuted(r, sampled)
		waits = s.findWaits(sampled, float64(r.Notes.Outside[auto.Foreign]))
	}
	s.waiting = s.busy-s.worked > waitingPart*s.busy
	return waits
}

// findLongWaits is findWaits without samples: what took much longer than the process had a processor has waited. Then
// so has all else that took longer than that. What of these was work is not known, but no more than the process had.
func (s *sum) findLongWaits(cpu float64) map[report.ZoneID]float64 {
	waits := map[report.ZoneID]float64{}
	if cpu <= 0 || !slices.ContainsFunc(s.rows, func(z row) bool { return z.self > 3*cpu }) {
		return waits
	}
	for i := range s.rows {
		if z := &s.rows[i]; z.self > cpu {
			z.waited, z.unknown = z.self-cpu, true
			waits[z.zone] = z.waited / z.self
			s.worked -= z.self
		}
	}
	s.worked = max(s.worked, cpu)
	return waits
}

// timeMuted gives muted zones the time that samples show, where that is surer than the estimate, or more: no zone works
// longer than it lasts, and few long entries among many short ones are in no burst. It was measured as time of the
// functions around them, and is no more than that.
func (s *sum) timeMuted(r *Run, sampled map[string]float64) {
	rows := map[string]*row{}
	for i := range s.rows {
		rows[s.rows[i].info.Function] = &s.rows[i]
	}
	delete(rows, "") // not known
	for _, z := range rows {
		n := sampled[z.info.Function]
		off := sampleMS * math.Sqrt(n+1)
		surer := off < z.off || sampleMS*n-z.self > 2*math.Hypot(off, z.off)
		if surer && r.isMuted(z.info) {
			z.sampled, z.off = true, off
		}
	}
	s.settle(r, sampled, rows)
	s.worked = s.busy
}

// settle takes what samples add to muted rows from those around them that were measured, or gives it back. Time outside
// zones is around what no row is.
func (s *sum) settle(r *Run, sampled map[string]float64, rows map[string]*row) {
	outer, below := mostlyAround(r.Notes.Samples), r.below(rows)
	for _, l := range append(unsampled(below, sampled), r.Notes.Samples...) {
		inner := rows[l.Zone]
		if inner == nil || !inner.sampled {
			continue
		}
		name := cmp.Or(l.Around, below[l.Zone])
		for level := 0; level < mostAround && rows[name] != nil && rows[name].sampled; level++ {
			name = cmp.Or(outer[name], below[name])
		}
		more := sampleMS*sampled[l.Zone] - inner.measured
		s.give(inner, rows[name], more*float64(l.Count)/max(sampled[l.Zone], 1))
	}
}

// give gives a muted row time of the one around it, as much as that has, or gives it back if it is less than 0. Around
// is nil outside zones.
func (s *sum) give(inner, around *row, ms float64) {
	switch {
	case around == nil:
		ms = min(ms, s.outside)
		s.outside -= ms
		s.busy += ms
	case around.sampled:
		return
	default:
		ms = min(ms, around.self)
		around.self -= ms
		around.off = inner.off
	}
	inner.self += ms
}

// below returns for the muted rows that samples time the function around most of them in the tree.
func (r *Run) below(rows map[string]*row) map[string]string {
	most, around := map[string]float64{}, map[string]string{}
	for i := range r.Dump.Merged {
		n := &r.Dump.Merged[i]
		name := r.zone(n.Zone).Function
		if z := rows[name]; n.Parent >= 0 && z != nil && z.sampled && n.Self >= most[name] {
			most[name], around[name] = n.Self, r.zone(r.Dump.Merged[n.Parent].Zone).Function
		}
	}
	return around
}

// unsampled returns the muted rows that no sample is in, each as one of no time in the function around it.
func unsampled(below map[string]string, sampled map[string]float64) (list []auto.Sample) {
	for name, around := range below {
		if sampled[name] == 0 {
			list = append(list, auto.Sample{Zone: name, Around: around, Count: 1})
		}
	}
	slices.SortFunc(list, func(a, b auto.Sample) int { return strings.Compare(a.Zone, b.Zone) })
	return list
}

// mostAround is how many muted functions around a muted one are passed by.
const mostAround = 16

// mostlyAround returns for each function the one around it in most samples.
func mostlyAround(samples []auto.Sample) map[string]string {
	counts, outer := map[[2]string]int{}, map[string]string{}
	for _, l := range samples {
		counts[[2]string{l.Zone, l.Around}] += l.Count
	}
	for pair, n := range counts {
		known, there := outer[pair[0]]
		best := counts[[2]string{pair[0], known}]
		if !there || n > best || n == best && pair[1] < known {
			outer[pair[0]] = pair[1]
		}
	}
	return outer
}

// findWaits sets what of each row's self time had no processor, and returns its share of that by zone. Zones measure
// the time that passes, samples that of processors. A difference within the samples' spread is none. Samples of foreign
// code may be of any zone, so what they account for was no wait.
func (s *sum) findWaits(sampled map[string]float64, foreign float64) map[report.ZoneID]float64 {
	waits := map[report.ZoneID]float64{}
	for i := range s.rows {
		z := &s.rows[i]
		n := sampled[z.info.Function]
		all := n + foreign
		if most := sampleMS * (all + 2*math.Sqrt(all+1) + 1); z.info.Function != "" && z.self-3*z.off > 1.5*most {
			z.waited = z.self - sampleMS*all
			z.unknown = foreign > 2*math.Sqrt(n+1)
			s.worked -= z.self - sampleMS*n
		}
		if idle := 1 - (z.self-z.waited)/z.measured; z.measured > 0 && (z.waited > 0 || z.sampled) {
			waits[z.zone] = max(0, idle)
		}
	}
	return waits
}

// isMuted reports whether a zone was muted in this run.
func (r *Run) isMuted(z gather.ZoneInfo) bool {
	same := func(m gather.ZoneInfo) bool { return m.File == z.File && m.Name == z.Name }
	return slices.ContainsFunc(r.Notes.Muted, same)
}

// standardErrors returns the standard errors of the zones' estimated self times.
func (r *Run) standardErrors() map[report.ZoneID]float64 {
	off := map[report.ZoneID]float64{}
	for i := range r.Dump.Merged {
		if n := &r.Dump.Merged[i]; n.StandardError > 0 {
			off[n.Zone] = math.Hypot(off[n.Zone], n.StandardError)
		}
	}
	return off
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
func (r *Run) samples() (list []auto.Sample) {
	counts := map[auto.Sample]int{}
	for _, l := range r.Notes.Samples {
		l.Around = ""
		place := l
		place.Count = 0
		counts[place] += l.Count
	}
	for place, n := range counts {
		place.Count = n
		list = append(list, place)
	}
	slices.SortFunc(list, func(a, b auto.Sample) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Zone, b.Zone), strings.Compare(a.Function, b.Function))
	})
	return list
}

// nsMuted is about what an entry of a muted zone costs, in nanoseconds: 5 around nothing, and nothing beside 15 of
// work. See docs/governor.md and BenchmarkMuted in package auto.
const nsMuted = 2

// leastGain is the least processor time that is worth a build, which takes tenths of a second.
const leastGain = 20 * time.Millisecond

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
	if calls*nsMuted < float64(leastGain) {
		return 0
	}
	return calls * nsMuted / float64(r.Dump.CPU)
}
