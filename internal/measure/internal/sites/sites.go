// Package sites names functions, places in the source and zones. It identifies private zones by the place and the name
// of their entry.
//
// The profiler keeps copies of names. A string sliced from a large text would keep the whole text.
//
// The hot path finds a private zone by a key made from the place and the address of the name. So while the key is in
// use, no other text may lie at that address. A constant stays for ever. Another text is kept alive only after Entries
// entries of its site with it: then the host probably keeps it, too. Before that the hot path does not find the site,
// because Site.Key lacks the bit KeyText.
package sites

import (
	"sync/atomic"
)

// Bits of keys.
const (
	KeyText  = 1 << 63 // set in the key of a site with a kept text
	keyStray = 1 << 60 // set in the address of a site that shares another site's address
)

// strayShift makes the keys of strays differ in the same bits as the keys of zones.
const strayShift = 5

// Entries is the number of entries of a site with one text before the text is kept.
const Entries = 16

// Site is a place in the source together with a name. Any goroutine may call its methods but Keep.
type Site struct {
	Zone    int32
	address uint64        // the key of its first entry
	entries atomic.Uint32 // slow entries by that key
	text    string        // the host's text, once kept
	kept    atomic.Bool
}

// Key returns the key for the site's new nodes.
func (s *Site) Key() uint64 {
	if s.kept.Load() {
		return s.address
	}
	return s.address &^ KeyText
}

// IsDue counts an entry by a key. It reports whether to keep the entry's text now.
func (s *Site) IsDue(key uint64, name string) bool {
	return key == s.address && !s.kept.Load() && len(name) <= Longest && s.entries.Add(1) >= Entries
}

// Keep keeps the site's text, which lies at the site's address.
func (s *Site) Keep(text string) {
	s.text = text
	s.kept.Store(true)
}

// Table holds the sites of a program. The caller guards it, and Site.Keep, with a mutex. The zero value is empty.
type Table struct {
	sites     map[id]*Site
	addresses map[uint64]bool // of the sites
	rows      map[row]int32   // zones
	names     map[Line]int
	full      map[uintptr]int // by return address: see NoteFull
}

type id struct {
	pc   uintptr
	name string
}

type row struct {
	name string
	at   Line
}

// Find returns the site with a return address and a name, or nil. Sites are compared by the text of the name, not by
// its address. A name that is too long is cut.
func (t *Table) Find(pc uintptr, name string) *Site { return t.sites[id{pc, Cut(name)}] }

// Names returns the number of different names at a place.
func (t *Table) Names(at Line) int { return t.names[at] }

// NoteFull notes that the place of a return address has most names, the limit.
func (t *Table) NoteFull(pc uintptr, most int) {
	if t.full == nil {
		t.full = make(map[uintptr]int)
	}
	t.full[pc] = most
}

// IsFull reports whether NoteFull was called for a return address. It saves the slow search for the place.
func (t *Table) IsFull(pc uintptr, most int) bool { return t.full[pc] >= most && most > 0 }

// Add adds a site, which was entered by a key. function and at are Of(pc). An empty name is the function's. Several
// return addresses may share a zone: inlined copies and instances of a generic function lie on one source line. For a
// new zone, Add calls newZone, which returns the zone's number.
func (t *Table) Add(pc uintptr, name string, key uint64, function string, at Line,
	newZone func(name string) int32,
) *Site {
	if t.sites == nil {
		t.sites, t.addresses = make(map[id]*Site), make(map[uint64]bool)
		t.rows, t.names = make(map[row]int32), make(map[Line]int)
	}
	name = Keep(name)
	s := &Site{address: t.claimAddress(key)}
	t.sites[id{pc, name}] = s
	if name == "" {
		name = Short(function)
	}
	zone, known := t.rows[row{name, at}]
	if !known {
		zone = newZone(name)
		t.rows[row{name, at}] = zone
		t.names[at]++
	}
	s.Zone = zone
	return s
}

// claimAddress returns the address of a new site: the key of its entry, unless another site has that. In that case the
// memory of a freed text was reused. The new site gets a number that is no text's address, so its text is never kept.
func (t *Table) claimAddress(key uint64) uint64 {
	if t.addresses[key] {
		key = uint64(len(t.addresses))<<strayShift | keyStray
	}
	t.addresses[key] = true
	return key
}
