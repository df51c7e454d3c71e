package sites

import (
	"strings"
	"testing"
)

// newTable returns an empty table, and a function that enters a site as package measure does.
func newTable() (t *Table, enter func(pc uintptr, name string, key uint64) *Site) {
	t = new(Table)
	zones := int32(0)
	return t, func(pc uintptr, name string, key uint64) *Site {
		s := t.Find(pc, name)
		if s == nil {
			at := Line{File: "a.go", Line: int(pc % 100)}
			s = t.Add(pc, name, key, "example.com/main.step", at, func(string) int32 { zones++; return zones })
		}
		if s.IsDue(key, name) {
			s.Keep(name)
		}
		return s
	}
}

func TestTextIsKeptAfterEntries(t *testing.T) {
	const key = KeyText | 0x1230
	_, enter := newTable()
	for i := 1; i <= Entries+1; i++ {
		want := uint64(key)
		if i < Entries {
			want &^= KeyText
		}
		if got := enter(1, "name", key).Key(); got != want {
			t.Errorf("entry %d: got key %x; want %x", i, got, want)
		}
	}
}

func TestSecondTextAtAnAddressIsNeverKept(t *testing.T) {
	const key = KeyText | 0x1230
	_, enter := newTable()
	first := enter(1, "one", key)
	for range 2 * Entries {
		if s := enter(1, "two", key); s.Key()&KeyText != 0 || s.Key() == first.Key() || s.Zone == first.Zone {
			t.Fatalf("got key %x, zone %d; want a number of its own, not kept", s.Key(), s.Zone)
		}
	}
	for range Entries {
		enter(1, "one", key+32)
	}
	if first.Key()&KeyText != 0 {
		t.Error("entered by another text's address: got the first kept; want it not")
	}
}

func TestSitesOfOneLineAreOneZone(t *testing.T) {
	table, enter := newTable()
	a, b := enter(1, "name", KeyText|1), enter(101, "name", KeyText|2)
	other, unnamed, elsewhere := enter(1, "other", KeyText|3), enter(1, "", KeyText|4), enter(2, "name", KeyText|5)
	if a == b || a.Zone != b.Zone {
		t.Errorf("two return addresses of a line: got zones %d and %d; want one", a.Zone, b.Zone)
	}
	if named := enter(101, "main.step", KeyText|6); named.Zone != unnamed.Zone {
		t.Errorf("without a name: got zone %d; want the function's, %d", unnamed.Zone, named.Zone)
	}
	if a.Zone == other.Zone || a.Zone == elsewhere.Zone {
		t.Errorf("got zones %d, %d and %d; want three", a.Zone, other.Zone, elsewhere.Zone)
	}
	if got := table.Names(Line{File: "a.go", Line: 1}); got != 3 {
		t.Errorf("names at the line: got %d; want 3", got)
	}
	long := strings.Repeat("x", 2*Longest)
	if enter(7, long, KeyText|7) != enter(7, long+"y", KeyText|8) {
		t.Error("names that are equal after they are cut: got two sites; want one")
	}
}
