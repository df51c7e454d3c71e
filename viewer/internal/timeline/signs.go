package timeline

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// Signs lists the signs that the last Draw of a timeline may have, for a legend.
type Signs struct {
	States           [measure.NumStateKinds]bool // of the lines below the scopes
	Marking, Stopped bool                        // backgrounds over all lanes
	Arrow, Compared  bool                        // an arrow; a scope with its usual length
}

// Signs returns the signs of the last Draw.
func (t *Timeline) Signs() (g Signs) {
	g.Arrow = t.Bands.arrow.from != 0 || t.Blamed.Scope.Width() > 0
	g.Compared = t.Blamed.Ghost.Width() > 0
	if t.data.Timeline == nil {
		return g
	}
	for i := range t.data.Bands {
		for j := range t.data.Bands[i].States {
			g.States[t.data.Bands[i].States[j].Kind%measure.NumStateKinds] = true
		}
	}
	for i := range t.data.Whole {
		switch k := t.data.Whole[i].Kind; {
		case k == gather.StateGone:
			g.Stopped = true
		case t.NoCollector:
		case k == gather.StateMarking:
			g.Marking = true
		case k == gather.StateStopped:
			g.Stopped = true
		}
	}
	return g
}
