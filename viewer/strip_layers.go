package viewer

import (
	"slices"

	"example.com/iprof/process"
)

// steadyMS is the time of frames in ms for which a zone must be among the greatest before it takes the place of another
// in the columns. Younger histories restack at once.
const steadyMS = 2000

// places keeps the order of the layers. Layers never swap. A zone takes over the place of one that has been small for a
// while.
type places struct {
	newest  uint64  // index of the newest frame in the last Draw
	age     float64 // ms of frames since the layers were made
	last    float64 // ms of frames since the last Draw
	waiting []waiting
	keep    []process.ZoneID // zones of the layers
}

// waiting is a zone without a layer that is among the greatest.
type waiting struct {
	zone  process.ZoneID
	since float64 // ms of frames
	here  bool
}

// elapsed returns the time of the frames that have ended since the last Draw, ms. A reset is below 0.
func (p *places) elapsed(frames []process.FrameSummary) (ms float64) {
	n := len(frames)
	if n == 0 || frames[n-1].Index < p.newest {
		p.newest = 0
		return -1
	}
	for i := n - 1; i >= 0 && p.newest > 0 && frames[i].Index > p.newest; i-- {
		if v := float64(frames[i].Length); v > 0 && finite(frames[i].Length) {
			ms += v
		}
	}
	p.newest = frames[n-1].Index
	return ms
}

// most returns the greatest number of layers: the usual number, as far as the legend has room, or more if they are
// needed.
func (s *strip) most() int {
	n := stacked
	if s.room > 0 {
		n = min(n, s.room)
	}
	return max(s.stack, n)
}

// resize begins with few layers again when the place of the history has changed.
func (s *strip) resize(c *canvas, in rect, names bool) {
	s.room = stackedMost
	if names {
		s.legendColumns(c, in)
	}
	if in != s.in {
		s.in, s.stack, s.layers, s.places.age, s.resized = in, 0, s.layers[:0], 0, true
	}
}

// keep returns the zones whose series are wanted besides the greatest: those of the layers, while the lane stays.
func (s *strip) keep(lane process.LaneID) []process.ZoneID {
	if lane != s.lane {
		return nil
	}
	return s.places.keep
}

// grow asks for more layers if too much of a column has none. The next Draw has them, on top of the others. After a
// change of the size it asks for the next Draw, because this one had the zones of the old size.
func (s *strip) grow() {
	s.grown, s.resized = s.resized, false
	if s.rest > restShare && len(s.layers) >= s.most() && s.most() < stackedMost {
		s.stack = min(s.most()+4, stackedMost)
		s.grown = true
	}
}

// choose updates the layers from the series. The greatest zones come first, then those of the layers that are no longer
// among them. The last series may be there only for the zone under the mouse; it has no layer.
func (s *strip) choose(c *canvas, d *shown) {
	elapsed := s.places.elapsed(d.Frames)
	if d.Past.Lane != s.lane { // other zones, at once
		s.lane, s.layers, s.stack, s.places.age, s.released = d.Past.Lane, s.layers[:0], 0, 0, true
	}
	before := len(s.layers)
	s.layers = slices.DeleteFunc(s.layers, func(l layer) bool { return d.view.Hides(l.zone) })
	if len(s.layers) < before {
		s.part(c)
	}
	greatest := d.Series[:min(len(d.Series), s.most())]
	if n := len(greatest); n > 0 && greatest[n-1].Idle {
		greatest = greatest[:n-1]
	}
	s.places.age += elapsed
	s.places.last = max(elapsed, 0)
	for i := range s.layers {
		s.layers[i].take(d, len(greatest), elapsed)
	}
	if young := s.places.age < steadyMS; elapsed < 0 || len(s.layers) == 0 || young && !s.shows(greatest) {
		s.restack(c, greatest)
		if elapsed < 0 {
			s.places.age = 0
		}
		for i := range s.layers {
			s.layers[i].take(d, len(greatest), 0)
		}
	}
	s.replace(c, d, greatest, elapsed)
	s.places.keep = s.places.keep[:0]
	for i := range s.layers {
		s.places.keep = append(s.places.keep, s.layers[i].zone)
	}
	s.colors(c, d)
}

// shows reports whether the layers are those zones.
func (s *strip) shows(greatest []process.Series) bool {
	for i := range greatest {
		if !s.has(greatest[i].Zone) {
			return false
		}
	}
	return len(s.layers) == len(greatest)
}

func (s *strip) has(zone process.ZoneID) bool {
	for i := range s.layers {
		if s.layers[i].zone == zone {
			return true
		}
	}
	return false
}

// take takes the values of a layer's zone. The first series are the greatest.
func (l *layer) take(d *shown, greatest int, elapsed float64) {
	l.values, l.columns, l.shown, l.absent = nil, nil, 0, l.absent+max(elapsed, 0)
	for i := range d.Series {
		if v := &d.Series[i]; v.Zone == l.zone && !v.Idle {
			l.name, l.sign, l.values = v.Name, v.Estimated.Sign(), v.Values
			l.columns, l.shown = d.Past.Series[i].Values, d.Past.Shown[i]
			if i < greatest {
				l.absent = 0
			}
			return
		}
	}
}

// restack makes new layers, with the greatest mean at the bottom: steady zones carry the spikes of the others.
// Zones of one colour do not lie on each other.
func (s *strip) restack(c *canvas, series []process.Series) {
	s.layers = s.layers[:0]
	for i := range series {
		s.layers = append(s.layers, layer{zone: series[i].Zone, name: series[i].Name})
	}
	s.part(c)
}

// replace gives the zones that have been among the greatest for long enough a layer: a new one on top, or the place of
// the layer that has been absent longest.
func (s *strip) replace(c *canvas, d *shown, greatest []process.Series, elapsed float64) {
	p := &s.places
	for i := range p.waiting {
		p.waiting[i].here = false
	}
	for i := range greatest {
		if zone := greatest[i].Zone; !s.has(zone) && (p.wait(zone, elapsed) >= steadyMS || s.grown) {
			s.give(c, zone, greatest[i].Name)
			s.layerOf(zone).take(d, len(greatest), 0)
		}
	}
	kept := p.waiting[:0]
	for _, w := range p.waiting {
		if w.here && !s.has(w.zone) {
			kept = append(kept, w)
		}
	}
	p.waiting = kept
}

// wait returns how long a zone has been waiting, ms of frames.
func (p *places) wait(zone process.ZoneID, elapsed float64) float64 {
	for i := range p.waiting {
		if w := &p.waiting[i]; w.zone == zone {
			w.since, w.here = w.since+max(elapsed, 0), true
			return w.since
		}
	}
	p.waiting = append(p.waiting, waiting{zone: zone, here: true})
	return 0
}

// give gives a zone a layer, not on one of its own colour if there is a choice.
func (s *strip) give(c *canvas, zone process.ZoneID, name string) {
	best, longest := -1, 0.0
	for i := range s.layers {
		l := &s.layers[i]
		if rank := l.absent - 1e9*s.clashes(c, i, name); l.absent > 0 && (best < 0 || rank > longest) {
			best, longest = i, rank
		}
	}
	if best < 0 || len(s.layers) < s.most() {
		at := len(s.layers) // on top, or the highest place between other colours
		for at > 0 && (c.alike(s.layers[at-1].name, name) || at < len(s.layers) && c.alike(s.layers[at].name, name)) {
			at--
		}
		s.layers = slices.Insert(s.layers, at, layer{zone: zone, name: name})
		s.part(c)
		return
	}
	s.layers[best] = layer{zone: zone, name: name}
	s.part(c)
}

// clashes returns how many of the layers below and above a place have the colour of a zone.
func (s *strip) clashes(c *canvas, i int, name string) (n float64) {
	for _, at := range [...]int{i - 1, i + 1} {
		if at >= 0 && at < len(s.layers) && c.alike(s.layers[at].name, name) {
			n++
		}
	}
	return n
}

func (s *strip) layerOf(zone process.ZoneID) *layer {
	for i := range s.layers {
		if s.layers[i].zone == zone {
			return &s.layers[i]
		}
	}
	return nil
}
