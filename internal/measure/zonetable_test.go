//go:build !iprof_off

package measure

import (
	"fmt"
	"runtime"
	"testing"

	"example.com/iprof/internal/measure/internal/sites"
)

// fewZones are limits that a small test reaches.
var fewZones = &Limits{Zones: 4, NamesAtPlace: 2}

// register registers a public zone.
func register(t *zoneTable, z *Zone) (id ZoneID, known bool) {
	return t.register(z, fewZones, "", sites.Line{})
}

// placeHere is a return address in this file.
func placeHere(t *testing.T) uintptr {
	t.Helper()
	pcs := make([]uintptr, 1)
	if runtime.Callers(2, pcs) == 0 {
		t.Fatal("got no caller")
	}
	return pcs[0]
}

func TestZonesHaveNumbers(t *testing.T) {
	var zones zoneTable
	x, y := &Zone{Name: "x"}, &Zone{Name: "y"}
	if _, known := zones.find(x); known || zones.info(0) != (ZoneInfo{}) {
		t.Error("empty: got a zone; want none")
	}
	pc := placeHere(t)
	own := zones.own("(mine)")
	first, _ := register(&zones, x)
	site, key, known := zones.site(pc, "s", 7|sites.KeyText, fewZones)
	if own != 1 || first != 2 || site != 3 || key != 7 || !known {
		t.Errorf("got %d, %d, %d with key %d, known %t; want 1, 2, 3 with key 7, true", own, first, site, key, known)
	}
	var names []string
	for _, info := range zones.all() {
		names = append(names, info.Name)
	}
	if got := fmt.Sprint(names); got != "[(root) (mine) x s]" {
		t.Errorf("got %s; want [(root) (mine) x s]", got)
	}
	if again, _ := register(&zones, x); again != first || zones.own("(mine)") != own {
		t.Errorf("again: got %d; want %d", again, first)
	}
	id, known := zones.find(x)
	if id != first || !known || zones.info(id).Name != "x" || zones.info(-1) != (ZoneInfo{}) {
		t.Errorf("got %d, %t, %v; want %d, true and its description", id, known, zones.info(id), first)
	}
	if _, known := register(&zones, y); known {
		t.Error("beyond the limit: got a public zone; want none")
	}
	if _, _, known := zones.site(pc, "s2", 8, fewZones); known {
		t.Error("beyond the limit: got a private zone; want none")
	}
	zones.each(func(z *Zone, id ZoneID) {
		if z != x || id != first {
			t.Errorf("got public zone %d; want %d", id, first)
		}
	})
	zones.do(y, func(id ZoneID, known bool) {
		if known {
			t.Errorf("got %d; want no number", id)
		}
	})
}

func TestNamesAtAPlaceAreLimited(t *testing.T) {
	var zones zoneTable
	pc, most := placeHere(t), &Limits{Zones: 100, NamesAtPlace: 2}
	for i, want := range []bool{true, true, false} {
		if _, _, known := zones.site(pc, fmt.Sprint(i), uint64(i)<<8|sites.KeyText, most); known != want {
			t.Errorf("name %d: got known %t; want %t", i, known, want)
		}
	}
}

// TestTextIsKeptAfterSomeEntries enters a site until its text is kept. Then its key has the bit KeyText.
func TestTextIsKeptAfterSomeEntries(t *testing.T) {
	var zones zoneTable
	pc, key := placeHere(t), uint64(9|sites.KeyText)
	for i := range sites.Entries {
		_, own, _ := zones.site(pc, "text", key, fewZones)
		if kept := own == key; kept != (i == sites.Entries-1) {
			t.Fatalf("entry %d: got kept %t", i, kept)
		}
	}
}
