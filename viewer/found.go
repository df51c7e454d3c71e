package viewer

import "example.com/iprof/process"

// found has the zones that the text being searched for finds. They are highlighted in all parts of the screen.
type found struct {
	text  string
	zones []bool // by id; as many as have been looked at
	any   bool
}

// take follows the text and the zones.
func (f *found) take(d *shown) {
	if f.text != d.view.Filter || len(d.Zones) < len(f.zones) {
		f.text, f.zones, f.any = d.view.Filter, f.zones[:0], false
	}
	for i := len(f.zones); f.text != "" && i < len(d.Zones); i++ {
		hit := d.view.Finds(d.Zones[i].Name)
		f.zones, f.any = append(f.zones, hit), f.any || hit
	}
}

// has reports whether the text finds a zone.
func (f *found) has(zone process.ZoneID) bool {
	return zone >= 0 && int(zone) < len(f.zones) && f.zones[zone]
}

// light says how a zone is drawn.
type light uint8

const (
	plain  light = iota
	lit          // it is under the mouse, or it is found
	dimmed       // another zone is
)

// light returns how a zone is drawn. What is under the mouse goes before what is found. A text that finds nothing dims
// nothing.
func (d *shown) light(zone process.ZoneID) light {
	over := d.zoneUnderMouse()
	switch {
	case over >= 0 && over == zone, over < 0 && d.found.has(zone):
		return lit
	case over >= 0, d.found.any:
		return dimmed
	}
	return plain
}

// lightOf is as light, but what is under the mouse dims nothing here: its neighbours stay readable.
func (g *icicle) lightOf(zone process.ZoneID) light {
	if how := g.d.light(zone); how == lit || g.d.zoneUnderMouse() < 0 {
		return how
	}
	return plain
}
