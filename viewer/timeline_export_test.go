package viewer

import "image"

// TimelineCard returns the place of the timeline, with its margin.
func TimelineCard(p *Panel) image.Rectangle {
	r := p.timeline.card
	return image.Rect(int(r.x0)-6, int(r.y0)-6, int(r.x1)+6, int(r.y1)+6)
}
