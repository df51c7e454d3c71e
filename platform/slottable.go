package platform

import "sync/atomic"

// SlotTable finds the slots of goroutines by their keys: first the home slots, then a hash table of the goroutines
// whose home slot is taken. The zero value has the home slots only. Any goroutine may call Find at any time. The
// caller's mutex guards the other methods.
type SlotTable struct {
	strays atomic.Pointer[strays]
}

// strays is a hash table with open addressing. A goroutine looks up only its own key, so it finds the right slot even
// in a replaced table.
type strays struct {
	entries []stray // the length is a power of two
	used    int
}

type stray struct {
	key  atomic.Uint64
	slot atomic.Pointer[Slot]
}

const firstStrays = 64

// Find returns the slot of a goroutine's key, or nil if it has none.
func (t *SlotTable) Find(key uint64) *Slot {
	if HomeKey(key).Load() == key {
		return Home(key)
	}
	return t.strays.Load().find(key)
}

// Add adds a slot that is not the key's home slot. The key must not be in the table.
func (t *SlotTable) Add(key uint64, slot *Slot) {
	s := t.strays.Load()
	if s == nil || 2*(s.used+1) > len(s.entries) {
		t.Clean()
		s = t.strays.Load()
	}
	s.put(key, slot)
}

// Clean removes the slots whose Lane is nil, except home slots. It leaves room for more.
func (t *SlotTable) Clean() {
	keep := make(map[uint64]*Slot)
	if old := t.strays.Load(); old != nil {
		for i := range old.entries {
			if slot := old.entries[i].slot.Load(); slot != nil && slot.Lane != nil {
				keep[old.entries[i].key.Load()] = slot
			}
		}
	}
	size := firstStrays
	for size < 4*(len(keep)+1) {
		size *= 2
	}
	s := &strays{entries: make([]stray, size)}
	for key, slot := range keep {
		s.put(key, slot)
	}
	t.strays.Store(s)
}

// Clear removes all slots but home slots.
func (t *SlotTable) Clear() { t.strays.Store(nil) }

func (s *strays) place(key uint64) uint64 {
	return key * 0x9E3779B97F4A7C15 >> 32 % uint64(len(s.entries))
}

func (s *strays) find(key uint64) *Slot {
	if s == nil {
		return nil
	}
	for i := s.place(key); ; i = (i + 1) % uint64(len(s.entries)) {
		switch s.entries[i].key.Load() {
		case key:
			return s.entries[i].slot.Load()
		case 0:
			return nil
		}
	}
}

func (s *strays) put(key uint64, slot *Slot) {
	i := s.place(key)
	for s.entries[i].key.Load() != 0 {
		i = (i + 1) % uint64(len(s.entries))
	}
	s.entries[i].slot.Store(slot)
	s.entries[i].key.Store(key)
	s.used++
}
