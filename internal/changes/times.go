package changes

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Times holds a program's mean time in each zone, over the frames that a session keeps. A Times does not change.
type Times struct {
	busy  Sample
	zones map[Place]zoneTimes
	paths []path

	disturbed, among int // the number of disturbed frames, and of all
}

// zoneTimes are the self times of a zone, in ms a frame.
type zoneTimes struct {
	site    string
	info    gather.ZoneInfo
	self    Sample
	callers map[Place]float64 // means by calling zone; no entry for roots
	ids     []report.ZoneID
}

// Place identifies a zone across runs of a program: by its name and the owner, which tells zones of one name apart. See
// ZoneInfo.Owner.
type Place struct {
	Name, Owner string
	Public      bool
	at          int // index among the private zones with this name in this function
}

// Compare orders places for sorting.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Name, q.Name), cmp.Compare(p.Owner, q.Owner), cmp.Compare(p.at, q.at))
}

// PlacesOf returns the places of the zones of one run. The order in the source tells private zones with one name in one
// function apart. Public zones with one name in one package are one place, because nothing tells them apart.
func PlacesOf(zones []gather.ZoneInfo) []Place {
	order, places, number := make([]int, len(zones)), make([]Place, len(zones)), map[Place]int{}
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, k int) bool { return zones[order[i]].Line < zones[order[k]].Line })
	for _, i := range order {
		z := &zones[i]
		at := Place{Name: z.Name, Owner: z.Owner(), Public: z.Public}
		if !z.Public {
			number[at]++
			at.at = number[at]
		}
		places[i] = at
	}
	return places
}

// Variables holds the names of the public zones of several runs. A public zone that several packages enter gets the
// package that entered it first, which may differ between runs. So the name alone identifies it, unless a run has two
// zones of that name. The zero value is ready for use.
type Variables struct {
	varying map[string]bool
	renamed map[Place]Place
}

// Rename adds the result of Renamed.
func (v *Variables) Rename(renamed map[Place]Place) { v.renamed = renamed }

// Add adds the places of a run.
func (v *Variables) Add(run iter.Seq[Place]) {
	seen := map[string]string{}
	for p := range run {
		owner, known := seen[p.Name]
		switch {
		case !p.Public:
		case !known:
			seen[p.Name] = p.Owner
		case owner != p.Owner:
			if v.varying == nil {
				v.varying = map[string]bool{}
			}
			v.varying[p.Name] = true
		}
	}
}

// Place returns the place of a zone in all added runs.
func (v *Variables) Place(p Place) Place {
	if old, known := v.renamed[p]; known {
		return old
	}
	if p.Public && !v.varying[p.Name] {
		p.Owner = ""
	}
	return p
}

// Take returns the times of a session. It returns the error of Enough, with the name, if there are too few frames.
func Take(name string, s *process.Session) (*Times, error) {
	return TakeOf(name, s, report.Lens{Kind: report.LensAll})
}

// TakeOf is Take for the frames of a lens. It leaves out disturbed frames if enough others are left.
func TakeOf(name string, s *process.Session, lens report.Lens) (*Times, error) {
	disturbed, among := disturbedOf(s, lens)
	lens.Undisturbed = disturbed > 0 && Enough(name, among-disturbed) == nil
	r := report.Report{Want: report.ColumnsOf(report.ColumnDeviationSelf)}
	view := report.View{Mode: report.ReportSelfTime, Lens: lens}
	s.View().AppendReportOf(&r, view)
	if err := Enough(name, r.Frame.LensFrames); err != nil {
		return nil, err
	}
	t := &Times{busy: busyOf(s, lens), zones: map[Place]zoneTimes{}, disturbed: disturbed, among: among}
	places := placesOf(s, &r)
	for i := range r.Records {
		if k := &r.Records[i]; !k.Idle {
			self := Sample{Frames: float64(r.Frame.LensFrames), Mean: k.Values[report.ColumnSelf],
				Deviation: k.Values[report.ColumnDeviationSelf]}
			t.zones[places[k.Zone]] = t.zones[places[k.Zone]].plus(zoneTimes{k.Site, s.Zone(k.Zone), self,
				map[Place]float64{}, []report.ZoneID{k.Zone}})
		}
	}
	tree := s.View().AppendTree(nil, view)
	for _, n := range tree {
		if z, known := t.zones[places[n.Zone]]; known && n.Parent > 0 {
			z.callers[places[tree[n.Parent].Zone]] += n.Self
		}
	}
	t.paths = pathsOf(tree, places)
	return t, nil
}

// plus adds another zone of the same place, or of the same zone in the same run.
func (z zoneTimes) plus(o zoneTimes) zoneTimes {
	if z.callers == nil {
		return o
	}
	z.self.Mean, z.self.Deviation = z.self.Mean+o.self.Mean, math.Hypot(z.self.Deviation, o.self.Deviation)
	for at, ms := range o.callers {
		z.callers[at] += ms
	}
	z.ids = slices.Concat(z.ids, o.ids)
	return z
}

// in returns the times by the places of all runs.
func (t *Times) in(v *Variables) map[Place]zoneTimes {
	zones := map[Place]zoneTimes{}
	for at, z := range t.zones {
		callers := map[Place]float64{}
		for by, ms := range z.callers {
			callers[v.Place(by)] += ms
		}
		zones[v.Place(at)] = zones[v.Place(at)].plus(zoneTimes{z.site, z.info, z.self, callers, z.ids})
	}
	return zones
}

// infos returns the zones by place.
func (t *Times) infos() map[Place]gather.ZoneInfo {
	infos := map[Place]gather.ZoneInfo{}
	for at, z := range t.zones {
		infos[at] = z.info
	}
	return infos
}

// placesOf returns the places of the zones of a report.
func placesOf(s *process.Session, r *report.Report) map[report.ZoneID]Place {
	infos, places := make([]gather.ZoneInfo, len(r.Records)), map[report.ZoneID]Place{}
	for i := range r.Records {
		infos[i] = s.Zone(r.Records[i].Zone)
	}
	for i, at := range PlacesOf(infos) {
		places[r.Records[i].Zone] = at
	}
	return places
}

// busyOf returns the busy time of a lens's frames in ms: of all frames, or of the frames with records.
func busyOf(s *process.Session, lens report.Lens) Sample {
	if w := s.HistoryLimits().Whole; w != nil && lens == (report.Lens{Kind: report.LensAll}) {
		n := float64(w.Frames)
		mean, deviation := w.Busy()
		return Sample{Frames: n, Mean: mean, Deviation: deviation * math.Sqrt(n/math.Max(n-1, 1))} // as SampleOf
	}
	var busy []float32
	for _, f := range s.AppendFrames(nil, math.MaxInt) {
		if f.HasReport && lens.Takes(&f) {
			busy = append(busy, f.Busy)
		}
	}
	return SampleOf(busy)
}

// disturbedOf returns the number of disturbed frames that a lens chooses in the history, and of all that it chooses.
func disturbedOf(s *process.Session, lens report.Lens) (disturbed, among int) {
	frames := slices.DeleteFunc(s.AppendFrames(nil, math.MaxInt), func(f report.FrameSummary) bool {
		return !f.HasReport || !lens.Takes(&f)
	})
	return report.Disturbed(frames), len(frames)
}

// Frames is the number of frames.
func (t *Times) Frames() int { return int(t.busy.Frames) }

// Enough returns an error if there are too few frames for a meaningful standard deviation. The error contains the name.
func Enough(name string, frames int) error {
	const fewest = 10
	if frames < fewest {
		return fmt.Errorf("%s: too few frames to compare: %d", name, frames)
	}
	return nil
}
