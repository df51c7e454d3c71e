// Package zonecolor gives zones their colours. All displays have them from here, so that a zone has the same in each.
package zonecolor

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Colors gives each zone a colour and keeps it. The hue is that of the zone's package: see Hues. The shade is a hash of
// its name, so both are the same in every run, file, window and page. Touching zones of one hue have different shades.
// If more zones of a package touch than its hue has shades, one gets the next hue. Zones of one package and name have
// one colour.
type Colors struct {
	of    [2][]color.NRGBA // by palette and the first zone of a key; alpha 0 means no colour, as for idle zones
	hues  [2]Hues
	first map[key]report.ZoneID // the first zone of a package and name
	same  []report.ZoneID       // by zone: the first zone of its key
	hash  []uint32              // by zone
	done  []bool                // zones with a colour, by id
	fresh []report.ZoneID       // zones of the tree without one
	paths []bool                // those seen, by number
	moved bool                  // the tree has new paths
	near  neighbours
}

// key holds the inputs of a zone's colour.
type key struct{ pkg, name string }

// Of returns the colour of a zone in a theme. It is false for a zone that was in no tree, and for an idle one.
func (k *Colors) Of(theme int, zone report.ZoneID) (c color.NRGBA, ok bool) {
	if zone < 0 || int(zone) >= len(k.same) {
		return c, false
	}
	c = k.colorOf(paletteOf(theme), zone)
	return c, c.A > 0
}

// colorOf returns the colour of a known zone, or no colour.
func (k *Colors) colorOf(p *palette, zone report.ZoneID) (c color.NRGBA) {
	if first := int(k.same[zone]); first < len(k.of[p.id]) {
		c = k.of[p.id][first]
	}
	return c
}

// set sets the colour of all zones with the key of one.
func (k *Colors) set(p *palette, zone report.ZoneID, c color.NRGBA) {
	of := &k.of[p.id]
	for int(k.same[zone]) >= len(*of) {
		*of = append(*of, color.NRGBA{})
	}
	(*of)[k.same[zone]] = c
}

// mostColored bounds the zones with a colour of their own. Others have one by package and name alone.
const mostColored = 1 << 16

// Run holds the inputs of colours: the zones by id, a call structure of them, and the series of other lanes.
type Run struct {
	Zones  []gather.ZoneInfo
	Tree   []report.TreeNode
	Series []report.Series
	Dark   bool // colours of the dark theme are enough
}

// zone returns the description of a zone.
func (d *Run) zone(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(d.Zones) {
		return gather.ZoneInfo{}
	}
	return d.Zones[id]
}

// Learn gives the new zones of a tree their colours.
func (k *Colors) Learn(d *Run) {
	k.know(d.Zones)
	for id := range k.hues {
		k.hues[id].learn(palettes[id], d.Zones)
	}
	k.fresh, k.moved = k.fresh[:0], false
	for i := range d.Tree {
		k.meet(d.Tree[i].Zone)
		if len(d.Tree) <= mostMoved {
			k.walk(d.Tree[i].Path)
		}
	}
	for i := range d.Series { // series of other lanes than the tree's
		k.meet(d.Series[i].Zone)
	}
	if len(k.fresh) > 0 || k.moved {
		k.add(d)
	}
}

// know notes the zones that are new. Fewer zones than before are another program's.
func (k *Colors) know(zones []gather.ZoneInfo) {
	if len(zones) < len(k.same) {
		*k = Colors{}
	}
	if k.first == nil {
		k.first = map[key]report.ZoneID{}
	}
	for i := len(k.same); i < len(zones); i++ {
		its := key{zones[i].Package(), zones[i].Name}
		first, known := k.first[its]
		if !known {
			first = report.ZoneID(i)
			k.first[its] = first
		}
		k.same, k.done, k.hash = append(k.same, first), append(k.done, false), append(k.hash, its.hash())
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

// before reports whether a zone chooses its colour before another. It does not depend on which the program entered
// first.
func (k *Colors) before(d *Run, a, b report.ZoneID) bool {
	x, y := d.zone(a), d.zone(b)
	return cmp.Or(cmp.Compare(k.hash[a], k.hash[b]), cmp.Compare(x.Name, y.Name), cmp.Compare(a, b)) < 0
}

// add gives the fresh zones their colours.
func (k *Colors) add(d *Run) {
	slices.SortFunc(k.fresh, func(a, b report.ZoneID) int {
		if k.before(d, a, b) {
			return -1
		}
		return 1
	})
	k.near.find(d.Tree, len(d.Zones))
	for _, p := range palettes {
		if d.Dark && p == &safe {
			break
		}
		for _, zone := range k.fresh {
			if int(zone) < mostColored {
				k.choose(d, p, zone)
			}
		}
		k.part(d, p)
	}
}

// part gives a new colour to each zone that touches an earlier zone of its colour, if a colour is free nearby.
func (k *Colors) part(d *Run, p *palette) {
	for i := range min(len(d.Zones), mostColored) {
		if zone := report.ZoneID(i); k.clashes(d, p, zone) {
			if best, weight := k.best(d, p, zone); weight < touching {
				k.set(p, zone, p.at(best))
			}
		}
	}
}

// clashes reports whether a zone of the program has the colour of an earlier zone that touches it.
func (k *Colors) clashes(d *Run, p *palette, zone report.ZoneID) bool {
	c := k.colorOf(p, zone)
	if c.A == 0 {
		return false
	}
	for _, n := range k.near.of(zone) {
		if n.weight >= touching && int(n.zone) < len(k.same) && k.same[n.zone] != k.same[zone] &&
			k.colorOf(p, n.zone) == c && k.before(d, n.zone, zone) {
			return true
		}
	}
	return false
}

// choose gives a zone a colour.
func (k *Colors) choose(d *Run, p *palette, zone report.ZoneID) {
	name := d.zone(zone).Name
	if IsGiven(name) && p == &safe {
		k.set(p, zone, givenSafe)
	}
	if d.zone(zone).Idle || IsGiven(name) || k.colorOf(p, zone).A > 0 {
		return
	}
	best, _ := k.best(d, p, zone)
	k.set(p, zone, p.at(best))
}

// taken calls f with the colours of the zones that may touch a zone, and their weights.
func (k *Colors) taken(p *palette, zone report.ZoneID, f func(c color.NRGBA, weight float64)) {
	for _, other := range k.near.of(zone) {
		if int(other.zone) < len(k.same) && k.same[other.zone] != k.same[zone] {
			if c := k.colorOf(p, other.zone); c.A > 0 {
				f(c, other.weight)
			}
		}
	}
}

// best returns the index of the colour for a zone of the program, and the weight of the neighbours that have it.
func (k *Colors) best(d *Run, p *palette, zone report.ZoneID) (best int, taken float64) {
	weight := make([]float64, len(p.colors))
	k.taken(p, zone, func(c color.NRGBA, w float64) {
		if i := p.indexOf(c); i >= 0 {
			weight[i] += w
		}
	})
	info := d.zone(zone)
	its := key{info.Package(), info.Name}
	own, least := p.index(int(k.hues[p.id].zones[zone]), &its), math.Inf(1)
	for i := range p.colors {
		cost := float64(p.apart(own, i)) + 1e6*weight[i]
		if shared(&its) && i/p.shades() != own/p.shades() {
			cost += 1e6 * touching // the hue of the package, unless all of its shades surely touch
		}
		if cost < least {
			best, least = i, cost
		}
	}
	return best, weight[best]
}

// index returns the index of the colour of a zone with a hue.
func (p *palette) index(hue int, its *key) int {
	return hue*p.shades() + int(its.hash()>>16)%p.shades()
}

// Base returns the colour of a zone by its package and name alone, both of which may be "": with the hue that its
// package has in a program in which no other package prefers that.
func Base(theme int, pkg, name string) color.NRGBA {
	switch {
	case IsGiven(name) && theme == Safe:
		return givenSafe
	case IsGiven(name) && theme == Light:
		return givenLight
	case IsGiven(name):
		return Given
	}
	p, its := paletteOf(theme), key{pkg, name}
	return p.at(p.index(p.hueOf(&its), &its))
}

// Caused reports whether a verdict names a zone as a cause.
func Caused(v *report.Verdict, zone report.ZoneID) bool {
	return !v.AsUsual() && slices.ContainsFunc(v.Causes, func(c report.Cause) bool { return c.Zone == zone })
}

// Over reports whether a time of a zone is over its usual one so far that a picture up to some height shows it: twice.
func Over(v, usual, height float32) bool { return v > 2*usual && v-usual > height/20 }

// Mean returns the mean of the finite values of a series, which is what is usual in pictures of many frames.
func Mean(values []float32) float32 {
	sum, n := float32(0), 0
	for _, v := range values {
		if v >= 0 && v <= math.MaxFloat32 { // not NaN
			sum, n = sum+v, n+1
		}
	}
	return sum / float32(max(n, 1))
}

// IsGiven reports whether a name is of a row that is not a zone of the program.
func IsGiven(name string) bool { return len(name) > 2 && name[0] == '(' && name[len(name)-1] == ')' }

// hashed is the number of bytes at each end of a name that its colour depends on.
const hashed = 128

// hash is FNV-1a over the package, both ends of the name and its length. A last mixing step gives different colours to
// names that differ in one letter.
func (k *key) hash() uint32 {
	h := uint32(2166136261)
	for _, part := range [...]string{k.pkg, k.name} {
		n := len(part)
		for i := 0; i < n; i++ {
			if n > 2*hashed && i == hashed {
				i = n - hashed
			}
			h = (h ^ uint32(part[i])) * 16777619
		}
		h ^= uint32(n)
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>13
}
