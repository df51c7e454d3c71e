package sites

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
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

// caller is as a function of the package that calls Caller.
func caller() (function string, at Line) { return Caller() }

// The oracle is the runtime's own answer.
func TestCallerIsInTheTest(t *testing.T) {
	pc, file, line, _ := runtime.Caller(0)
	function, at := caller() // the line after
	if at != (Line{file, line + 1}) || function != runtime.FuncForPC(pc).Name() {
		t.Errorf("got %s at %v; want %s at %s:%d", function, at, runtime.FuncForPC(pc).Name(), file, line+1)
	}
	var pcs [1]uintptr
	runtime.Callers(1, pcs[:])
	if got, at := Of(pcs[0]); got != function || filepath.Base(at.File) != "sites_test.go" || at.Line != line+6 {
		t.Errorf("got %s at %v; want %s in line %d", got, at, function, line+6)
	}
}

func TestShortHasNoImportPath(t *testing.T) {
	for function, want := range map[string]string{"a.com/b/c.F": "c.F", "main.main": "main.main", "": ""} {
		if got := Short(function); got != want {
			t.Errorf("%q: got %q; want %q", function, got, want)
		}
	}
}

func TestLinesAreFileAndLine(t *testing.T) {
	for _, c := range []struct {
		at   Line
		want string
	}{
		{Line{}, ""},
		{Line{"a.go", 1}, "a.go:1"},
		{Line{"/src/b/a.go", 12}, "a.go:12"},
		{Line{`C:\src\a.go`, 3}, "a.go:3"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := c.at.String(); got != c.want {
				t.Errorf("%v: got %q; want %q", c.at, got, c.want)
			}
		})
	}
}

// A name of any length, cut, is as long as allowed, is a prefix of the name, and has whole characters.
func TestCutNamesAreWholeCharacters(t *testing.T) {
	for _, character := range []string{"a", "é", "世", "🙂"} {
		for length := Longest - 8; length < Longest+8; length++ {
			name := strings.Repeat("x", length%4) + strings.Repeat(character, length/len(character))
			got := Cut(name)
			if len(name) <= Longest {
				if got != name {
					t.Errorf("%d bytes: got %d; want all", len(name), len(got))
				}
				continue
			}
			kept := strings.TrimSuffix(got, cutMark)
			if len(got) > Longest || len(got) < Longest-utf8.UTFMax || !strings.HasPrefix(name, kept) ||
				len(kept) == len(got) || !utf8.ValidString(got) {
				t.Errorf("%d bytes of %s: got %d bytes, ending in %q", len(name), character, len(got), got[len(got)-6:])
			}
		}
	}
	if got := Cut(strings.Repeat("\x80", 2*Longest)); len(got) > Longest {
		t.Errorf("not UTF-8: got %d bytes", len(got))
	}
}

func TestNamesOfPlaces(t *testing.T) {
	var names Names
	var pcs [1]uintptr
	runtime.Callers(1, pcs[:])
	_, _, line, _ := runtime.Caller(0)
	want := "sites.TestNamesOfPlaces sites_test.go:" + strconv.Itoa(line-1)
	for range 2 {
		if got := names.Of(pcs[0]); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
	if got := names.Of(0); got != "" {
		t.Errorf("0: got %q; want none", got)
	}
	was, long := CutNames(), strings.Repeat("é", Longest)
	if Keep("short") != "short" || Keep(long) != Cut(long) || CutNames() != was+1 {
		t.Errorf("got %d names cut; want 1", CutNames()-was)
	}
}
