//go:build !iprof_off

package gather

// SetPerCallOf is Zone.SetPerCall for a zone known by its id only, as displays know them. Zone 0 is ignored.
func SetPerCallOf(zone int32, on bool) {
	zones.mu.Lock()
	if zone > 0 {
		zones.markCalls(zone, on)
	}
	zones.mu.Unlock()
	askLanes()
}
