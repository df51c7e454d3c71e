package scene

import "example.com/iprof/process/report"

// found holds the zones that match the searched text. All parts of the screen highlight them.
type found struct {
	text  string
	zones []bool // by id; only the zones seen so far
	Any   bool
}

// take follows the text and the zones.
func (f *found) take(d *Scene) {
	if f.text != d.View.Filter {
		f.text, f.zones, f.Any = d.View.Filter, f.zones[:0], false
	}
	for i := len(f.zones); f.text != "" && i < len(d.Zones); i++ {
		hit := d.View.Finds(&d.Zones[i])
		f.zones, f.Any = append(f.zones, hit), f.Any || hit
	}
}

// Has reports whether a zone matches the text.
func (f *found) Has(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < len(f.zones) && f.zones[zone]
}

// Light is the emphasis of a drawn zone.
type Light uint8

const (
	Plain  Light = iota
	Lit          // under the mouse, or found
	Dimmed       // another zone is lit
)

// Light returns the emphasis of a zone. The zone under the mouse goes before the found ones. A text without matches
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
