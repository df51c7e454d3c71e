//go:build !iprof_off

package gather

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// zoneKey is the key of a public zone: its address, which stays its own since the registry keeps the zone.
//
//go:norace
func zoneKey(z *Zone) uint64 { return uint64(uintptr(unsafe.Pointer(z))) }

// siteKey is the key of a private zone. The name's text is not looked at: its address and length identify it, since the
// table keeps the strings whose keys it has given out, so no other text can ever lie there. The product spreads them over
// the word: for two sites to share a key, 63 bits would have to agree by chance.
//
//go:norace
func siteKey(pc uintptr, name string) uint64 {
	text := uint64(uintptr(unsafe.Pointer(unsafe.StringData(name))))
	return (text+uint64(len(name))<<48)*0x9E3779B97F4A7C15 ^ uint64(pc) | 1<<63
}

// unknownZone stands for a zone that can no longer be told.
const unknownZone = -1

// site is a place and a name.
type site struct {
	key  uint64
	zone int32
}

type siteID struct {
	pc   uintptr
	name string
}

type sourceLine struct {
	file string
	line int
}

type rowID struct {
	name string
	at   sourceLine
}

// zoneTable numbers the zones. Its mutex is the last one taken.
type zoneTable struct {
	mu       sync.RWMutex
	infos    []ZoneInfo // append-only
	public   map[*Zone]int32
	sites    map[siteID]site
	rows     map[rowID]int32 // private zones
	names    map[sourceLine]int
	others   int32          // "(other)", 0 if not needed yet
	pending  int32          // "(pending)", as well
	notKept  int32          // "(not kept)", as well
	calls    map[int32]bool // zones whose calls are counted
	copied   map[int32]bool // private zones whose name lies at several addresses
	anyCalls atomic.Bool
}

var zones zoneTable

// The names of what is no zone of the host's.
const (
	otherName      = "(other)"
	pendingName    = "(pending)"
	notKeptName    = "(not kept)"
	unmeasuredName = "(unmeasured goroutines)"
	rootName       = "(root)"
)

// all returns every zone by id. The slice is shared; its entries never change.
func (t *zoneTable) all() []ZoneInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	return t.infos
}

func (t *zoneTable) begin() {
	if t.infos == nil {
		t.infos = append(make([]ZoneInfo, 0, 16), ZoneInfo{Name: rootName})
		t.public = make(map[*Zone]int32)
		t.sites = make(map[siteID]site)
		t.rows = make(map[rowID]int32)
		t.names = make(map[sourceLine]int)
	}
}

func (t *zoneTable) add(info ZoneInfo) int32 {
	t.infos = append(t.infos, info)
	return int32(len(t.infos) - 1)
}

func (t *zoneTable) info(id int32) ZoneInfo {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id < 0 || int(id) >= len(t.infos) {
		return ZoneInfo{}
	}
	return t.infos[id]
}

// other returns the zone of what was folded.
func (t *zoneTable) other() int32 { return t.own(&t.others, otherName) }

// pendingZone returns the zone of holds that are open.
func (t *zoneTable) pendingZone() int32 { return t.own(&t.pending, pendingName) }

// notKeptZone returns the zone of holds that were not kept.
func (t *zoneTable) notKeptZone() int32 { return t.own(&t.notKept, notKeptName) }

// own returns a zone that is no zone of the host's.
func (t *zoneTable) own(id *int32, name string) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	return t.ownLocked(id, name)
}

func (t *zoneTable) ownLocked(id *int32, name string) int32 {
	if *id == 0 {
		*id = t.add(ZoneInfo{Name: name})
	}
	return *id
}

// resolve returns what e's nodes are numbered and keyed by.
func (t *zoneTable) resolve(e entry) (zone int32, key uint64) {
	if e.zone == nil {
		s := t.site(e)
		return s.zone, s.key
	}
	if zone, known := t.of(e.zone); known {
		return zone, e.key
	}
	return t.other(), keyNames
}

// of returns the number of a public zone, which it registers, and keeps, if it is new and within the limit.
func (t *zoneTable) of(z *Zone) (id int32, known bool) {
	t.mu.RLock()
	id, known = t.public[z]
	t.mu.RUnlock()
	if known {
		return id, true
	}
	function, at := caller()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	if id, known = t.public[z]; known {
		return id, true
	}
	if len(t.infos) >= limits().Zones {
		dropped.names.Add(1)
		return unknownZone, false
	}
	id = t.add(ZoneInfo{Name: z.Name, Function: function, File: at.file, Line: at.line, Public: true, Idle: z.Idle})
	t.public[z] = id
	if z.perCall {
		t.markCalls(id, true)
	}
	return id, true
}

// site returns a private zone, which it registers if it is new. The text of the name decides, not its address.
func (t *zoneTable) site(e entry) site {
	id := siteID{e.pc, e.name}
	t.mu.RLock()
	s, known := t.sites[id]
	copied := known && s.key != e.key && !t.copied[s.zone]
	t.mu.RUnlock()
	if copied {
		t.setCopied(s.zone)
	}
	if known {
		return s
	}
	function, at := sourceOf(e.pc)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	if s, known = t.sites[id]; known {
		return s
	}
	if t.names[at] >= limits().NamesAtPlace || len(t.infos) >= limits().Zones {
		dropped.names.Add(1)
		return site{keyNames, t.ownLocked(&t.others, otherName)}
	}
	s = site{e.key, t.row(e.name, function, at)}
	t.sites[id] = s
	return s
}

func (t *zoneTable) setCopied(zone int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.copied == nil {
		t.copied = make(map[int32]bool)
	}
	t.copied[zone] = true
}

// row returns the number of a private zone. Several addresses may be one line: inlined copies, instances of a generic.
func (t *zoneTable) row(name, function string, at sourceLine) int32 {
	if name == "" {
		name = shortName(function)
	}
	id := rowID{name, at}
	zone, known := t.rows[id]
	if !known {
		zone = t.add(ZoneInfo{Name: name, Function: function, File: at.file, Line: at.line})
		t.rows[id] = zone
		t.names[at]++
	}
	return zone
}

// shortName cuts the path off a function's full name.
func shortName(function string) string {
	return function[strings.LastIndexByte(function, '/')+1:]
}

// sourceOf returns the place of a return address.
func sourceOf(pc uintptr) (function string, at sourceLine) {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame.Function, sourceLine{frame.File, frame.Line}
}

// caller returns the place outside this package that the running call came from.
func caller() (function string, at sourceLine) {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	own, more := frames.Next()
	for frame := own; more; {
		frame, more = frames.Next()
		if !inPackage(frame.Function, own.Function) || strings.HasSuffix(frame.File, "_test.go") {
			return frame.Function, sourceLine{frame.File, frame.Line}
		}
	}
	return "", sourceLine{}
}

// inPackage reports whether two functions are of one package: their names agree up to the first dot after the last slash.
func inPackage(function, own string) bool {
	slash := strings.LastIndexByte(own, '/')
	dot := slash + strings.IndexByte(own[slash+1:], '.') + 2
	return strings.HasPrefix(function, own[:dot])
}
