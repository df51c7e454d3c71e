package input

import (
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

const (
	doubleClick  = 400 * time.Millisecond
	doubleRadius = 5 // device pixels between the clicks, at most
	rowsPerNotch = 3
)

// click is the last press, to know the second of a double click.
type click struct {
	at   time.Time
	x, y float32
}

// Cursor handles a move of the mouse to (x, y), in window units from the top left.
func (c *Controller) Cursor(x, y float64) (used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dx, dy := float32(x)*c.scale-c.x, float32(y)*c.scale-c.y
	c.x, c.y = c.x+dx, c.y+dy
	if !c.Captured() {
		c.dragging, c.panning, c.span = false, false, span{}
		return false
	}
	if c.panning {
		pan(c.panel, dx, dy)
	}
	c.panel.SetHover(c.x, c.y)
	if c.dragging {
		c.showFrameUnder()
	}
	if c.span.on {
		c.dragSpan()
	}
	return c.dragging || c.panning || c.span.on || c.over().Kind != draw.HitNone
}

// Button handles a mouse button, at the place of the last Cursor event: where the mouse is by now may be elsewhere.
func (c *Controller) Button(button Button, action Action, mods Mods) (used bool) {
	do, used := c.takeButton(button, action, mods)
	if do != nil {
		c.run(do)
	}
	return used
}

// takeButton decides who gets the event, and what is to be done.
func (c *Controller) takeButton(button Button, action Action, mods Mods) (do command, used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if action == Release {
		if button == Left {
			c.endSpan()
		}
		used = c.buttons[button]
		delete(c.buttons, button)
		c.dragging, c.panning = c.dragging && button != Left, c.panning && button != Left
		return nil, used
	}
	if !c.Captured() {
		return nil, false
	}
	hit := c.over()
	if hit.Kind == draw.HitNone && c.panel.Mode() != draw.Full {
		return nil, false
	}
	c.buttons[button] = true
	before := c.session.View()
	c.after = nil
	switch button {
	case Left:
		c.press(hit, mods)
	case Right:
		c.pressRight(hit)
	}
	c.remember(before)
	return c.after, true
}

// Scroll handles the wheel, in notches; down is negative.
func (c *Controller) Scroll(sideways, notches float64) (used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.Captured() || c.over().Kind == draw.HitNone && c.panel.Mode() != draw.Full {
		return false
	}
	if hit := c.over(); hit.Kind == draw.HitIcicle || hit.Kind == draw.HitStructure {
		c.panel.ZoomIcicle(c.x, notches)
		return true
	} else if c.scrollTimeline(hit, sideways, notches) {
		return true
	}
	c.wheel -= notches * rowsPerNotch
	rows := int(c.wheel)
	c.wheel -= float64(rows)
	c.roll(rows)
	return true
}

// over is what lies under the cursor.
func (c *Controller) over() draw.Hit { return c.panel.HitAt(c.x, c.y) }

// press acts on what the left button hit.
func (c *Controller) press(hit draw.Hit, mods Mods) {
	second := c.second()
	if choose(c.session, c.panel, hit) {
		return
	}
	switch hit.Kind {
	case draw.HitCaret:
		c.pressCaret(hit.Index)
	case draw.HitSlow:
		if index, ok := c.panel.SlowFrame(hit.Index); ok {
			c.session.Pause()
			c.session.ShowFrame(index)
		}
	case draw.HitCompare:
		c.panel.ToggleCompare()
	case draw.HitClear:
		c.panel.ClearSlowest()
	case draw.HitFilter:
		c.panel.OpenFilter()
	case draw.HitLanes:
		c.panel.OpenLanes()
	case draw.HitRecord:
		c.session.SetCursor(hit.Index)
		if second {
			c.session.Select()
		}
	case draw.HitGraph:
		if mods&Shift == 0 {
			c.startSpan(hit.Age)
			return
		}
		fallthrough
	case draw.HitAxis:
		clearLens(c.session)
		c.dragging, c.dragFrom = true, c.y
		c.showFrameUnder()
	case draw.HitPackage:
		c.panel.ToggleFold(hit.Index)
	case draw.HitCommand:
		c.panel.CloseMenu()
		c.after = c.doNamed(hit.Name)
	case draw.HitTimeline:
		c.pressTimeline(hit, second)
	case draw.HitTimelineLane:
		c.pressLane(hit.Lane)
	case draw.HitIcicle, draw.HitStructure:
		c.pressStructure(hit, second)
	case draw.HitLegend, draw.HitZone:
		c.pressZone(hit.Zone, second)
	case draw.HitHeader:
		c.pressHeader(process.Column(hit.Index))
	case draw.HitTab:
		c.session.SetReportMode(process.ReportMode(hit.Index))
	case draw.HitPause:
		togglePause(c.session, c.panel)
	}
}

// second reports whether this press makes a double click of the last. A third begins anew.
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

// showFrameUnder shows the frame whose column is under the cursor. A drag that leaves the graph goes on at its height.
func (c *Controller) showFrameUnder() {
	if hit := c.panel.HitAt(c.x, c.dragFrom); hit.Kind == draw.HitGraph || hit.Kind == draw.HitAxis {
		showFrame(c.session, hit.Age)
	}
}

// roll gives the wheel to what it is over.
func (c *Controller) roll(rows int) {
	if c.panel.MenuOpen() {
		c.panel.MoveMenu(rows)
		return
	}
	c.panel.Scroll(rows)
}

// pressStructure begins to drag the call structure. A double click makes a bar as wide as the screen, or shows all again.
func (c *Controller) pressStructure(hit draw.Hit, second bool) {
	c.panning = true
	if second {
		c.panel.FitIcicle(hit.Path)
	} else if hit.Kind == draw.HitIcicle {
		c.pressZone(hit.Zone, false)
	}
}

// pressCaret folds or unfolds a row of the tree; in other reports it opens the zone.
func (c *Controller) pressCaret(record int) {
	if c.session.View().Mode == process.CallTree {
		c.session.ToggleFold(record)
		return
	}
	c.session.SetCursor(record)
	c.session.Select()
}

// pressHeader sorts by a column. The flat reports are sorted by their own two columns themselves.
func (c *Controller) pressHeader(column process.Column) {
	mode := c.session.View().Mode
	flat := mode == process.SelfTime || mode == process.HierarchicalTime
	switch {
	case flat && column == process.ColumnSelf && mode != process.SelfTime:
		c.session.SetReportMode(process.SelfTime)
		c.panel.SortAsReported()
	case flat && column == process.ColumnHier && mode != process.HierarchicalTime:
		c.session.SetReportMode(process.HierarchicalTime)
		c.panel.SortAsReported()
	default:
		c.panel.SortBy(column)
	}
}

// pressZone moves the cursor to a zone's record; the second press of a double click opens the zone.
func (c *Controller) pressZone(zone int32, second bool) {
	if second {
		c.session.SetView(c.session.View().Opened(zone))
		return
	}
	var report process.Report
	c.session.AppendReport(&report)
	for i, r := range report.Records {
		if r.Zone == zone {
			c.session.SetCursor(i)
			return
		}
	}
}
