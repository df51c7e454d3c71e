package console

import (
	"fmt"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// The names of the modes, recursions and averages, in the order of their constants in package process.
var (
	modeNames   = []string{"self", "callees", "callgraph", "descendants", "calltree", "slow"}
	modeAliases = map[string]process.ReportMode{"tree": process.ReportCallTree,
		"hierarchical": process.ReportHierarchicalTime, "with callees": process.ReportHierarchicalTime,
		"extra": process.ReportExtra, "slow frames": process.ReportExtra}
	recursionNames = []string{"flattened", "spread"}
	averageNames   = []string{"short", "long", "instant"}
)

// modeOf returns the report mode of a name or of a digit from 1 to 6.
func modeOf(typed string) (process.ReportMode, error) {
	if len(typed) == 1 && typed[0] >= '1' && int(typed[0]-'1') < len(modeNames) {
		return process.ReportMode(typed[0] - '1'), nil
	}
	for alias, mode := range modeAliases {
		if len(typed) >= 4 && len(typed) <= len(alias) && strings.EqualFold(alias[:len(typed)], typed) {
			return mode, nil
		}
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
	precision := viewer.PanelFor(c.s).Options().Precision
	return c.keepError(text.WriteReport(c.w, &r, text.Options{Cursor: true, Precision: precision}))
}

func (c *call) tree() {
	d := c.s.Dump(process.DumpOptions{NoFrames: true, Nodes: process.DumpNodes})
	c.keepError(text.WriteTree(c.w, d, text.Options{Idle: c.s.View().ShowIdle}))
}

func (c *call) mode() error {
	if c.rest != "" {
		mode, err := modeOf(c.rest)
		if err != nil {
			return err
		}
		c.s.SetReportMode(mode)
	}
	c.printf("mode %s", modeNames[c.s.View().Mode])
	return nil
}

func (c *call) average() error {
	if err := c.option("average", averageNames, func(at int) { c.s.SetAverage(process.Average(at)) }); err != nil {
		return err
	}
	c.printf("average %s", averageNames[c.s.View().Average])
	return nil
}

func (c *call) recursion() error {
	set := func(at int) { c.s.SetRecursion(process.Recursion(at)) }
	if err := c.option("recursion", recursionNames, set); err != nil {
		return err
	}
	c.printf("recursion %s", recursionNames[c.s.View().Recursion])
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
			c.s.SetCursor(recordOn(c.s, n))
		}
	}
	var r process.Report
	c.s.AppendReport(&r)
	row := r.CursorRecord()
	if row == nil {
		c.printf("no records")
		return nil
	}
	c.printf("cursor %d of %d: %s", r.LineOf(r.Cursor), r.Len(), text.Name(row.Name))
	return nil
}

// recordOn returns the index of the record on a line of the report.
func recordOn(s *process.Session, line int) int {
	var r process.Report
	s.AppendReport(&r)
	if r.Lines == nil || r.Len() == 0 {
		return line
	}
	line = min(max(line, 0), r.Len()-1)
	if p := r.Package(line); p != nil {
		return p.First
	}
	_, record := r.Line(line)
	return record
}

// choose shows the call graph of a zone: of the highlighted one, or of the one named.
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
	view.Mode, view.Cursor = process.ReportCallGraph, 0
	c.s.SetView(view)
	return c.focus()
}

func (c *call) parent() {
	c.s.SelectParent()
	c.focus()
}

// focus prints the zone whose call graph is shown.
func (c *call) focus() error {
	if c.s.View().Mode != process.ReportCallGraph && c.s.View().Mode != process.ReportCallGraphDescendants {
		c.printf("no zone is open")
		return nil
	}
	c.printf("call graph of %s", text.Name(c.s.Zone(c.s.View().Focus).Name))
	return nil
}

func (c *call) lane() error {
	lanes := c.s.AppendLanes(nil)
	if c.rest == "" {
		c.lanes(lanes)
		return nil
	}
	var id process.LaneID
	if !strings.EqualFold(c.rest, "all") {
		at, err := laneOf(lanes, c.rest)
		if err != nil {
			return err
		}
		id = lanes[at].ID
	}
	c.s.SetLane(id)
	c.printf("shows %s", laneName(lanes, id))
	return nil
}

// lanes lists the lanes and marks the one shown.
func (c *call) lanes(lanes []process.LaneInfo) {
	shown := c.s.View().Lane
	c.printf("%s all  every goroutine, merged", mark(shown == 0))
	for _, lane := range lanes {
		line := fmt.Sprintf("%s %3d  %s, %.2f ms", mark(shown == lane.ID), lane.ID, text.Name(lane.Name), lane.Self)
		if lane.CPU > 0 {
			line += fmt.Sprintf(", CPU %.2f ms", lane.CPU)
		}
		c.printf("%s", line)
	}
}

// mark returns the sign before the lane shown, and a space for the others.
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
	return choose("goroutine", typed, list)
}

func laneName(lanes []process.LaneInfo, id process.LaneID) string {
	for i := range lanes {
		if lanes[i].ID == id {
			return text.Name(lanes[i].Name)
		}
	}
	return "all goroutines"
}
