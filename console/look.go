package console

import (
	"fmt"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// The names of what can be chosen, in the order of process's constants.
var (
	modeNames      = []string{"self", "hierarchical", "callgraph", "descendants", "calltree", "extra"}
	recursionNames = []string{"flattened", "spread"}
	averageNames   = []string{"short", "long", "instant"}
)

// modeOf returns the report mode of a name or of a key's digit.
func modeOf(typed string) (process.ReportMode, error) {
	if len(typed) == 1 && typed[0] >= '1' && int(typed[0]-'1') < len(modeNames) {
		return process.ReportMode(typed[0] - '1'), nil
	}
	if strings.EqualFold(typed, "tree") {
		return process.CallTree, nil // the word of the window
	}
	at, err := choose("mode", typed, modeNames)
	return process.ReportMode(max(at, 0)), err
}

func (c *call) report() error {
	view := c.s.View()
	if c.rest != "" {
		mode, err := modeOf(c.rest)
		if err != nil {
			return err
		}
		view.Mode = mode
	}
	var r process.Report
	c.s.AppendReportOf(&r, view)
	return c.pass(text.WriteReport(c.w, &r, text.Options{Cursor: true, Precision: draw.PanelFor(c.s).Precision()}))
}

func (c *call) tree() {
	c.pass(text.WriteTree(c.w, c.s.Dump(process.DumpOptions{NoFrames: true}), text.Options{}))
}

func (c *call) mode() error {
	if c.rest != "" {
		mode, err := modeOf(c.rest)
		if err != nil {
			return err
		}
		c.s.SetReportMode(mode)
	}
	c.say("mode %s", modeNames[c.s.View().Mode])
	return nil
}

// sort changes between the two flat reports; without an argument to the other one.
func (c *call) sort() error {
	mode := process.SelfTime
	if c.s.View().Mode == mode {
		mode = process.HierarchicalTime
	}
	if c.rest != "" {
		at, err := choose("order", c.rest, modeNames[:2])
		if err != nil {
			return err
		}
		mode = process.ReportMode(at)
	}
	c.s.SetReportMode(mode)
	c.say("sorted by %s time", modeNames[mode])
	return nil
}

func (c *call) average() error {
	if c.rest != "" {
		at, err := choose("average", c.rest, averageNames)
		if err != nil {
			return err
		}
		c.s.SetAverage(process.Average(at))
	}
	c.say("average %s", averageNames[c.s.View().Average])
	return nil
}

func (c *call) recursion() error {
	if c.rest != "" {
		at, err := choose("recursion", c.rest, recursionNames)
		if err != nil {
			return err
		}
		c.s.SetRecursion(process.Recursion(at))
	}
	c.say("recursion %s", recursionNames[c.s.View().Recursion])
	return nil
}

func (c *call) cursor() error {
	if c.rest != "" {
		n, relative, err := number(c.rest)
		switch {
		case err != nil:
			return err
		case relative:
			c.s.MoveCursor(n)
		default:
			c.s.SetCursor(n)
		}
	}
	var r process.Report
	c.s.AppendReport(&r)
	if r.Cursor < 0 || r.Cursor >= len(r.Records) {
		c.say("no records")
		return nil
	}
	c.say("cursor %d of %d: %s", r.Cursor, len(r.Records), text.Name(r.Records[r.Cursor].Name))
	return nil
}

// choose opens a zone in the call graph: the highlighted one, or one by name.
func (c *call) choose() error {
	if c.rest == "" {
		c.s.Select()
		return c.focus()
	}
	zone, err := c.zone(c.rest)
	if err != nil {
		return err
	}
	view := c.s.View().Opened(zone)
	view.Mode, view.Cursor = process.CallGraph, 0
	c.s.SetView(view)
	return c.focus()
}

func (c *call) parent() {
	c.s.SelectParent()
	c.focus()
}

// focus says which zone the call graph is of.
func (c *call) focus() error {
	if c.s.View().Mode != process.CallGraph && c.s.View().Mode != process.CallGraphDescendants {
		c.say("no zone is open")
		return nil
	}
	c.say("call graph of %s", text.Name(c.s.Zone(c.s.View().Focus).Name))
	return nil
}

func (c *call) lane() error {
	lanes := c.s.AppendLanes(nil)
	if c.rest == "" {
		c.lanes(lanes)
		return nil
	}
	var id uint64
	if !strings.EqualFold(c.rest, "all") {
		at, err := laneOf(lanes, c.rest)
		if err != nil {
			return err
		}
		id = lanes[at].ID
	}
	c.s.SetLane(id)
	c.say("lane %s", laneName(lanes, id))
	return nil
}

// lanes lists the lanes, and marks the one shown.
func (c *call) lanes(lanes []process.LaneInfo) {
	shown := c.s.View().Lane
	c.say("%s all  every lane, merged", mark(shown == 0))
	for _, lane := range lanes {
		c.say("%s %3d  %s, %.2f ms", mark(shown == lane.ID), lane.ID, text.Name(lane.Name), lane.Self)
	}
}

// mark is the sign before what is shown.
func mark(shown bool) string {
	if shown {
		return "*"
	}
	return " "
}

// laneOf finds a lane by number or name.
func laneOf(lanes []process.LaneInfo, typed string) (int, error) {
	list := make([]string, len(lanes))
	for i := range lanes {
		if fmt.Sprint(lanes[i].ID) == typed {
			return i, nil
		}
		list[i] = text.Name(lanes[i].Name)
	}
	return choose("lane", typed, list)
}

func laneName(lanes []process.LaneInfo, id uint64) string {
	for i := range lanes {
		if lanes[i].ID == id {
			return text.Name(lanes[i].Name)
		}
	}
	return "all"
}
