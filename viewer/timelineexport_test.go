package viewer

import "image"

// TimelineCard returns the place of the timeline, with its margin.
func TimelineCard(p *Panel) image.Rectangle {
	r := p.timeline.Card
	return image.Rect(int(r.X0)-6, int(r.Y0)-6, int(r.X1)+6, int(r.Y1)+6)
}
