package desk

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/iprof/input"
	"example.com/iprof/internal/changes"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// contrast is a comparison of two runs, in the words of iprof diff and as one picture.
type contrast struct {
	sides [2]side // before, after
	*changes.Difference
	rows   []int  // of the table: indices in Changes
	first  int    // line at the top of the table
	chosen int    // index in Changes: its times are drawn as histograms
	spread spread // of the chosen change
	mouse  [2]float32
	laid   contrastLayout
}

// side is one of the two runs: a tab, or the frames before or after a baseline.
type side struct {
	name    string
	session *process.Session
	lens    report.Lens
	frames  int
}

// newContrast compares two runs.
func newContrast(sides [2]side) (*contrast, error) {
	var times [2]*changes.Times
	for i := range sides {
		s := &sides[i]
		var err error
		times[i], err = changes.TakeOf(s.name, s.session, s.lens)
		if err != nil {
			return nil, err
		}
		s.frames = times[i].Frames()
	}
	d := changes.Between(times[0], times[1], changes.Percent)
	c := &contrast{sides: sides, Difference: d, rows: d.ShownAt()}
	c.choose(0)
	return c, nil
}

// contrastTabs compares the shown tab with its baseline, or with the tab to its left. The left one of two tabs is
// always before.
func (d *Desk) contrastTabs() {
	sides, err := d.sides()
	if err == nil {
		var c *contrast
		c, err = newContrast(sides)
		if err == nil {
			d.contrast = c
			return
		}
		err = fmt.Errorf("not compared: %w", err)
	}
	d.tab.panel.Note(err.Error())
}

// sides returns the two runs to compare.
func (d *Desk) sides() (sides [2]side, err error) {
	var r report.Report
	d.tab.session.View().AppendReport(&r)
	if r.Baseline.Pinned {
		return d.sidesOf(&r.Baseline), nil
	}
	if len(d.tabs) < 2 {
		return sides, errors.New("there is one tab: Ctrl+O opens another capture to compare with; " +
			"B makes the frames shown a baseline")
	}
	left := max(slices.Index(d.tabs, d.tab)-1, 0)
	for i := range sides {
		t := d.tabs[left+i]
		sides[i] = side{name: t.name, session: t.session, lens: report.Lens{Kind: report.LensAll}}
	}
	return sides, nil
}

// sidesOf returns the range of the baseline and the range that the view shows. In place of a range that is not chosen
// it returns the frames until the baseline, or since it.
func (d *Desk) sidesOf(b *report.Baseline) (sides [2]side) {
	before := report.Lens{Kind: report.LensRange, To: b.Last}
	names := [2]string{fmt.Sprint("until frame ", b.Last), fmt.Sprint("since frame ", b.Last)}
	if b.First < b.Last {
		before.From, names[0] = b.First, fmt.Sprintf("frames %d to %d", b.First, b.Last)
	}
	after := report.Lens{Kind: report.LensRange, From: b.Last + 1, To: math.MaxUint64}
	l := d.tab.session.View().Get().Lens
	l.From, l.To = min(l.From, l.To), max(l.From, l.To)
	if l.Kind == report.LensRange && (l.From != before.From || l.To != before.To) {
		after, names[1] = l, fmt.Sprintf("frames %d to %d", l.From, l.To)
	}
	for i, l := range [2]report.Lens{before, after} {
		sides[i] = side{name: names[i], session: d.tab.session, lens: l}
	}
	return sides
}

// swap exchanges before and after. If the comparison fails, it changes nothing.
func (c *contrast) swap() {
	if swapped, err := newContrast([2]side{c.sides[1], c.sides[0]}); err == nil {
		swapped.mouse = c.mouse
		*c = *swapped
	}
}

// choose draws the times of a change, an index in Changes.
func (c *contrast) choose(change int) {
	c.chosen = change
	was, is := c.Changes[change].Zones()
	for i, zones := range [2][]report.ZoneID{was, is} {
		c.spread.times[i] = c.sides[i].times(change == 0, zones)
	}
	c.spread.lay()
}

// mostTimes is the number of newest frames in a histogram.
const mostTimes = 20_000

// times returns the busy times of the frames, or the self times of zones, in ms.
func (s *side) times(whole bool, zones []report.ZoneID) (times []float32) {
	var snap process.Snapshot
	if whole {
		s.session.View().Snapshot(&snap, process.SnapshotOptions{Frames: mostTimes, Also: -1})
		for i := range snap.Frames {
			if f := &snap.Frames[i]; f.HasReport && s.lens.Takes(f) {
				times = append(times, f.Busy)
			}
		}
		return times
	}
	for n, zone := range zones {
		s.session.View().Snapshot(&snap, process.SnapshotOptions{Frames: mostTimes, Also: zone, Series: 1})
		at := slices.IndexFunc(snap.Series, func(r report.Series) bool { return r.Zone == zone })
		if at < 0 {
			continue
		}
		values := snap.Series[at].Values
		frames := snap.Frames[len(snap.Frames)-min(len(values), len(snap.Frames)):]
		if n == 0 || len(times) != len(frames) {
			times = make([]float32, len(frames))
		}
		for i := range frames {
			if v := values[len(values)-len(frames)+i]; v == v { // not NaN
				times[i] += v
			}
		}
	}
	kept := times[:0]
	for i := range times {
		if f := &snap.Frames[len(snap.Frames)-len(times)+i]; f.HasReport && s.lens.Takes(f) {
			kept = append(kept, times[i])
		}
	}
	return kept
}

// key takes a key while the comparison is shown.
func (c *contrast) key(k input.Key) {
	switch k {
	case 'X':
		c.swap()
	case input.KeyDown:
		c.step(1)
	case input.KeyUp:
		c.step(-1)
	case input.KeyPageDown:
		c.step(10)
	case input.KeyPageUp:
		c.step(-10)
	}
}

// step moves the choice down by rows, and scrolls it into sight.
func (c *contrast) step(by int) {
	row := max(slices.Index(c.rows, c.chosen), 0)
	row = max(min(row+by, len(c.rows)-1), 0)
	c.choose(c.rows[row])
	c.first = min(c.first, row)
	if last := c.first + c.laid.rows - 1; row > last {
		c.first += row - last
	}
}

// click chooses the change under the mouse: a row of the table, or the zone of a bar.
func (c *contrast) click() {
	if row, hit := c.laid.rowAt(c.mouse); hit && row < len(c.rows) {
		c.choose(c.rows[row])
	} else if at := c.laid.pathAt(c.mouse); at >= 0 {
		c.choose(c.Paths[at].Change)
	}
}

// scroll moves the table.
func (c *contrast) scroll(notches float64) {
	c.first = max(min(c.first-int(notches), len(c.rows)-c.laid.rows), 0)
}
