//go:build !iprof_off

package measure

import (
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/internal/quiet"
)

// zoneTable numbers the zones of the program from 0 and never forgets one. There are three kinds: public zones, which
// are variables, private zones, which are places in the source with a name, and the profiler's own, which have only a
// name. Any goroutine may call the methods, but not from within their callbacks. The mutex is the last in the lock
// order.
type zoneTable struct {
	mu        quiet.RWMutex
	infos     []ZoneInfo  // append-only
	public    quiet.Index // of the zones' addresses
	sites     sites.Table
	owned     []ZoneID // few
	vars      []*Zone  // public zones by id, nil for others; they stay where they are
	zonesRead int      // number of public zones that each and visit have seen

	perCall    zoneSet // see SetPerCall
	callsShown zoneSet // see WantCalls
	muted      zoneSet // see SetMuted
}

var zones zoneTable

// unknownZone stands for an unknown zone.
const unknownZone = -1

// The names of the profiler's own zones.
const (
	otherName      = "(other)"
	pendingName    = "(pending)"
	notKeptName    = "(not kept)"
	unmeasuredName = "(unmeasured goroutines)"
	rootName       = "(root)"
)

// entryBytes is the estimated size of a zone's entries in the maps, without its name.
const entryBytes = 256

// all returns every zone, by id. The slice is shared and its entries never change.
func (t *zoneTable) all() []ZoneInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	return t.infos
}

// prepare makes the root on first use. The mutex is held.
func (t *zoneTable) prepare() {
	if t.infos == nil {
		t.infos = append(make([]ZoneInfo, 0, 16), ZoneInfo{Name: rootName})
	}
}

// add adds a zone. The mutex is held.
func (t *zoneTable) add(name string, info ZoneInfo) ZoneID {
	t.infos = append(t.infos, info)
	budget.Add(budget.Names, entryBytes+int64(len(name)))
	return ZoneID(len(t.infos) - 1)
}

// isFull reports whether a limit allows no further zone. The mutex is held.
func (t *zoneTable) isFull(most *Limits) bool {
	return len(t.infos) >= most.Zones || !budget.Fits(entryBytes)
}

// info returns a zone's description, or the zero value for numbers of no zone.
func (t *zoneTable) info(id ZoneID) (info ZoneInfo) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id >= 0 && int(id) < len(t.infos) {
		info = t.infos[id]
	}
	return info
}

// own returns the profiler's own zone of a name, which it adds on first use, beyond all limits.
func (t *zoneTable) own(name string) ZoneID {
	t.mu.RLock()
	id := t.ownedBy(name)
	t.mu.RUnlock()
	if id != unknownZone {
		return id
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if id = t.ownedBy(name); id == unknownZone {
		id = t.add(name, ZoneInfo{Name: name})
		t.owned = append(t.owned, id)
	}
	return id
}

// ownedBy returns the profiler's own zone of a name, or unknownZone. The mutex is held.
func (t *zoneTable) ownedBy(name string) ZoneID {
	for _, id := range t.owned {
		if t.infos[id].Name == name {
			return id
		}
	}
	return unknownZone
}

// publicID returns the number of a public zone. The mutex is held.
func (t *zoneTable) publicID(z *Zone) (id ZoneID, known bool) {
	n, known := t.public.Find(uintptr(unsafe.Pointer(z)))
	return ZoneID(n), known
}

// find returns the number of a public zone.
func (t *zoneTable) find(z *Zone) (id ZoneID, known bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.publicID(z)
}

// of returns the number of a public zone. It registers a new zone; known is false if that would exceed a limit.
func (t *zoneTable) of(z *Zone) (id ZoneID, known bool) {
	most := limits()
	t.mu.RLock()
	id, known = t.publicID(z)
	full := len(t.infos) >= most.Zones // then skip the slow search for the caller
	t.mu.RUnlock()
	if known || full {
		if !known {
			dropped.names.Add(1)
		}
		return id, known
	}
	function, at := sites.Caller()
	if id, known = t.register(z, most, function, at); !known {
		dropped.names.Add(1)
	}
	return id, known
}

// register numbers a public zone, unless another goroutine has just done so. function and at are the place of the
// zone's first entry. known is false beyond a limit.
func (t *zoneTable) register(z *Zone, most *Limits, function string, at sites.Line) (id ZoneID, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if id, known = t.publicID(z); known {
		return id, true
	}
	if t.isFull(most) {
		return unknownZone, false
	}
	info := siteInfo(sites.Keep(z.Name), function, at)
	info.Public, info.Idle, info.Blocked = true, z.Idle, z.Idle && z.Blocked
	info.Computes = z.Computes && !z.Idle
	z.shareText(info.Name)
	id = t.add(info.Name, info)
	if z.perCall {
		t.perCall.put(id, true)
	}
	t.public.Set(uintptr(unsafe.Pointer(z)), int32(id))
	for len(t.vars) <= int(id) {
		t.vars = append(t.vars, nil)
	}
	t.vars[id] = z
	return id, true
}

// do calls do with the number of a public zone, if it has one. No zone gets a number meanwhile.
func (t *zoneTable) do(z *Zone, do func(id ZoneID, known bool)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do(t.publicID(z))
}

// each calls do with every public zone, in no order. Only one such call runs at a time.
func (t *zoneTable) each(do func(z *Zone, id ZoneID)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, z := range t.vars {
		if z != nil {
			t.zonesRead++
			do(z, ZoneID(id))
		}
	}
}

// visit calls do with the public zone of a number, if it is one. No call of each runs meanwhile.
func (t *zoneTable) visit(id ZoneID, do func(z *Zone)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if int(id) < len(t.vars) && t.vars[id] != nil {
		t.zonesRead++
		do(t.vars[id])
	}
}

// isLoose reports whether a zone is loose: see Zone.Loose.
func (t *zoneTable) isLoose(id ZoneID) (loose bool) {
	t.mu.RLock()
	if uint(id) < uint(len(t.vars)) && t.vars[id] != nil {
		loose = t.vars[id].Loose
	}
	t.mu.RUnlock()
	return loose
}

// site returns the number of the private zone with a key, and the key for its new nodes: see package sites. It adds a
// new zone; known is false if that would exceed a limit.
func (t *zoneTable) site(pc uintptr, name string, key uint64, most *Limits) (id ZoneID, own uint64, known bool) {
	t.mu.RLock()
	s := t.sites.Find(pc, name)
	full := s == nil && (len(t.infos) >= most.Zones || t.sites.IsFull(pc, most.NamesAtPlace))
	t.mu.RUnlock()
	if full {
		return unknownZone, 0, false
	}
	if s == nil {
		if s = t.addSite(pc, name, key, most); s == nil {
			return unknownZone, 0, false
		}
	}
	if s.IsDue(key, name) {
		t.mu.Lock()
		s.Keep(name)
		t.mu.Unlock()
	}
	return ZoneID(s.Zone), s.Key(), true
}

// addSite adds a private zone. It returns nil beyond a limit.
func (t *zoneTable) addSite(pc uintptr, name string, key uint64, most *Limits) *sites.Site {
	function, at := sites.Of(pc)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if s := t.sites.Find(pc, name); s != nil {
		return s
	}
	if t.sites.Names(at) >= most.NamesAtPlace {
		t.sites.NoteFull(pc, most.NamesAtPlace)
		return nil
	}
	if t.isFull(most) {
		return nil
	}
	return t.sites.Add(pc, name, key, function, at, func(name string) int32 {
		return int32(t.add(name, siteInfo(name, function, at)))
	})
}

// resolve returns the zone and the node key of an entry.
func (t *zoneTable) resolve(e entry) (zone ZoneID, key uint64) {
	known := false
	if e.zone != nil {
		zone, known = t.of(e.zone)
		key = e.key
	} else if zone, key, known = t.site(e.pc, e.name, e.key, limits()); !known {
		dropped.names.Add(1)
	}
	if !known {
		return t.own(otherName), keyNames
	}
	return zone, key
}

// siteInfo describes a private zone.
func siteInfo(name, function string, at sites.Line) ZoneInfo {
	return ZoneInfo{Name: name, Function: function, File: at.File, Line: at.Line}
}

// ID returns the zone's index in Frame.Zones. known reports whether the zone has been entered before. Any goroutine may
// call it.
func (z *Zone) ID() (id ZoneID, known bool) { return zones.find(z) }
