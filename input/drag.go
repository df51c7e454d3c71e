package input

// drag is the object that a held button drags.
type drag uint8

const (
	dragNothing drag = iota
	dragShown        // shows the frame of the column under the mouse
	dragRange        // selects frames: see span
	dragHistory      // moves the history
	dragRibbon       // moves the window on the whole run
	dragCalls        // moves the call structure or the timeline
	dragRuler        // measures with the timeline's ruler
	dragBorder       // moves the border of a column of the table
	dragBrush        // chooses a part of a histogram
)

// dragTo moves the dragged object by the distance of the mouse.
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
	switch c.drag { // these depend on the place of the mouse
	case dragShown:
		c.showFrameUnder()
	case dragRange:
		c.dragSpan()
	}
}

// endDrag ends a drag when its button is released. It selects the range, or lists the frames or calls of the histogram.
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

// dropDrag ends a drag when the host takes the mouse.
func (c *Controller) dropDrag() {
	if c.drag == dragRibbon {
		c.panel.EndRibbon()
	}
	c.drag = dragNothing
}
