//go:build !iprof_off

package gather

import (
	"sync"
	"unsafe"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/gather/internal/source"
	"example.com/iprof/gather/internal/zoneset"
)

// zoneKey returns the key of a public zone, which is its address. The zone table keeps the zone alive, so no other zone
// can get the address.
//
//go:norace
func zoneKey(z *Zone) uint64 { return uint64(uintptr(unsafe.Pointer(z))) }

// siteKey returns the key by which the hot path finds a private zone. It uses the address and the length of the name,
// not its text. Only sites whose text is kept have nodes with such a key, so no other text can lie at that address: see
// package sites. The multiplication spreads the bits. Two sites get the same key only if 63 bits agree by chance.
//
//go:norace
func siteKey(pc uintptr, name string) uint64 {
	text := uint64(uintptr(unsafe.Pointer(unsafe.StringData(name))))
	return (text+uint64(len(name))<<48)*0x9E3779B97F4A7C15 ^ uint64(pc) | sites.KeyText
}

// unknownZone stands for a zone that is not known.
const unknownZone = -1

// zoneTable numbers the zones. Its mutex is the last in the lock order.
type zoneTable struct {
	mu     sync.RWMutex
	infos  []ZoneInfo // append-only
	public map[*Zone]ZoneID
	sites  sites.Table       // private zones
	owned  map[string]ZoneID // the profiler's own, by name

	perCall    zoneset.Set[ZoneID] // see SetPerCall
	callsShown zoneset.Set[ZoneID] // see WantCalls
	muted      zoneset.Set[ZoneID] // see SetMuted
}

var zones zoneTable

// The names of the profiler's own zones.
const (
	otherName      = "(other)"
	pendingName    = "(pending)"
	notKeptName    = "(not kept)"
	unmeasuredName = "(unmeasured goroutines)"
	rootName       = "(root)"
)

// all returns every zone, by id. The slice is shared and its entries never change.
func (t *zoneTable) all() []ZoneInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	return t.infos
}

// prepare makes the maps and the root zone on first use. The mutex is held.
func (t *zoneTable) prepare() {
	if t.infos == nil {
		t.infos = append(make([]ZoneInfo, 0, 16), ZoneInfo{Name: rootName})
		t.public, t.owned = make(map[*Zone]ZoneID), make(map[string]ZoneID)
	}
}

func (t *zoneTable) add(info ZoneInfo) ZoneID {
	t.infos = append(t.infos, info)
	budget.Add(budget.Names, nameBytes+int64(len(info.Name)))
	return ZoneID(len(t.infos) - 1)
}

func (t *zoneTable) info(id ZoneID) ZoneInfo {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id < 0 || int(id) >= len(t.infos) {
		return ZoneInfo{}
	}
	return t.infos[id]
}

// own returns one of the profiler's own zones, which it adds on first use.
func (t *zoneTable) own(name string) ZoneID {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	id, known := t.owned[name]
	if !known {
		id = t.add(ZoneInfo{Name: name})
		t.owned[name] = id
	}
	return id
}

// resolve returns the zone and the node key of an entry.
func (t *zoneTable) resolve(e entry) (zone ZoneID, key uint64) {
	if e.zone == nil {
		return t.site(e)
	}
	if zone, known := t.of(e.zone); known {
		return zone, e.key
	}
	return t.own(otherName), keyNames
}

// of returns the number of a public zone. It registers a new zone; known is false if that would exceed a limit.
func (t *zoneTable) of(z *Zone) (id ZoneID, known bool) {
	t.mu.RLock()
	id, known = t.public[z]
	t.mu.RUnlock()
	if known {
		return id, true
	}
	function, at := source.Caller()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if id, known = t.public[z]; known {
		return id, true
	}
	if len(t.infos) >= limits().Zones || !budget.Fits(nameBytes) {
		dropped.names.Add(1)
		return unknownZone, false
	}
	name := source.Keep(z.Name)
	z.shareText(name)
	id = t.add(ZoneInfo{Name: name, Function: function, File: at.File, Line: at.Line, Public: true, Idle: z.Idle})
	t.public[z] = id
	if z.perCall {
		t.perCall.Put(id, true)
	}
	return id, true
}

// ID returns the zone's number, its index in Frame.Zones. Before the zone is first entered, known is false. Any
// goroutine may call it.
func (z *Zone) ID() (id ZoneID, known bool) {
	zones.mu.RLock()
	defer zones.mu.RUnlock()
	id, known = zones.public[z]
	return id, known
}

// site returns the number and the key of a private zone. It registers a new one.
func (t *zoneTable) site(e entry) (zone ZoneID, key uint64) {
	t.mu.RLock()
	s := t.sites.Find(e.pc, e.name)
	t.mu.RUnlock()
	if s == nil {
		if s = t.addSite(e); s == nil {
			return t.own(otherName), keyNames
		}
	}
	if s.IsDue(e.key, e.name) {
		t.mu.Lock()
		s.Keep(e.name)
		t.mu.Unlock()
	}
	return ZoneID(s.Zone), s.Key()
}

// addSite registers a private zone. It returns nil beyond a limit.
func (t *zoneTable) addSite(e entry) *sites.Site {
	function, at := source.Of(e.pc)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if s := t.sites.Find(e.pc, e.name); s != nil {
		return s
	}
	if t.sites.Names(at) >= limits().NamesAtPlace || len(t.infos) >= limits().Zones || !budget.Fits(nameBytes) {
		dropped.names.Add(1)
		return nil
	}
	return t.sites.Add(e.pc, e.name, e.key, function, at, func(name string) int32 {
		return int32(t.add(ZoneInfo{Name: name, Function: function, File: at.File, Line: at.Line}))
	})
}

// rekey changes the key of a site's node that was made before the text was kept. Then the hot path finds it. The lane's
// goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) rekey(parent *node, key uint64) {
	if parent.flag&flagMirror != 0 {
		l.rekey(parent.mirrored(), key)
	}
	was := key &^ sites.KeyText // in the same kid slot
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
