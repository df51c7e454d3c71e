// Package chosen shows what a reader of a page or a report has chosen: frames, a lane, a filter of zones, and rows by a
// key.
package chosen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Dump returns the dump of what a view has chosen by its lens, its lane and its filter. The tables of zones are those
// of the means of these frames.
func Dump(v *process.View, s *process.Session, which report.DumpOptions) *report.Dump {
	list := frames(v, s)
	if list != nil && which.Frames == nil {
		which.Frames = indexes(list)
	}
	d := v.Dump(which)
	if list != nil {
		narrow(d, v, list)
	}
	filter(d, v)
	return d
}

// frames returns the frames that a view has chosen by a lens or a lane, nil if it shows the whole run.
func frames(v *process.View, s *process.Session) []report.FrameSummary {
	of := v.Get()
	if of.Lens.Kind == report.LensOff && of.Lane == 0 {
		return nil
	}
	if of.Lens.Kind == report.LensOff {
		v.SetLens(report.Lens{Kind: report.LensAll})
	}
	return append([]report.FrameSummary{}, v.Get().Lens.Choose(s.AppendFrames(nil, math.MaxInt))...)
}

// mostTrees is the number of chosen frames of which a page has trees: the slowest ones.
const mostTrees = 16

// indexes returns the indexes of the slowest frames.
func indexes(list []report.FrameSummary) (index []uint64) {
	for _, f := range (report.Lens{Kind: report.LensSlowest, Slowest: mostTrees}).Choose(list) {
		index = append(index, f.Index)
	}
	return append(index, math.MaxUint64) // no choice of frames would be all of them
}

// filter leaves the zones that a view's filter finds.
func filter(d *report.Dump, v *process.View) {
	of := v.Get()
	if of.Filter == "" {
		return
	}
	text, over := report.FilterWords(of.Filter)
	d.Totals = slices.DeleteFunc(d.ZoneTotals(), func(t report.ZoneTotal) bool {
		named := text == "" && !strings.Contains(of.Filter, "pkg:") || of.Finds(&d.Zones[t.Zone])
		return !named || t.Hier <= over
	})
}

// narrow leaves what a view has chosen: its frames, and in the tables of zones their means.
func narrow(d *report.Dump, v *process.View, list []report.FrameSummary) {
	of := v.Get()
	d.Merged = v.AppendTree(nil, of)
	d.Totals = report.AppendZoneTotals(nil, d.Merged)
	d.Statistics, d.Lanes, d.Spawns = nil, nil, nil
	d.Series, d.Values, d.History = nil, nil, list
	chosen := map[uint64]float32{}
	for i := range list {
		chosen[list[i].Index] = list[i].Judged()
	}
	d.SlowCalls = slices.DeleteFunc(d.SlowCalls, func(c *report.SlowCall) bool {
		_, has := chosen[c.Frame]
		return !has
	})
	slowest := float32(-1)
	d.Verdict.Clear()
	for i := range d.FrameTrees {
		if t := &d.FrameTrees[i]; t.Verdict.Found() && chosen[t.Index] > slowest {
			d.Verdict, slowest = t.Verdict, chosen[t.Index]
		}
	}
	d.Warnings = append(d.Warnings, "The tables show the mean of "+strconv.Itoa(len(list))+" frames: "+of.Lens.Words())
}

// mostNamed is the greatest number of lanes that an error lists.
const mostNamed = 5

// Lane returns the lane of a name, else the only one whose name contains it; 0 for "".
func Lane(lanes []report.LaneInfo, name string) (found report.LaneID, err error) {
	if name == "" {
		return 0, nil
	}
	var names []string
	for i := range lanes {
		l := &lanes[i]
		if l.Name == name {
			return l.ID, nil
		}
		if strings.Contains(l.Name, name) {
			found, names = l.ID, append(names, fmt.Sprintf("%.100q", l.Name))
		}
	}
	switch len(names) {
	case 1:
		return found, nil
	case 0:
		return 0, fmt.Errorf("no goroutine has %.100q in its name", name)
	}
	return 0, fmt.Errorf("%d goroutines have %.100q in their names; give more of one: %s", len(names), name,
		strings.Join(names[:min(len(names), mostNamed)], ", "))
}
