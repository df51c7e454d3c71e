package agent

import (
	"fmt"
	"strings"

	"example.com/iprof/internal/tables"
	"example.com/iprof/process/report"
)

// pick is a choice of frames and rows, in the language of iprof's commands.
type pick struct {
	Frames string `json:"frames,omitempty" jsonschema:"only these: 100-200,over,worst:10, section:\"level 3\", f140"`
	Filter string `json:"filter,omitempty" jsonschema:"only rows of this filter, such as physics, pkg:physics or >5ms"`
	Lane   string `json:"lane,omitempty" jsonschema:"only this goroutine: l3, or a part of its name"`
	Sort   string `json:"sort,omitempty" jsonschema:"a column, such as self_ms, hier_ms, count or hier_p99_ms"`
	Limit  int    `json:"limit,omitempty" jsonschema:"at most so many rows"`
}

// lens returns the chosen frames, also by an id such as f140.
func (c *capture) lens(words string) (report.Lens, error) {
	words = strings.TrimSpace(words)
	if id, is := strings.CutPrefix(words, "f"); is && strings.Trim(id, "0123456789") == "" {
		words = id
	}
	l, err := c.Lens(words)
	if err != nil {
		return l, fmt.Errorf("frames: %w", err)
	}
	return l, nil
}

// show shows the chosen frames and rows in the session's view.
func (c *capture) show(p *pick, v report.View) error {
	l, err := c.lens(p.Frames)
	if err != nil {
		return err
	}
	if v.Lane, err = c.lane(p.Lane); err != nil {
		return err
	}
	if v.Order, err = orderOf(p.Sort); err != nil {
		return err
	}
	v.Filter = report.FilterText(p.Filter)
	c.Session.View().Set(v)
	c.Session.View().SetLens(l)
	return nil
}

// orderOf reads the name of a column.
func orderOf(name string) (o report.Order, err error) {
	if name == "" {
		return o, nil
	}
	o, names, ok := report.OrderBy(name)
	if ok {
		return o, nil
	}
	return o, inTools(tables.NoColumn(name, names))
}

// lane returns the goroutine of an id such as l3, or of a part of its name; 0 without one.
func (c *capture) lane(name string) (report.LaneID, error) {
	if ids, err := tables.ParseIDs(name); err == nil {
		if lane, is := ids.OneLane(); is {
			return lane, nil
		}
	}
	lane, err := c.Lane(name)
	if err != nil {
		err = fmt.Errorf("lane: %w; list with what=lanes has the names", err)
	}
	return lane, err
}

// zoneOf returns the zone of an id such as z17, or of a name: the zone of that name, else the only one whose name or
// function contains it.
func (c *capture) zoneOf(name string) (report.ZoneID, error) {
	zones := tables.ZonesOf(c.Session)
	if id, is := strings.CutPrefix(name, "z"); is && id != "" && strings.Trim(id, "0123456789") == "" {
		n, err := idOf(name, 'z', "z17")
		if err != nil || n == 0 || n >= uint64(len(zones)) {
			return 0, fmt.Errorf("there is no zone %s: top and list with what=zones have the ids", quoted(name))
		}
		return report.ZoneID(n), nil
	}
	var found []report.ZoneID
	for i, z := range zones {
		if z.Name == name {
			return report.ZoneID(i), nil
		}
		if i > 0 && (strings.Contains(z.Name, name) || strings.Contains(z.Function, name)) {
			found = append(found, report.ZoneID(i))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fmt.Errorf("there is no zone %s: list with what=zones has the names", quoted(name))
	}
	var ids []string
	for _, id := range found[:min(len(found), 10)] {
		ids = append(ids, zoneID(id)+" "+quoted(zones[id].Name))
	}
	return 0, fmt.Errorf("%d zones have %s in their names; ask for one of them by its id: %s", len(found), quoted(name),
		strings.Join(ids, ", "))
}

// mostSummed is the greatest number of frames whose summaries are read from a long file for one question.
const mostSummed = 64

// frames returns summaries of the frames that a lens chooses, the slowest first, at most limit of them. all is the
// number of those that it chooses.
func (c *capture) frames(l report.Lens, limit int) (list []report.FrameSummary, all int, err error) {
	if c.File != nil {
		limit = min(limit, mostSummed)
	}
	return c.Summaries(l, limit)
}
