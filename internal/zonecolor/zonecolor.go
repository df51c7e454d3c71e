// Package zonecolor gives zones their colours. All displays have them from here, so that a zone has the same in each.
package zonecolor

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// longestName is the number of bytes of a name that its colour depends on.
const longestName = 256

// Colors gives each zone a colour and keeps it. Zones of one caller have near hues. Two zones have the same colour only
// if there are more zones than colours; even then zones that touch differ. A zone that touches one of its colour only
// later, below another caller, takes a new one. Zones take their colours in the order in which the program entered
// them, so the next run has the same.
type Colors struct {
	Of    [Themes]map[string]color.NRGBA // by name; idle zones have none
	used  [Themes][]int                  // zones of each swatch
	done  []bool                         // zones with a colour, by id
	fresh []report.ZoneID                // zones of the tree without one
	paths []bool                         // those seen, by number
	moved bool                           // the tree has new paths
	near  neighbours
}

// mostColored bounds the names with a colour of their own. Others have one by their name.
const mostColored = 1 << 16

// Run is what colours depend on: the zones by id, a call structure of them, and the series of other lanes.
type Run struct {
	Zones  []gather.ZoneInfo
	Tree   []report.TreeNode
	Series []report.Series
	Dark   bool // colours of the dark theme are enough
}

// zone returns what is known of a zone.
func (d *Run) zone(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(d.Zones) {
		return gather.ZoneInfo{}
	}
	return d.Zones[id]
}

// Learn gives the new zones of a tree their colours.
func (k *Colors) Learn(d *Run) {
	for len(k.done) < len(d.Zones) {
		k.done = append(k.done, false)
	}
	k.fresh, k.moved = k.fresh[:0], false
	for i := range d.Tree {
		k.meet(d.Tree[i].Zone)
		if len(d.Tree) <= mostMoved {
			k.walk(d.Tree[i].Path)
		}
	}
	for i := range d.Series { // those of other lanes than the tree's
		k.meet(d.Series[i].Zone)
	}
	if len(k.fresh) > 0 || k.moved {
		k.add(d)
	}
}

// mostMoved is the greatest number of nodes of a tree in which zones are looked for that touch one of their colour now.
// A larger tree is of a whole run. Its zones have met before, in the trees of lanes and frames.
const mostMoved = 4096

// mostPaths bounds the memory for paths. Later ones are not noted: such a program has more zones than colours.
const mostPaths = 1 << 16

// walk notes a path.
func (k *Colors) walk(path int32) {
	if path < 0 || path >= mostPaths || int(path) < len(k.paths) && k.paths[path] {
		return
	}
	for int(path) >= len(k.paths) {
		k.paths = append(k.paths, false)
	}
	k.paths[path], k.moved = true, true
}

// meet adds a zone without a colour to the fresh ones.
func (k *Colors) meet(zone report.ZoneID) {
	if zone >= 0 && int(zone) < len(k.done) && !k.done[zone] {
		k.done[zone] = true
		k.fresh = append(k.fresh, zone)
	}
}

// add gives the fresh zones their colours, in the order of their ids.
func (k *Colors) add(d *Run) {
	slices.Sort(k.fresh)
	k.near.find(d.Tree, len(d.Zones))
	for theme := range k.Of {
		if d.Dark && theme > 0 {
			break
		}
		if k.Of[theme] == nil {
			k.Of[theme], k.used[theme] = map[string]color.NRGBA{}, make([]int, len(swatches(theme)))
		}
		for _, zone := range k.fresh {
			if len(k.Of[theme]) < mostColored {
				k.choose(d, theme, zone)
			}
		}
		k.part(d, theme)
	}
}

// part gives another colour to each zone that touches an earlier one of its colour, if there is one that nothing near
// has.
func (k *Colors) part(d *Run, theme int) {
	of, list := k.Of[theme], swatches(theme)
	for i := range d.Zones {
		zone, name := report.ZoneID(i), d.Zones[i].Name
		was := slices.IndexFunc(list, func(s swatch) bool { return s.NRGBA == of[name] })
		if was < 0 || !k.clashes(d, theme, zone) {
			continue
		}
		if best, weight := k.choosePlain(d, theme, zone); weight < touching {
			k.used[theme][was]--
			k.used[theme][best]++
			of[name] = list[best].NRGBA
		}
	}
}

// clashes reports whether a zone has the colour of an earlier one that touches it.
func (k *Colors) clashes(d *Run, theme int, zone report.ZoneID) bool {
	name, of := d.Zones[zone].Name, k.Of[theme]
	for _, n := range k.near.of(zone) {
		if n.weight < touching || n.zone >= zone {
			continue
		}
		if other := d.zone(n.zone).Name; other != name && of[other] == of[name] {
			return true
		}
	}
	return false
}

// choose gives a zone a colour.
func (k *Colors) choose(d *Run, theme int, zone report.ZoneID) {
	name, of := d.zone(zone).Name, k.Of[theme]
	if IsGiven(name) && theme == Safe {
		of[name] = givenSafe
	}
	if _, has := of[name]; has || d.zone(zone).Idle || IsGiven(name) {
		return
	}
	if theme != Safe && strings.HasPrefix(name, profilerPrefix) {
		of[name] = k.chooseBrown(d, theme, zone)
		return
	}
	best, _ := k.choosePlain(d, theme, zone)
	k.used[theme][best]++
	of[name] = swatches(theme)[best].NRGBA
}

// taken calls f with the colours of the zones that may touch a zone, and how much each counts.
func (k *Colors) taken(d *Run, theme int, zone report.ZoneID, f func(c color.NRGBA, weight float64)) {
	name := d.zone(zone).Name
	for _, other := range k.near.of(zone) {
		if its := d.zone(other.zone).Name; its != name {
			if c, ok := k.Of[theme][its]; ok {
				f(c, other.weight)
			}
		}
	}
}

// chooseBrown returns the colour of a zone of the profiler: the first that touches no equal.
func (k *Colors) chooseBrown(d *Run, theme int, zone report.ZoneID) color.NRGBA {
	var taken [len(profilerColors)]bool
	k.taken(d, theme, zone, func(c color.NRGBA, _ float64) {
		if i := slices.Index(profilerColors[:], c); i >= 0 {
			taken[i] = true
		}
	})
	return profilerColors[max(slices.Index(taken[:], false), 0)]
}

// choosePlain returns the index of the swatch for a zone of the program, and the weight of the neighbours that have it.
func (k *Colors) choosePlain(d *Run, theme int, zone report.ZoneID) (best int, taken float64) {
	h := hashOf(d.zone(zone).Name)
	hue, spread := float64(h%360), 30.0
	if parent := k.near.family(zone); parent > 0 {
		family := d.zone(parent).Name
		if c, ok := k.Of[theme][family]; ok {
			hue = measured([]color.NRGBA{c})[0].hue
		} else {
			hue = float64(hashOf(family) % 360)
		}
	}
	list := swatches(theme)
	weight := make([]float64, len(list))
	k.taken(d, theme, zone, func(c color.NRGBA, w float64) {
		if i := slices.IndexFunc(list, func(s swatch) bool { return s.NRGBA == c }); i >= 0 {
			weight[i] += w
		}
	})
	least := math.Inf(1)
	for i := range list {
		s := &list[i]
		cost := turn(s.hue, hue)/spread + math.Abs(s.light-0.4-0.4*float64(h>>9%64)/63) + 20*float64(k.used[theme][i])
		cost += 1e6 * weight[i]
		if cost < least {
			best, least = i, cost
		}
	}
	return best, weight[best]
}

// turn returns the angle between two hues, 0..180 degrees.
func turn(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}

// profilerPrefix begins the names of the profiler's own zones.
const profilerPrefix = "iprof "

// IsGiven reports whether a name is of a row that is not a zone of the program.
func IsGiven(name string) bool { return len(name) > 2 && name[0] == '(' && name[len(name)-1] == ')' }

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
