package runreport

import (
	"slices"
	"strings"
)

// plainName returns the name of a function without the linker's escapes of dots: "yaml%2ev3.Marshal" is
// yaml.v3.Marshal.
func plainName(name string) string { return strings.ReplaceAll(name, "%2e", ".") }

// usePlainNames unescapes the names of functions, in zones and in samples alike.
func (r *Run) usePlainNames() {
	r.Dump.Zones = slices.Clone(r.Dump.Zones)
	for i := range r.Dump.Zones {
		z := &r.Dump.Zones[i]
		z.Function = plainName(z.Function)
	}
	for i := range r.Notes.Samples {
		s := &r.Notes.Samples[i]
		s.Zone, s.Around, s.Function = plainName(s.Zone), plainName(s.Around), plainName(s.Function)
	}
	for name, n := range r.Notes.Outside {
		if plain := plainName(name); plain != name {
			delete(r.Notes.Outside, name)
			r.Notes.Outside[plain] += n
		}
	}
	for i := range r.Notes.Muted {
		r.Notes.Muted[i].Function = plainName(r.Notes.Muted[i].Function)
	}
	for i := range r.Dump.Lanes {
		r.Dump.Lanes[i].Name = plainName(r.Dump.Lanes[i].Name)
	}
}
