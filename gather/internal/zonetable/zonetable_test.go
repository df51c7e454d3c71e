package zonetable

import (
	"fmt"
	"runtime"
	"testing"

	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/gather/internal/source"
)

type table = Table[*int, int32, string]

var few = Limits{Zones: 4, NamesAtPlace: 2}

func named(name, _ string, _ source.Line) string { return "site " + name }

// public registers a public zone.
func public(t *table, z *int, name string) (id int32, known bool) {
	return t.Public(z, few, func(id int32) (string, string) { return name, fmt.Sprint(name, " ", id) })
}

// place is a return address in this file.
func place(t *testing.T) uintptr {
	t.Helper()
	pcs := make([]uintptr, 1)
	if runtime.Callers(2, pcs) == 0 {
		t.Fatal("got no caller")
	}
	return pcs[0]
}

func TestZonesHaveNumbers(t *testing.T) {
	zones, x, y := table{Root: "root"}, new(int), new(int)
	if _, known := zones.Find(x); known || zones.Info(0) != "" {
		t.Error("empty: got a zone; want none")
	}
	pc := place(t)
	own := zones.Own("(other)", "own")
	first, _ := public(&zones, x, "x")
	site, key, known := zones.Site(pc, "s", 7|sites.KeyText, few, named)
	if own != 1 || first != 2 || site != 3 || key != 7 || !known {
		t.Errorf("got %d, %d, %d with key %d, known %t; want 1, 2, 3 with key 7, true", own, first, site, key, known)
	}
	if got := fmt.Sprint(zones.All()); got != "[root own x 2 site s]" {
		t.Errorf("got %s; want [root own x 2 site s]", got)
	}
	if again, _ := public(&zones, x, "z"); again != first || zones.Own("(other)", "z") != own {
		t.Errorf("again: got %d; want %d", again, first)
	}
	if id, known := zones.Find(x); id != first || !known || zones.Info(id) != "x 2" || zones.Info(-1) != "" {
		t.Errorf("got %d, %t, %q; want %d, true and its description", id, known, zones.Info(id), first)
	}
	if _, known := public(&zones, y, "y"); known {
		t.Error("beyond the limit: got a public zone; want none")
	}
	if _, _, known := zones.Site(pc, "s2", 8, few, named); known {
		t.Error("beyond the limit: got a private zone; want none")
	}
	zones.Each(func(z *int, id int32) {
		if z != x || id != first {
			t.Errorf("got public zone %d; want %d", id, first)
		}
	})
	zones.Do(y, func(id int32, known bool) {
		if known {
			t.Errorf("got %d; want no number", id)
		}
	})
}

func TestNamesAtAPlaceAreLimited(t *testing.T) {
	zones, pc := table{}, place(t)
	most := Limits{Zones: 100, NamesAtPlace: 2}
	for i, want := range []bool{true, true, false} {
		if _, _, known := zones.Site(pc, fmt.Sprint(i), uint64(i)<<8|sites.KeyText, most, named); known != want {
			t.Errorf("name %d: got known %t; want %t", i, known, want)
		}
	}
}

// TestTextIsKeptAfterSomeEntries enters a site until its text is kept. Then its key has the bit KeyText.
func TestTextIsKeptAfterSomeEntries(t *testing.T) {
	zones, pc, key := table{}, place(t), uint64(9|sites.KeyText)
	for i := range sites.Entries {
		_, own, _ := zones.Site(pc, "text", key, few, named)
		if kept := own == key; kept != (i == sites.Entries-1) {
			t.Fatalf("entry %d: got kept %t", i, kept)
		}
	}
}
