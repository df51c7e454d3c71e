package zonecolor

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// Hues gives each package a hue of its own: that of its path's hash, or the next one that the fewest packages have.
// Packages choose in the order of their first zones, so one that comes later changes no other's. The zones of package
// main have hues by name, like zones of no known package: such a program would have one hue. They leave the hues free.
type Hues struct {
	hues  int
	of    map[string]int // by package
	taken []int          // packages, by hue
	zones []uint8        // by zone
}

// shared reports whether a zone has the hue of its package.
func shared(its *key) bool {
	return its.pkg != "" && its.pkg != "main" && !measure.OfProfiler(its.name)
}

// hueOf returns the hue that a zone would have alone.
func (p *palette) hueOf(its *key) int {
	if shared(its) {
		its = &key{pkg: its.pkg}
	}
	return int(its.hash() % uint32(p.hues))
}

// learn gives new zones their hues in a palette. Fewer zones than before are another program's.
func (h *Hues) learn(p *palette, zones []gather.ZoneInfo) {
	if h.of == nil || len(zones) < len(h.zones) {
		*h = Hues{hues: p.hues, of: map[string]int{}, taken: make([]int, p.hues)}
	}
	for i := len(h.zones); i < len(zones); i++ {
		its := key{zones[i].Package(), zones[i].Name}
		hue := p.hueOf(&its)
		if shared(&its) {
			hue = h.claim(its.pkg, hue)
		}
		h.zones = append(h.zones, uint8(hue))
	}
}

// claim returns the hue of a package, which prefers one.
func (h *Hues) claim(pkg string, own int) int {
	if hue, ok := h.of[pkg]; ok {
		return hue
	}
	hue := own
	for step := range h.hues {
		if next := (own + step) % h.hues; h.taken[next] < h.taken[hue] {
			hue = next
		}
	}
	h.taken[hue]++
	h.of[pkg] = hue
	return hue
}
