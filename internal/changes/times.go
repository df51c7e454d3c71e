package changes

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// Times are what a program spends in each zone: the means of all frames that a session keeps. Times do not change.
type Times struct {
	busy  Sample
	zones map[Place]zoneTimes
}

// zoneTimes are the self times of a zone, in ms a frame.
type zoneTimes struct {
	site    string
	self    Sample
	callers map[Place]float64 // the mean by the zone that calls it; not of the zones that nothing calls
}

// Place is a zone in any run of a program: its name and the function that it is in.
type Place struct {
	Name, Function string
	at             int // of several with this name in this function
}

// Places tells the places of one run apart.
type Places map[Place]int

// Next returns the place of the next zone. Of several with one name in one function the first is the first, and so on.
func (p Places) Next(z *gather.ZoneInfo) Place {
	at := Place{Name: z.Name, Function: z.Function}
	p[at]++
	at.at = p[at]
	return at
}

// Take returns the times of a session. It is an error if there are fewer frames than Enough wants: it has the name.
func Take(name string, s *process.Session) (*Times, error) {
	r := process.Report{Want: process.ColumnsOf(process.ColumnDeviationSelf)}
	view := process.View{Mode: process.ReportSelfTime, Lens: process.Lens{Kind: process.LensAll}}
	s.AppendReportOf(&r, view)
	if err := Enough(name, r.Frame.LensFrames); err != nil {
		return nil, err
	}
	t := &Times{busy: busyOf(s), zones: map[Place]zoneTimes{}}
	places := placesOf(s, &r)
	for i := range r.Records {
		if k := &r.Records[i]; !k.Idle {
			self := Sample{Frames: float64(r.Frame.LensFrames), Mean: k.Values[process.ColumnSelf],
				Deviation: k.Values[process.ColumnDeviationSelf]}
			t.zones[places[k.Zone]] = zoneTimes{k.Site, self, map[Place]float64{}}
		}
	}
	tree := s.AppendTree(nil, view)
	for _, n := range tree {
		if z, known := t.zones[places[n.Zone]]; known && n.Parent > 0 {
			z.callers[places[tree[n.Parent].Zone]] += n.Self
		}
	}
	return t, nil
}

// placesOf returns the places of the zones of a report.
func placesOf(s *process.Session, r *process.Report) map[process.ZoneID]Place {
	infos, places, next := map[process.ZoneID]gather.ZoneInfo{}, map[process.ZoneID]Place{}, Places{}
	for i := range r.Records {
		infos[r.Records[i].Zone] = s.Zone(r.Records[i].Zone)
	}
	for _, id := range slices.SortedFunc(maps.Keys(infos), func(a, b process.ZoneID) int {
		return cmp.Or(cmp.Compare(infos[a].Line, infos[b].Line), cmp.Compare(a, b))
	}) {
		info := infos[id]
		places[id] = next.Next(&info)
	}
	return places
}

// busyOf is the busy time of the frames of which there are records, in ms.
func busyOf(s *process.Session) Sample {
	var busy []float32
	for _, f := range s.AppendFrames(nil, math.MaxInt) {
		if f.HasReport {
			busy = append(busy, f.Busy)
		}
	}
	return SampleOf(busy)
}

// Frames is the number of frames.
func (t *Times) Frames() int { return int(t.busy.Frames) }

// Enough returns an error if so few frames, those of a name, have no spread that means anything.
func Enough(name string, frames int) error {
	const fewest = 10
	if frames < fewest {
		return fmt.Errorf("%s: %d frames are too few to compare", name, frames)
	}
	return nil
}
