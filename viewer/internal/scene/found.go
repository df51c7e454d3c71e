package scene

import "example.com/iprof/process/report"

// found has the zones that the text being searched for finds. They are highlighted in all parts of the screen.
type found struct {
	text  string
	zones []bool // by id; as many as have been looked at
	Any   bool
}

// take follows the text and the zones.
func (f *found) take(d *Scene) {
	if f.text != d.View.Filter || len(d.Zones) < len(f.zones) {
		f.text, f.zones, f.Any = d.View.Filter, f.zones[:0], false
	}
	for i := len(f.zones); f.text != "" && i < len(d.Zones); i++ {
		hit := d.View.Finds(&d.Zones[i])
		f.zones, f.Any = append(f.zones, hit), f.Any || hit
	}
}

// Has reports whether the text finds a zone.
func (f *found) Has(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < len(f.zones) && f.zones[zone]
}

// Light says how a zone is drawn.
type Light uint8

const (
	Plain  Light = iota
	Lit          // it is under the mouse, or it is found
	Dimmed       // another zone is
)

// Light returns how a zone is drawn. The zone under the mouse goes before the found ones. A text that finds nothing
// dims nothing.
func (d *Scene) Light(zone report.ZoneID) Light {
	over := d.ZoneUnderMouse()
	switch {
	case over >= 0 && over == zone, over < 0 && d.Found.Has(zone):
		return Lit
	case over >= 0, d.Found.Any:
		return Dimmed
	}
	return Plain
}
