//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/gather/internal/source"
)

// The profiler keeps copies of names. A string sliced from a large text would keep the whole text.
//
// The hot path finds a private zone by the address of its name. So while the address is in use, no other text may take
// its place. A constant stays for ever. Another text is kept only after its site was entered textEntries times with it:
// the host then keeps it as well. Until then the hot path does not find the site's nodes, because their key lacks
// keyText.

// site is a place in the source together with a name.
type site struct {
	address uint64 // siteKey of the first text
	zone    ZoneID
	entries atomic.Uint32 // slow entries with that text
	text    string        // the host's text, once kept; guarded by the table's mutex
	kept    atomic.Bool
}

// claimAddress returns the address of a new site: the key it was entered by, unless another site has that. Then a text
// that lay there has gone, and its place is used again. The new site gets a number instead, which no text has, so its
// own is never kept. The table's mutex is held.
func (t *zoneTable) claimAddress(key uint64) uint64 {
	if t.addresses == nil {
		t.addresses = make(map[uint64]bool)
	}
	if t.addresses[key] {
		key = uint64(len(t.addresses))<<kidShift | keyStray
	}
	t.addresses[key] = true
	return key
}

// textEntries is how many times a site is entered with one text before the text is kept.
const textEntries = 16

// key returns the key for the site's new nodes.
func (s *site) key() uint64 {
	if s.kept.Load() {
		return s.address
	}
	return s.address &^ keyText
}

// isDue reports whether the entry's text is to be kept now.
func (s *site) isDue(e entry) bool {
	return e.key == s.address && !s.kept.Load() && len(e.name) <= source.Longest && s.entries.Add(1) >= textEntries
}

// keepText keeps a site's text, which lies at the site's address.
func (t *zoneTable) keepText(s *site, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.text = text
	s.kept.Store(true)
}

// rekey changes the key of a site's node that was made before the text was kept. Then the hot path finds it. The lane's
// goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) rekey(parent *node, key uint64) {
	if parent.flag&flagMirror != 0 {
		l.rekey(parent.mirrored(), key)
	}
	was := key &^ keyText // in the same kid slot
	n := l.find(parent, was)
	if n == nil {
		return
	}
	n.key = key
	n.rekeyForms()
	if l.far[childKey{parent, was}] == n {
		delete(l.far, childKey{parent, was})
		l.far[childKey{parent, key}] = n
	}
}

// shareText makes the zone's name point to a copy of the same text. The zone is kept for ever, and the text that the
// name was sliced from need not be. Others may read the name meanwhile: its length stays, and the pointer is one word.
//
//go:norace
func (z *Zone) shareText(name string) {
	if len(name) == len(z.Name) {
		*(**byte)(unsafe.Pointer(&z.Name)) = unsafe.StringData(name)
	}
}
