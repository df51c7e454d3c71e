package changes

import (
	"cmp"
	"fmt"
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
	site string
	self Sample
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
	s.AppendReportOf(&r, process.View{Mode: process.ReportSelfTime, Lens: process.Lens{Kind: process.LensAll}})
	if err := Enough(name, r.Frame.LensFrames); err != nil {
		return nil, err
	}
	t := &Times{busy: busyOf(s), zones: map[Place]zoneTimes{}}
	infos := map[process.ZoneID]gather.ZoneInfo{}
	for i := range r.Records {
		infos[r.Records[i].Zone] = s.Zone(r.Records[i].Zone)
	}
	slices.SortFunc(r.Records, func(a, b process.Record) int {
		return cmp.Or(cmp.Compare(infos[a.Zone].Line, infos[b.Zone].Line), cmp.Compare(a.Zone, b.Zone))
	})
	places := Places{}
	for i := range r.Records {
		k := &r.Records[i]
		if info := infos[k.Zone]; !k.Idle {
			t.zones[places.Next(&info)] = zoneTimes{k.Site, Sample{Frames: float64(r.Frame.LensFrames),
				Mean: k.Values[process.ColumnSelf], Deviation: k.Values[process.ColumnDeviationSelf]}}
		}
	}
	return t, nil
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
