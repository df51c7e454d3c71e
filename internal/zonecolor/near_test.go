package zonecolor_test

import (
	"fmt"
	"image/color"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
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

func (p program) colors(tree []report.TreeNode) *zonecolor.Colors {
	var k zonecolor.Colors
	k.Learn(p.run(tree))
	return &k
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
		for seed := range uint64(100) {
			t.Run(fmt.Sprint(c.name, " ", seed), func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 24))
				p := grow(random, c.callees, c.level)
				var first [zonecolor.Themes]map[string]color.NRGBA
				for range 20 {
					tree := p.tree(random, nil, 0, -1)
					k := p.colors(tree)
					for theme := range k.Of {
						if first[theme] == nil {
							first[theme] = k.Of[theme]
						}
						if c.cousins && !maps.Equal(k.Of[theme], first[theme]) {
							t.Fatalf("theme %d: got %v, then %v; want the same", theme, first[theme], k.Of[theme])
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

// There are more zones than colours. A zone that gets a second caller, which calls one of its colour already, takes
// another colour. All others keep theirs.
func TestANewCallerPartsEqualColors(t *testing.T) {
	p := make(program, 10)
	for of := 1; of <= 9; of++ {
		p[0] = append(p[0], report.ZoneID(of))
		for range 4 {
			p[of] = append(p[of], report.ZoneID(len(p)))
			p = append(p, nil)
		}
	}
	random := rand.New(rand.NewPCG(1, 24))
	k := p.colors(p.tree(random, nil, 0, -1))
	equal := func(theme int, b report.ZoneID) bool {
		return slices.ContainsFunc(p[1], func(a report.ZoneID) bool {
			return a != b && k.Of[theme][fmt.Sprint("zone ", a)] == k.Of[theme][fmt.Sprint("zone ", b)]
		})
	}
	b := p[2][0]
	for ; !equal(0, b); b++ {
		if int(b) == len(p)-1 {
			t.Fatal("got no two zones of one colour; want some")
		}
	}
	var before [zonecolor.Themes]map[string]color.NRGBA
	for theme := range k.Of {
		before[theme] = maps.Clone(k.Of[theme])
	}
	p[1] = append(p[1], b)
	tree := p.tree(random, nil, 0, -1)
	for i := range tree {
		if tree[i].Zone == b && tree[i].Parent >= 0 && tree[tree[i].Parent].Zone == 1 {
			tree[i].Path = 1000 // another path than that of the first caller
		}
	}
	k.Learn(p.run(tree))
	for theme := range k.Of {
		if equal(theme, b) {
			t.Errorf("theme %d: got one colour for zone %d and another of its new caller; want two", theme, b)
		}
		for name, c := range k.Of[theme] {
			if c != before[theme][name] && name != fmt.Sprint("zone ", b) {
				t.Errorf("theme %d, %s: got %v; want %v as before", theme, name, c, before[theme][name])
			}
		}
	}
}
