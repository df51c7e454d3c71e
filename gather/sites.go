//go:build !iprof_off

package gather

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/gather/internal/source"
)

// zoneKey returns the key of a public zone, which is its address. The zone table keeps the zone alive, so no other zone
// can get the address.
//
//go:norace
func zoneKey(z *Zone) uint64 { return uint64(uintptr(unsafe.Pointer(z))) }

// siteKey returns the key by which the hot path finds a private zone. It uses the address and the length of the name,
// not its text. Only sites whose text is kept have nodes with such a key, so no other text can lie at that address: see
// site. The multiplication spreads the bits. Two sites get the same key only if 63 bits agree by chance.
//
//go:norace
func siteKey(pc uintptr, name string) uint64 {
	text := uint64(uintptr(unsafe.Pointer(unsafe.StringData(name))))
	return (text+uint64(len(name))<<48)*0x9E3779B97F4A7C15 ^ uint64(pc) | keyText
}

// unknownZone stands for a zone that is not known.
const unknownZone = -1

type siteID struct {
	pc   uintptr
	name string
}

type rowID struct {
	name string
	at   source.Line
}

// zoneTable numbers the zones. Its mutex is the last in the lock order.
type zoneTable struct {
	mu        sync.RWMutex
	infos     []ZoneInfo // append-only
	public    map[*Zone]ZoneID
	sites     map[siteID]*site
	addresses map[uint64]bool  // of the sites: see claimAddress
	rows      map[rowID]ZoneID // private zones
	names     map[source.Line]int
	others    ZoneID               // "(other)", 0 until needed
	pending   ZoneID               // "(pending)", 0 until needed
	notKept   ZoneID               // "(not kept)", 0 until needed
	calls     map[ZoneID]callWants // zones whose calls are counted
	muted     map[ZoneID]bool      // see SetMuted
	anyCalls  atomic.Bool
	anyMuted  atomic.Bool
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
		t.public = make(map[*Zone]ZoneID)
		t.sites = make(map[siteID]*site)
		t.rows = make(map[rowID]ZoneID)
		t.names = make(map[source.Line]int)
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
func (t *zoneTable) own(id *ZoneID, name string) ZoneID {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if *id == 0 {
		*id = t.add(ZoneInfo{Name: name})
	}
	return *id
}

// resolve returns the zone and the node key of an entry.
func (t *zoneTable) resolve(e entry) (zone ZoneID, key uint64) {
	if e.zone == nil {
		return t.site(e)
	}
	if zone, known := t.of(e.zone); known {
		return zone, e.key
	}
	return t.own(&t.others, otherName), keyNames
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
		t.markCalls(id, true)
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

// site returns the number and the key of a private zone. It registers a new one. Sites are compared by the text of the
// name, not by its address.
func (t *zoneTable) site(e entry) (zone ZoneID, key uint64) {
	id := siteID{e.pc, source.Cut(e.name)}
	t.mu.RLock()
	s := t.sites[id]
	t.mu.RUnlock()
	if s == nil {
		if s = t.addSite(e, id); s == nil {
			return t.own(&t.others, otherName), keyNames
		}
	}
	if s.isDue(e) {
		t.keepText(s, e.name)
	}
	return s.zone, s.key()
}

// addSite registers a private zone. It returns nil beyond a limit.
func (t *zoneTable) addSite(e entry, id siteID) *site {
	function, at := source.Of(e.pc)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepare()
	if s := t.sites[id]; s != nil {
		return s
	}
	if t.names[at] >= limits().NamesAtPlace || len(t.infos) >= limits().Zones || !budget.Fits(nameBytes) {
		dropped.names.Add(1)
		return nil
	}
	id.name = source.Keep(e.name)
	s := &site{address: t.claimAddress(e.key), zone: t.row(id.name, function, at)}
	t.sites[id] = s
	return s
}

// row returns the number of a private zone. Several return addresses may have the same number: inlined copies and
// instances of a generic function lie on one source line.
func (t *zoneTable) row(name, function string, at source.Line) ZoneID {
	if name == "" {
		name = source.Short(function)
	}
	id := rowID{name, at}
	zone, known := t.rows[id]
	if !known {
		zone = t.add(ZoneInfo{Name: name, Function: function, File: at.File, Line: at.Line})
		t.rows[id] = zone
		t.names[at]++
	}
	return zone
}
