package zonecolor_test

import (
	"fmt"
	"image/color"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// program is a call structure of zones: the callees of each, by zone. Zone 0 is the root.
type program [][]report.ZoneID

// grow makes a program at random. Each zone has at most a number of callees, and each level below the root, too.
func grow(random *rand.Rand, callees, level int) (p program) {
	p = program{nil}
	from := 0
	for range 4 {
		to := len(p)
		for of := from; of < to; of++ {
			for range random.IntN(callees + 1) {
				if len(p)-to < level {
					p[of] = append(p[of], report.ZoneID(len(p)))
					p = append(p, nil)
				}
			}
		}
		from = to
	}
	if level < 10 && len(p[0]) > 1 { // a zone of two callers
		p[1], p[2] = append(p[1], report.ZoneID(len(p))), append(p[2], report.ZoneID(len(p)))
		p = append(p, nil)
	}
	return p
}

// tree walks a program. The callees of each zone come in an order of chance, as if they took other times.
func (p program) tree(random *rand.Rand, dst []report.TreeNode, zone report.ZoneID, parent int32) []report.TreeNode {
	at, level := int32(len(dst)), int32(0)
	if parent >= 0 {
		level = dst[parent].Level + 1
	}
	dst = append(dst, report.TreeNode{Zone: zone, Path: int32(zone), Parent: parent, Level: level, Hier: 1})
	for _, i := range random.Perm(len(p[zone])) {
		dst = p.tree(random, dst, p[zone][i], at)
	}
	return dst
}

func (p program) colors(tree []report.TreeNode) (k zonecolor.Colors, of [zonecolor.Themes]map[string]color.NRGBA) {
	run := p.run(tree)
	k.Learn(run)
	return k, named(&k, run)
}

// named returns the colours of each theme, by name.
func named(k *zonecolor.Colors, d *zonecolor.Run) (of [zonecolor.Themes]map[string]color.NRGBA) {
	for theme := range of {
		of[theme] = k.Named(d, theme)
	}
	return of
}

func (p program) run(tree []report.TreeNode) *zonecolor.Run {
	run := zonecolor.Run{Tree: tree, Zones: make([]gather.ZoneInfo, len(p))}
	for i := range run.Zones {
		run.Zones[i].Name = fmt.Sprint("zone ", i)
	}
	run.Zones[0].Name = "(root)"
	return &run
}

// sideBySide calls f with the zones that lie side by side or below each other. Cousins are those of other callers.
func sideBySide(tree []report.TreeNode, cousins bool, f func(a, b report.ZoneID)) {
	last := map[int32]*report.TreeNode{}
	for i := range tree {
		n := &tree[i]
		if other := last[n.Level]; other != nil && (cousins || other.Parent == n.Parent) {
			f(other.Zone, n.Zone)
		}
		if n.Level > 1 {
			f(tree[n.Parent].Zone, n.Zone)
		}
		last[n.Level] = n
	}
}

// The order of callers and callees changes with their times. Colours stay, and zones that come to lie side by side
// differ in each theme.
func TestColorsInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		name           string
		callees, level int
		cousins        bool // they differ, too: a level and its neighbours have fewer zones than there are colours
	}{{"few on a level", 5, 6, true}, {"many on a level", 6, 40, false}} {
		for seed := range longtest.Pick(100, 10) {
			t.Run(fmt.Sprint(c.name, " ", seed), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(seed), 24))
				p := grow(random, c.callees, c.level)
				var first [zonecolor.Themes]map[string]color.NRGBA
				for range 20 {
					tree := p.tree(random, nil, 0, -1)
					_, of := p.colors(tree)
					for theme := range of {
						if first[theme] == nil {
							first[theme] = of[theme]
						}
						if c.cousins && !maps.Equal(of[theme], first[theme]) {
							t.Fatalf("theme %d: got %v, then %v; want the same", theme, first[theme], of[theme])
						}
						sideBySide(tree, c.cousins, func(a, b report.ZoneID) {
							x, y := fmt.Sprint("zone ", a), fmt.Sprint("zone ", b)
							if a != b && first[theme][x] == first[theme][y] {
								t.Errorf("theme %d: got one colour for %q and %q; want two", theme, x, y)
							}
						})
					}
				}
			})
		}
	}
}

// There are more zones than colours. A zone gets a second caller, which calls one of its colour already. One of the two
// takes another colour. All others keep theirs.
func TestANewCallerPartsEqualColors(t *testing.T) {
	p := make(program, 10)
	for of := 1; of <= 9; of++ {
		p[0] = append(p[0], report.ZoneID(of))
		for range 9 {
			p[of] = append(p[of], report.ZoneID(len(p)))
			p = append(p, nil)
		}
	}
	random := rand.New(rand.NewPCG(1, 24))
	k, before := p.colors(p.tree(random, nil, 0, -1))
	equal := func(theme int, b report.ZoneID) bool {
		return slices.ContainsFunc(p[1], func(a report.ZoneID) bool {
			return a != b && before[theme][fmt.Sprint("zone ", a)] == before[theme][fmt.Sprint("zone ", b)]
		})
	}
	b := p[2][0]
	for ; !equal(0, b); b++ {
		if int(b) == len(p)-1 {
			t.Fatal("got no two zones of one colour; want some")
		}
	}
	p[1] = append(p[1], b)
	tree := p.tree(random, nil, 0, -1)
	for i := range tree {
		if tree[i].Zone == b && tree[i].Parent >= 0 && tree[tree[i].Parent].Zone == 1 {
			tree[i].Path = 1000 // another path than that of the first caller
		}
	}
	run := p.run(tree)
	k.Learn(run)
	was := before
	before = named(&k, run)
	for theme := range was {
		if equal(theme, b) {
			t.Errorf("theme %d: got one colour for zone %d and another of its new caller; want two", theme, b)
		}
		moved := 0
		for name, c := range before[theme] {
			if c != was[theme][name] {
				moved++
			}
			if c != was[theme][name] && was[theme][name] != was[theme][fmt.Sprint("zone ", b)] {
				t.Errorf("theme %d, %s: got %v; want %v as before", theme, name, c, was[theme][name])
			}
		}
		if moved > 1 {
			t.Errorf("theme %d: got %d zones with another colour; want at most 1", theme, moved)
		}
	}
}

// A zone has the hue of its package, and that hue stays when zones of other packages come later, in every theme. Up to
// as many packages as hues differ. A zone of package main has a hue by its name, which no other zone changes.
func TestHuesAreThoseOfPackages(t *testing.T) {
	for theme := range zonecolor.Themes {
		for seed := range uint64(30) {
			random := rand.New(rand.NewPCG(seed, 50))
			d, packages := zonecolor.Run{Zones: []gather.ZoneInfo{{Name: "(root)"}}}, []string{"main", "main"}
			for range [zonecolor.Themes]int{8, 8, 4, 8}[theme] {
				packages = append(packages, fmt.Sprint("game/", random.Uint32()))
			}
			var k zonecolor.Colors
			was, known := map[string]int{}, []string{}
			learn := func() {
				d.Tree = []report.TreeNode{{Parent: -1}}
				for zone := 1; zone < len(d.Zones); zone++ { // each below the one before: those of its level differ
					d.Tree = append(d.Tree, report.TreeNode{Zone: report.ZoneID(zone), Path: int32(zone),
						Parent: int32(zone - 1), Level: int32(zone), Hier: 1})
				}
				k.Learn(&d)
				for zone := 1; zone < len(d.Zones); zone++ {
					c, _ := k.Of(theme, report.ZoneID(zone))
					pkg := d.Zones[zone].Package()
					if pkg == "main" {
						pkg = d.Zones[zone].Name
					}
					hue, ok := was[pkg]
					if got := zonecolor.HueOf(theme, c); ok && got != hue {
						t.Errorf("theme %d, %s: got hue %d for %v; want %d", theme, pkg, got, d.Zones[zone], hue)
					} else if !ok {
						was[pkg] = got
						known = append(known, pkg)
					}
				}
			}
			for i := range 40 {
				pkg := packages[min(random.IntN(2+i/2), len(packages)-1)]
				d.Zones = append(d.Zones, gather.ZoneInfo{Name: fmt.Sprint(pkg, " ", i), Function: pkg + ".step"})
				if random.IntN(3) == 0 {
					learn()
				}
			}
			learn()
			of := map[int]string{}
			for _, pkg := range known {
				if hue := was[pkg]; pkg[:4] == "game" && of[hue] != "" {
					t.Errorf("theme %d: got hue %d for %s and %s; want two", theme, hue, of[hue], pkg)
				} else if pkg[:4] == "game" {
					of[hue] = pkg
				}
			}
		}
	}
}

// A tree may have zones that the list of zones does not have yet.
func TestZonesBeyondTheListHaveNoColourYet(t *testing.T) {
	var k zonecolor.Colors
	run := zonecolor.Run{Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "update"}},
		Tree: []report.TreeNode{{Parent: -1}, {Zone: 1, Level: 1}, {Zone: 2, Level: 1}, {Zone: 3, Parent: 1, Level: 2}}}
	k.Learn(&run)
	run.Zones = append(run.Zones, gather.ZoneInfo{Name: "draw"}, gather.ZoneInfo{Name: "walk"})
	k.Learn(&run)
}
