package viewer

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// colors gives each zone a colour and keeps it. Zones of one caller have near hues. Two zones have the same colour only
// if there are more zones than colours; even then zones that touch differ. Zones take their colours in the order in
// which the program entered them, so the next run has the same.
type colors struct {
	of    [draw.NumThemes]map[string]color.NRGBA // by name
	used  [draw.NumThemes][]int                  // zones of each swatch
	done  []bool                                 // zones with a colour, by id
	fresh []process.ZoneID                       // zones of the tree without one
	near  neighbours
}

// mostColored bounds the names with a colour of their own. Others have one by their name.
const mostColored = 1 << 16

// learn gives the new zones of a tree their colours.
func (k *colors) learn(d *shown) {
	for len(k.done) < len(d.Zones) {
		k.done = append(k.done, false)
	}
	k.fresh = k.fresh[:0]
	for i := range d.Tree {
		k.meet(d.Tree[i].Zone)
	}
	for i := range d.Series { // those of other lanes than the tree's
		k.meet(d.Series[i].Zone)
	}
	if len(k.fresh) > 0 {
		k.add(d)
	}
}

// meet adds a zone without a colour to the fresh ones.
func (k *colors) meet(zone process.ZoneID) {
	if zone >= 0 && int(zone) < len(k.done) && !k.done[zone] {
		k.done[zone] = true
		k.fresh = append(k.fresh, zone)
	}
}

// add gives the fresh zones their colours, in the order of their ids.
func (k *colors) add(d *shown) {
	slices.Sort(k.fresh)
	k.near.find(d.Tree, len(d.Zones))
	for theme := range k.of {
		if k.of[theme] == nil {
			k.of[theme], k.used[theme] = map[string]color.NRGBA{}, make([]int, len(swatches[theme]))
		}
		for _, zone := range k.fresh {
			if len(k.of[theme]) < mostColored {
				k.choose(d, draw.Theme(theme), zone)
			}
		}
	}
}

// choose gives a zone a colour.
func (k *colors) choose(d *shown, theme draw.Theme, zone process.ZoneID) {
	name, of := d.Zone(zone).Name, k.of[theme]
	if isGiven(name) && theme == draw.ThemeColorBlind {
		of[name] = givenSafe
	}
	if _, has := of[name]; has || d.Zone(zone).Idle || isGiven(name) {
		return
	}
	taken := func(c color.NRGBA) (weight float64) {
		for _, other := range k.near.of(zone) {
			if its := d.Zone(other.zone).Name; its != name && of[its] == c {
				weight += other.weight
			}
		}
		return weight
	}
	if theme != draw.ThemeColorBlind && strings.HasPrefix(name, profilerPrefix) {
		of[name] = profilerColors[0]
		for _, c := range profilerColors {
			if taken(c) == 0 {
				of[name] = c
				break
			}
		}
		return
	}
	h := hashOf(name)
	hue, spread := float64(h%360), 30.0
	if parent := k.near.family(zone); parent > 0 {
		family := d.Zone(parent).Name
		if c, ok := of[family]; ok {
			hue = measured([]color.NRGBA{c})[0].hue
		} else {
			hue = float64(hashOf(family) % 360)
		}
	}
	best, least := 0, math.Inf(1)
	for i := range swatches[theme] {
		s := &swatches[theme][i]
		cost := turn(s.hue, hue)/spread + math.Abs(s.light-0.4-0.4*float64(h>>9%64)/63) + 20*float64(k.used[theme][i])
		cost += 1e6 * taken(s.NRGBA)
		if cost < least {
			best, least = i, cost
		}
	}
	k.used[theme][best]++
	of[name] = swatches[theme][best].NRGBA
}

// turn returns the angle between two hues, 0..180 degrees.
func turn(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}

// profilerPrefix begins the names of the profiler's own zones.
const profilerPrefix = "iprof "

// isGiven reports whether a name is of a row that is not a zone of the program.
func isGiven(name string) bool { return len(name) > 2 && name[0] == '(' && name[len(name)-1] == ')' }

// hashOf is FNV-1a over the beginning of a name, with a last step that mixes the bits.
func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := range min(len(name), longestName) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>13
}

// color gives new zones their colours.
func (p *Panel) color() {
	p.shown.learnNames()
	p.colors.learn(&p.shown)
	p.canvas.zones, p.canvas.theme = &p.colors.of, p.options.Theme
}

// ZoneColor returns the colour of a zone. It is that of the palette until the zone was in a tree.
func (c *canvas) ZoneColor(name string) color.NRGBA {
	if c.zones != nil {
		if col, ok := c.zones[c.theme][name]; ok {
			return col
		}
	}
	return c.Palette.ZoneColor(name)
}

// alike reports whether two zones have the same colour in any theme.
func (c *canvas) alike(a, b string) bool {
	for theme := range c.zones {
		of := c.zones[theme]
		if x, ok := of[a]; ok && x == of[b] {
			return true
		}
	}
	return false
}

// inkOn returns the colour of text on a zone's colour.
func inkOn(col color.NRGBA) color.NRGBA {
	if 3*int(col.R)+6*int(col.G)+int(col.B) < 1150 {
		return white
	}
	return onColor
}

// ColorOf returns the colour of a zone: grey if it is idle, else ZoneColor.
func (c *canvas) ColorOf(name string, idle bool) color.NRGBA {
	if idle {
		return c.Grey
	}
	return c.ZoneColor(name)
}
