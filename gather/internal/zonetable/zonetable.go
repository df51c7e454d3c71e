// Package zonetable numbers the zones of a program.
//
// There are three kinds: public zones, which are variables, private zones, which are places in the source with a name,
// and the profiler's own, which have only a name.
package zonetable

import (
	"sync"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/gather/internal/source"
)

// Table numbers zones from 0 and never forgets one. Zone identifies a public zone, and Info describes any zone. Any
// goroutine may call the methods. Functions that they call must not call them.
type Table[Zone comparable, ID ~int32, Info any] struct {
	Root Info // of zone 0; set it before the first call

	mu     sync.RWMutex
	infos  []Info // append-only
	public map[Zone]ID
	sites  sites.Table
	owned  map[string]ID
}

// Limits bound the zones of the program. Zones beyond them get no number.
type Limits struct {
	Zones        int
	NamesAtPlace int // different names at one place in the source
}

// entryBytes is the estimated size of a zone's entries in the maps, without its name.
const entryBytes = 256

// All returns every zone, by id. The slice is shared and its entries never change.
func (t *Table[Zone, ID, Info]) All() []Info {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	return t.infos
}

// prepare makes the maps and the root on first use. The mutex is held.
func (t *Table[Zone, ID, Info]) prepare() {
	if t.infos == nil {
		t.infos = append(make([]Info, 0, 16), t.Root)
		t.public, t.owned = make(map[Zone]ID), make(map[string]ID)
	}
}

// add adds a zone. The mutex is held.
func (t *Table[Zone, ID, Info]) add(name string, info Info) ID {
	t.infos = append(t.infos, info)
	budget.Add(budget.Names, entryBytes+int64(len(name)))
	return ID(len(t.infos) - 1)
}

// isFull reports whether a limit allows no further zone. The mutex is held.
func (t *Table[Zone, ID, Info]) isFull(most Limits) bool {
	return len(t.infos) >= most.Zones || !budget.Fits(entryBytes)
}

// Info returns a zone's description, or the zero value for numbers of no zone.
func (t *Table[Zone, ID, Info]) Info(id ID) (info Info) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id >= 0 && int(id) < len(t.infos) {
		info = t.infos[id]
	}
	return info
}

// Own returns the profiler's own zone of a name, which it adds on first use, beyond all limits.
func (t *Table[Zone, ID, Info]) Own(name string, info Info) ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	id, known := t.owned[name]
	if !known {
		id = t.add(name, info)
		t.owned[name] = id
	}
	return id
}

// Find returns the number of a public zone.
func (t *Table[Zone, ID, Info]) Find(z Zone) (id ID, known bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	id, known = t.public[z]
	return id, known
}

// Public returns the number of a public zone. It adds a new one; known is false if that would exceed a limit. The
// function describe is called for a new zone, with its number.
func (t *Table[Zone, ID, Info]) Public(z Zone, most Limits, describe func(id ID) (name string, info Info)) (
	id ID, known bool,
) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if id, known = t.public[z]; known {
		return id, true
	}
	if t.isFull(most) {
		return -1, false
	}
	id = ID(len(t.infos))
	t.add(describe(id))
	t.public[z] = id
	return id, true
}

// Do calls do with the number of a public zone, if it has one. No zone gets a number meanwhile.
func (t *Table[Zone, ID, Info]) Do(z Zone, do func(id ID, known bool)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, known := t.public[z]
	do(id, known)
}

// Each calls do with every public zone, in no order. Only one such call runs at a time.
func (t *Table[Zone, ID, Info]) Each(do func(z Zone, id ID)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for z, id := range t.public {
		do(z, id)
	}
}

// Site returns the number of a private zone, which is entered by a key, and the key of its new nodes: see package
// sites. It adds a new one; known is false if that would exceed a limit. The function describe is called for new zones.
func (t *Table[Zone, ID, Info]) Site(pc uintptr, name string, key uint64, most Limits,
	describe func(name, function string, at source.Line) Info,
) (id ID, own uint64, known bool) {
	t.mu.RLock()
	s := t.sites.Find(pc, name)
	t.mu.RUnlock()
	if s == nil {
		if s = t.addSite(pc, name, key, most, describe); s == nil {
			return -1, 0, false
		}
	}
	if s.IsDue(key, name) {
		t.mu.Lock()
		s.Keep(name)
		t.mu.Unlock()
	}
	return ID(s.Zone), s.Key(), true
}

// addSite adds a private zone. It returns nil beyond a limit.
func (t *Table[Zone, ID, Info]) addSite(pc uintptr, name string, key uint64, most Limits,
	describe func(name, function string, at source.Line) Info,
) *sites.Site {
	function, at := source.Of(pc)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if s := t.sites.Find(pc, name); s != nil {
		return s
	}
	if t.sites.Names(at) >= most.NamesAtPlace || t.isFull(most) {
		return nil
	}
	return t.sites.Add(pc, name, key, function, at, func(name string) int32 {
		return int32(t.add(name, describe(name, function, at)))
	})
}
