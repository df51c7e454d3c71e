//go:build !iprof_off

package gather

// ID returns the zone's number, its index in Frame.Zones; known is false until it is first entered.
func (z *Zone) ID() (id int32, known bool) {
	zones.mu.RLock()
	defer zones.mu.RUnlock()
	id, known = zones.public[z]
	return id, known
}
