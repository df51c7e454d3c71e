//go:build !iprof_off

package measure

// SetMuted mutes a zone, or unmutes it. The profiler counts the entries of a muted zone exactly, but times only a few
// at random. From these it estimates the zone's self time, and moves that from the enclosing zone: Node.Estimated marks
// both, and NodeExtra.Variance is the square of the standard error. Zones entered inside a muted zone appear below its
// enclosing zone. SetMuted acts on a lane when its goroutine next begins or ends a zone. The profiler's own zones,
// zones with SetPerCall, holds and other ids are not muted. Any goroutine may call it.
func SetMuted(zone ZoneID, on bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	had := zones.muted.hasAny()
	if on && (zone <= 0 || int(zone) >= len(zones.all())) || !zones.muted.put(zone, on) {
		return
	}
	zones.visit(zone, func(z *Zone) { z.mark(zoneMuted, on) })
	changeSettings()
	if zones.muted.hasAny() != had {
		followLanes()
	}
}

// Muted reports whether a zone is muted. Any goroutine may call it.
func Muted(zone ZoneID) bool { return zones.muted.has(zone) }

// SetMuted mutes the zone, or unmutes it: see the function SetMuted.
func (z *Zone) SetMuted(on bool) {
	if id, known := zones.of(z); known {
		SetMuted(id, on)
	}
}
