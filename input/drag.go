package input

// drag is what follows the mouse while a button is held.
type drag uint8

const (
	dragNothing drag = iota
	dragShown        // the frame shown is that of the column under the mouse
	dragRange        // frames are selected: see span
	dragHistory      // the history moves
	dragRibbon       // the window on the whole run moves
	dragCalls        // the call structure or the timeline moves
	dragRuler        // the timeline's ruler is measuring
	dragBorder       // the border of a column of the table moves
	dragBrush        // a part of a histogram is chosen
)

// dragTo moves what is dragged by a distance that the mouse has moved.
func (c *Controller) dragTo(dx, dy float32) {
	switch c.drag {
	case dragHistory:
		c.panel.SlideHistory(dx)
	case dragRibbon:
		c.panel.DragRibbon(c.x)
	case dragCalls:
		c.panel.Pan(dx, dy)
	case dragRuler:
		c.panel.DragRuler(c.x, c.y)
	case dragBorder:
		c.panel.DragColumn(c.x)
	case dragBrush:
		c.panel.DragBrush(c.x)
	}
	c.panel.SetHover(c.x, c.y)
	switch c.drag { // these ask what is under the mouse
	case dragShown:
		c.showFrameUnder()
	case dragRange:
		c.dragSpan()
	}
}

// endDrag ends a drag by the release of its button: a range is selected, or the frames or calls of a histogram listed.
func (c *Controller) endDrag() {
	was := c.drag
	c.drag = dragNothing
	switch was {
	case dragRange:
		c.endSpan()
	case dragRibbon:
		c.panel.EndRibbon()
	case dragBrush:
		c.panel.EndBrush()
	}
}

// dropDrag ends a drag because the host took the mouse.
func (c *Controller) dropDrag() {
	if c.drag == dragRibbon {
		c.panel.EndRibbon()
	}
	c.drag = dragNothing
}
