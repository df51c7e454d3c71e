package strip

import (
	"slices"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// steadyMS is the least time of frames in ms for which a zone must be among the greatest before it replaces another in
// the columns. Younger histories restack at once.
const steadyMS = 2000

// places keeps the order of the layers. Layers never swap. A zone takes the place of another that has been small for a
// while.
type places struct {
	newest  uint64  // index of the newest frame in the last Draw
	age     float64 // ms of frames since the layers were made
	last    float64 // ms of frames since the last Draw
	waiting []waiting
	keep    []report.ZoneID // zones of the layers
}

// waiting is a zone without a layer that is among the greatest.
type waiting struct {
	zone    report.ZoneID
	since   float64 // ms of frames
	present bool
}

// elapsed returns the time of the frames ended since the last Draw, in ms. After a reset it is below 0.
func (p *places) elapsed(frames []report.FrameSummary) (ms float64) {
	n := len(frames)
	if n == 0 || frames[n-1].Index < p.newest {
		p.newest = 0
		return -1
	}
	for i := n - 1; i >= 0 && p.newest > 0 && frames[i].Index > p.newest; i-- {
		if v := float64(frames[i].Length); v > 0 && canvas.Finite(frames[i].Length) {
			ms += v
		}
	}
	p.newest = frames[n-1].Index
	return ms
}

// Most returns the greatest number of layers: the usual number, or more if needed.
func (s *Strip) Most() int { return max(s.stack, stacked) }

// resize begins with few layers again when the place of the history has changed.
func (s *Strip) resize(in canvas.Rect) {
	if in != s.in {
		s.in = in
		s.stack = 0
		s.Layers = s.Layers[:0]
		s.places.age = 0
		s.resized = true
	}
}

// Keep returns the zones whose series are needed besides the greatest: the zones of the layers, for the same lane.
func (s *Strip) Keep(lane report.LaneID) []report.ZoneID {
	if lane != s.lane {
		return nil
	}
	return s.places.keep
}

// grow requests more layers if too much of a column is outside of layers. The next Draw adds them on top. After a
// change of the size it waits for the next Draw, because this one used the zones of the old size.
func (s *Strip) grow() {
	s.grown, s.resized = s.resized, false
	if s.Rest > restShare && len(s.Layers) >= s.Most() && s.Most() < stackedMost {
		s.stack = min(s.Most()+4, stackedMost)
		s.grown = true
	}
}

// choose updates the layers from the series. The greatest zones come first, then the other zones of layers. The last
// series may be only for the zone under the mouse; it gets no layer.
func (s *Strip) choose(c *canvas.Canvas, d *scene.Scene) {
	elapsed := s.places.elapsed(d.Frames)
	if d.Past.Lane != s.lane { // other zones, at once
		s.lane = d.Past.Lane
		s.Layers = s.Layers[:0]
		s.stack = 0
		s.places.age = 0
		s.released = true
	}
	before := len(s.Layers)
	s.Layers = slices.DeleteFunc(s.Layers, func(l layer) bool { return d.View.Hides(l.Zone) })
	if len(s.Layers) < before {
		s.part(d)
	}
	greatest := d.Series[:min(len(d.Series), s.Most())]
	if n := len(greatest); n > 0 && greatest[n-1].Idle {
		greatest = greatest[:n-1]
	}
	s.places.age += elapsed
	s.places.last = max(elapsed, 0)
	for i := range s.Layers {
		s.Layers[i].take(d, len(greatest), elapsed)
	}
	if young := s.places.age < steadyMS; elapsed < 0 || len(s.Layers) == 0 || young && !s.shows(greatest) {
		s.restack(d, greatest)
		if elapsed < 0 {
			s.places.age = 0
		}
		for i := range s.Layers {
			s.Layers[i].take(d, len(greatest), 0)
		}
	}
	s.replace(d, greatest, elapsed)
	s.places.keep = s.places.keep[:0]
	for i := range s.Layers {
		s.places.keep = append(s.places.keep, s.Layers[i].Zone)
	}
	s.sumLayers(len(d.Past.Columns))
	s.colors(c, d)
}

// shows reports whether the layers show exactly these zones.
func (s *Strip) shows(greatest []report.Series) bool {
	for i := range greatest {
		if !s.has(greatest[i].Zone) {
			return false
		}
	}
	return len(s.Layers) == len(greatest)
}

func (s *Strip) has(zone report.ZoneID) bool {
	for i := range s.Layers {
		if s.Layers[i].Zone == zone {
			return true
		}
	}
	return false
}

// take takes the values of a layer's zone. The first series are the greatest.
func (l *layer) take(d *scene.Scene, greatest int, elapsed float64) {
	l.columns = nil
	l.absent = l.absent + max(elapsed, 0)
	for i := range d.Series {
		if v := &d.Series[i]; v.Zone == l.Zone && !v.Idle {
			l.Name, l.sign, l.columns = v.Name, v.Estimated.Sign(), d.Past.Series[i].Values
			if i < greatest {
				l.absent = 0
			}
			return
		}
	}
}

// restack makes new layers, with the greatest mean at the bottom: steady zones carry the spikes of the others.
// Zones of one colour do not lie on each other.
func (s *Strip) restack(d *scene.Scene, series []report.Series) {
	s.Layers = s.Layers[:0]
	for i := range series {
		s.Layers = append(s.Layers, layer{Zone: series[i].Zone, Name: series[i].Name})
	}
	s.part(d)
}

// replace gives a layer to each zone that has been among the greatest for long enough: a new one on top, or the place
// of the layer absent for longest.
func (s *Strip) replace(d *scene.Scene, greatest []report.Series, elapsed float64) {
	p := &s.places
	for i := range p.waiting {
		p.waiting[i].present = false
	}
	for i := range greatest {
		if zone := greatest[i].Zone; !s.has(zone) && (p.wait(zone, elapsed) >= steadyMS || s.grown) {
			s.give(d, zone, greatest[i].Name)
			s.layerOf(zone).take(d, len(greatest), 0)
		}
	}
	kept := p.waiting[:0]
	for _, w := range p.waiting {
		if w.present && !s.has(w.zone) {
			kept = append(kept, w)
		}
	}
	p.waiting = kept
}

// wait returns the waiting time of a zone in ms of frames.
func (p *places) wait(zone report.ZoneID, elapsed float64) float64 {
	for i := range p.waiting {
		if w := &p.waiting[i]; w.zone == zone {
			w.since, w.present = w.since+max(elapsed, 0), true
			return w.since
		}
	}
	p.waiting = append(p.waiting, waiting{zone: zone, present: true})
	return 0
}

// give gives a zone a layer, if possible not next to one of its own colour.
func (s *Strip) give(d *scene.Scene, zone report.ZoneID, name string) {
	best, longest := -1, 0.0
	for i := range s.Layers {
		l := &s.Layers[i]
		if rank := l.absent - 1e9*s.clashes(d, i, zone); l.absent > 0 && (best < 0 || rank > longest) {
			best, longest = i, rank
		}
	}
	if best < 0 || len(s.Layers) < s.Most() {
		at := len(s.Layers) // on top, or the highest place between other colours
		for at > 0 && (d.Alike(s.Layers[at-1].Zone, zone) || at < len(s.Layers) && d.Alike(s.Layers[at].Zone, zone)) {
			at--
		}
		s.Layers = slices.Insert(s.Layers, at, layer{Zone: zone, Name: name})
		s.part(d)
		return
	}
	s.Layers[best] = layer{Zone: zone, Name: name}
	s.part(d)
}

// clashes returns the number of layers below and above a place with the colour of a zone.
func (s *Strip) clashes(d *scene.Scene, i int, zone report.ZoneID) (n float64) {
	for _, at := range [...]int{i - 1, i + 1} {
		if at >= 0 && at < len(s.Layers) && d.Alike(s.Layers[at].Zone, zone) {
			n++
		}
	}
	return n
}

func (s *Strip) layerOf(zone report.ZoneID) *layer {
	for i := range s.Layers {
		if s.Layers[i].Zone == zone {
			return &s.Layers[i]
		}
	}
	return nil
}

// part separates adjacent layers of the same colour with as few moves as needed. There are more zones than colours, and
// zones far apart in the call structure may share one. If all adjacent layers differ, it moves nothing, so that layers
// keep their places.
func (s *Strip) part(d *scene.Scene) {
	for i := 1; i < len(s.Layers); i++ {
		if s.clash(d, i) && !s.bringOther(d, i) && !s.moveDown(d, i) {
			s.swap(d, i)
		}
	}
}

// clash reports whether a layer has the colour of the one below it.
func (s *Strip) clash(d *scene.Scene, i int) bool {
	return i > 0 && i < len(s.Layers) && d.Alike(s.Layers[i-1].Zone, s.Layers[i].Zone)
}

// bringOther moves the next fitting layer from above to a place.
func (s *Strip) bringOther(d *scene.Scene, at int) bool {
	for j := at + 1; j < len(s.Layers); j++ {
		if !d.Alike(s.Layers[at-1].Zone, s.Layers[j].Zone) {
			l := s.Layers[j]
			s.Layers = slices.Insert(slices.Delete(s.Layers, j, j+1), at, l)
			return true
		}
	}
	return false
}

// swap exchanges a layer with another so that both lie between other colours.
func (s *Strip) swap(d *scene.Scene, i int) {
	for j := range s.Layers {
		s.Layers[i], s.Layers[j] = s.Layers[j], s.Layers[i]
		if !s.clash(d, i) && !s.clash(d, i+1) && !s.clash(d, j) && !s.clash(d, j+1) {
			return
		}
		s.Layers[i], s.Layers[j] = s.Layers[j], s.Layers[i]
	}
}

// moveDown moves a layer to the highest place below at which it lies between other colours. It reports whether there is
// one.
func (s *Strip) moveDown(d *scene.Scene, from int) bool {
	zone := s.Layers[from].Zone
	for at := from - 1; at >= 0; at-- {
		if !d.Alike(s.Layers[at].Zone, zone) && (at == 0 || !d.Alike(s.Layers[at-1].Zone, zone)) {
			l := s.Layers[from]
			s.Layers = slices.Insert(slices.Delete(s.Layers, from, from+1), at, l)
			return true
		}
	}
	return false
}
