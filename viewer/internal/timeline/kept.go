package timeline

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
)

// The ranks of bands: bands that stay at the top, and other bands.
const keptRank, usualRank = 0, 1

// keptShare is the greatest share of the height for the bands that stay in place while the others move.
const keptShare = 0.6

// Keep keeps the bands of lanes and groups at the top, by their names.
func (t *Timeline) Keep(names []string) {
	if b := &t.Bands; !slices.Equal(b.kept, names) {
		b.kept, b.Seats = slices.Clone(names), b.Seats[:0]
	}
}

// rankOf returns the rank of the band of a name.
func (b *bands) rankOf(name string) uint8 {
	if slices.Contains(b.kept, name) {
		return keptRank
	}
	return usualRank
}

// keptHeight returns the height of the bands that stay in place, in pixels. If they need most of the room, no band
// stays in place.
func (b *bands) keptHeight(em float32, lane report.LaneID, gutter bool, room float32) (height float32) {
	for i := range b.Seats {
		if s := &b.Seats[i]; s.rank == keptRank && s.shows(lane) {
			height += draw.Snap(heightOf(s, b.line, gutter) * em)
		}
	}
	if height > keptShare*room {
		return 0
	}
	return height
}

// NameOf returns the name of the lane or the group of a hit, or "".
func (t *Timeline) NameOf(h hit.Hit) string {
	if h.Kind != hit.TimelineLane && h.Kind != hit.Timeline || h.Name != "" {
		return h.Name
	}
	for i := range t.Bands.Seats {
		if s := &t.Bands.Seats[i]; s.id == h.Lane && s.kind != seatGroup && h.Lane != 0 {
			return s.name
		}
	}
	return ""
}
