//go:build !iprof_off

package gather

import (
	"unsafe"

	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/gather/internal/source"
	"example.com/iprof/gather/internal/zoneset"
	"example.com/iprof/gather/internal/zonetable"
)

// zoneKey returns the key of a public zone: its address. No other zone gets it, as the zone table keeps the zone alive.
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
	zonetable.Table[*Zone, ZoneID, ZoneInfo]
	perCall    zoneset.Set[ZoneID] // see SetPerCall
	callsShown zoneset.Set[ZoneID] // see WantCalls
	muted      zoneset.Set[ZoneID] // see SetMuted
	soon       zoneset.Set[ZoneID] // to be muted at the end of the frame
}

var zones = zoneTable{Table: zonetable.Table[*Zone, ZoneID, ZoneInfo]{Root: ZoneInfo{Name: rootName}}}

// The names of the profiler's own zones.
const (
	otherName      = "(other)"
	pendingName    = "(pending)"
	notKeptName    = "(not kept)"
	unmeasuredName = "(unmeasured goroutines)"
	rootName       = "(root)"
)

// zoneLimits returns the limits of the zones.
func zoneLimits() zonetable.Limits {
	l := limits()
	return zonetable.Limits{Zones: l.Zones, NamesAtPlace: l.NamesAtPlace}
}

// own returns one of the profiler's own zones, which it adds on first use.
func (t *zoneTable) own(name string) ZoneID { return t.Own(name, ZoneInfo{Name: name}) }

// resolve returns the zone and the node key of an entry.
func (t *zoneTable) resolve(e entry) (zone ZoneID, key uint64) {
	known := false
	if e.zone != nil {
		zone, known = t.of(e.zone)
		key = e.key
	} else if zone, key, known = t.Site(e.pc, e.name, e.key, zoneLimits(), siteInfo); !known {
		dropped.names.Add(1)
	}
	if !known {
		return t.own(otherName), keyNames
	}
	return zone, key
}

// siteInfo describes a private zone.
func siteInfo(name, function string, at source.Line) ZoneInfo {
	return ZoneInfo{Name: name, Function: function, File: at.File, Line: at.Line}
}

// of returns the number of a public zone. It registers a new zone; known is false if that would exceed a limit.
func (t *zoneTable) of(z *Zone) (id ZoneID, known bool) {
	if id, known = t.Find(z); known {
		return id, true
	}
	function, at := source.Caller()
	id, known = t.Public(z, zoneLimits(), func(id ZoneID) (string, ZoneInfo) {
		info := siteInfo(source.Keep(z.Name), function, at)
		info.Public, info.Idle = true, z.Idle
		z.shareText(info.Name)
		if z.perCall {
			t.perCall.Put(id, true)
		}
		return info.Name, info
	})
	if !known {
		dropped.names.Add(1)
	}
	return id, known
}

// ID returns the zone's index in Frame.Zones. known: it has been entered before. Any goroutine may call it.
func (z *Zone) ID() (id ZoneID, known bool) { return zones.Find(z) }

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
