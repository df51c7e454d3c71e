package input

import (
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// press performs the effect of the left button on a hit.
func (c *Controller) press(hit viewer.Hit, mods Mods) {
	second := c.second()
	if choose(c.session, c.panel, hit) {
		return
	}
	switch hit.Kind {
	case viewer.HitCaret:
		c.pressCaret(hit.Index)
	case viewer.HitSlow:
		c.pressSlow(hit)
	case viewer.HitCompare:
		c.after = after{name: "compare"}
	case viewer.HitClear:
		c.after = after{name: "clear-slowest"}
	case viewer.HitFilter:
		c.after = after{name: "find"}
	case viewer.HitLanes:
		c.after = after{name: "pick-lane"}
	case viewer.HitRecord:
		c.session.SetCursor(hit.Index)
		if second {
			c.session.Select()
		}
	case viewer.HitRibbon:
		c.drag = dragRibbon
		c.panel.StartRibbon(c.x)
	case viewer.HitGraph:
		if mods&ModControl != 0 {
			c.drag = dragHistory
			return
		}
		if mods&ModShift == 0 {
			c.startSpan(hit.Age)
			return
		}
		fallthrough
	case viewer.HitAxis:
		viewer.ClearLens(c.session)
		c.drag, c.dragFrom = dragShown, c.y
		c.showFrameUnder()
	case viewer.HitPackage, viewer.HitLateGroup, viewer.HitListRow, viewer.HitListHeader, viewer.HitSection,
		viewer.HitComment:
		c.panel.Press(hit)
	case viewer.HitCommand:
		c.panel.Press(hit)
		c.after = after{name: hit.Name}
	case viewer.HitTimeline:
		c.pressTimeline(hit, second, mods&ModShift != 0)
	case viewer.HitTimelineLane:
		c.pressLane(hit)
	case viewer.HitIcicle, viewer.HitStructure:
		c.pressStructure(hit, second)
	case viewer.HitLegend, viewer.HitZone:
		c.pressZone(hit.Zone, second)
	default:
		c.pressSign(hit, second)
	}
}

// pressSign performs the effect of the left button on a heading, its border, a tab, the live sign, or a histogram.
func (c *Controller) pressSign(hit viewer.Hit, second bool) {
	switch hit.Kind {
	case viewer.HitSpread:
		c.drag = dragBrush
		c.panel.StartBrush(hit, c.x)
	case viewer.HitHeader:
		c.pressHeader(report.Column(hit.Index))
	case viewer.HitBorder:
		c.pressBorder(report.Column(hit.Index), second)
	case viewer.HitTab:
		c.session.SetReportMode(report.ReportMode(hit.Index))
	case viewer.HitPause:
		c.after = after{name: "pause"}
	}
}

// pressSlow shows the frame of a bar among the slowest.
func (c *Controller) pressSlow(hit viewer.Hit) {
	if index, ok := c.panel.FrameAt(hit); ok {
		c.session.Pause()
		c.session.ShowFrame(index)
	}
}

// second reports whether this press completes a double click. A third press begins a new one.
func (c *Controller) second() bool {
	now := c.now()
	dx, dy := c.x-c.click.x, c.y-c.click.y
	if now.Sub(c.click.at) <= doubleClick && dx*dx+dy*dy <= doubleRadius*doubleRadius {
		c.click = click{}
		return true
	}
	c.click = click{now, c.x, c.y}
	return false
}

// showFrameUnder shows the frame whose column is under the mouse. It uses the height of the press, so a drag may leave
// the history.
func (c *Controller) showFrameUnder() {
	if hit := c.panel.HitAt(c.x, c.dragFrom); hit.Kind == viewer.HitGraph || hit.Kind == viewer.HitAxis {
		c.panel.ShowAge(hit.Age)
	}
}

// pressStructure begins to drag the call structure. A double click fits the bar to the width of the screen; on a bar
// that already fits, it shows the whole frame.
func (c *Controller) pressStructure(hit viewer.Hit, second bool) {
	c.drag = dragCalls
	if second {
		c.runHere("fit")
	} else if hit.Kind == viewer.HitIcicle {
		c.pressZone(hit.Zone, false)
	}
}

// pressCaret folds or unfolds a row of the call tree. In other reports it opens the zone.
func (c *Controller) pressCaret(record int) {
	if c.session.View().Mode == report.ReportCallTree {
		c.session.ToggleFold(record)
		return
	}
	c.session.SetCursor(record)
	c.session.Select()
}

// pressHeader sorts the table by a column. The self and hierarchical columns of a flat report choose the report that is
// sorted by them.
func (c *Controller) pressHeader(column report.Column) {
	mode := c.session.View().Mode
	flat := mode == report.ReportSelfTime || mode == report.ReportHierarchicalTime
	switch {
	case flat && column == report.ColumnSelf && mode != report.ReportSelfTime:
		c.session.SetReportMode(report.ReportSelfTime)
		c.after = after{name: "as-reported"}
	case flat && column == report.ColumnHier && mode != report.ReportHierarchicalTime:
		c.session.SetReportMode(report.ReportHierarchicalTime)
		c.after = after{name: "as-reported"}
	default:
		c.panel.Press(viewer.Hit{Kind: viewer.HitHeader, Index: int(column)})
	}
}

// pressBorder begins to drag the border of a column. A double click gives the column its usual width again.
func (c *Controller) pressBorder(column report.Column, second bool) {
	if second {
		c.panel.ResetColumn(column)
		return
	}
	c.drag = dragBorder
	c.panel.StartColumn(column, c.x)
}

// pressZone moves the cursor to a zone's record. The second press of a double click opens the zone.
func (c *Controller) pressZone(zone report.ZoneID, second bool) {
	if second {
		c.session.SetView(c.session.View().Opened(zone))
		return
	}
	c.session.SetCursorZone(zone)
}
