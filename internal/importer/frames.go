package importer

import (
	"fmt"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
)

// Frames says where frames end: the slices of the thread "frames", as in our own files; else those named Name, if it is
// set; else every so often. If Every is 0, slices named "frame" are frames, and if there are none, every 16.7 ms.
type Frames struct {
	Name   string
	Every  time.Duration
	Limits budget.Budget // of what reading and writing may cost; the zero value is budget.Usual
}

// account begins the account of a file.
func (o *Frames) account() *budget.Account {
	if o.Limits == (budget.Budget{}) {
		o.Limits = budget.Usual
	}
	return o.Limits.File()
}

// borders takes the frames away from the lanes and returns where they begin and where the last one ends.
func (t *Trace) borders(o Frames) ([]int64, error) {
	var borders []int64
	usual, known := t.ids["frame"]
	if known = known && o.Name == "" && o.Every == 0; o.Every == 0 {
		o.Every = time.Second / 60
	}
	at := slices.IndexFunc(t.lanes, func(l *lane) bool { return l.name == "frames" })
	switch {
	case at >= 0 && o.Name == "":
		for _, s := range t.lanes[at].slices {
			borders = append(borders, s.begin, s.end)
		}
		t.lanes = slices.Delete(t.lanes, at, at+1)
	case known:
		borders = t.begins(usual)
	case o.Name != "":
		zone, known := t.ids[o.Name]
		if !known {
			return nil, fmt.Errorf("there is no slice %q", o.Name)
		}
		borders = t.begins(zone)
	case o.Every < 0:
		return nil, fmt.Errorf("frames of %v: want a time above 0", o.Every)
	default:
		if err := t.account.Frames((t.end - t.begin) / int64(o.Every)); err != nil {
			return nil, fmt.Errorf("frames of %v: make longer ones with -every; %w", o.Every, err)
		}
		for at := t.begin; at < t.end; at += int64(o.Every) {
			borders = append(borders, at)
		}
	}
	borders = append(borders, t.begin, t.end)
	slices.Sort(borders)
	return slices.Compact(borders), nil
}

// begins returns the begins of the slices of a zone.
func (t *Trace) begins(zone gather.ZoneID) (at []int64) {
	for _, l := range t.lanes {
		for _, s := range l.slices {
			if s.zone == zone {
				at = append(at, s.begin)
			}
		}
	}
	return at
}
