package store

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// zoneBudgets has the budgets by zone, up to the last zone that has had one.
type zoneBudgets []time.Duration

// Set sets the budget of a known zone.
func (b *zoneBudgets) Set(zone report.ZoneID, d time.Duration) {
	if missing := int(zone) + 1 - len(*b); missing > 0 {
		*b = append(*b, make([]time.Duration, missing)...)
	}
	(*b)[zone] = max(d, 0)
}

// List returns the budgets above 0, or nil.
func (b zoneBudgets) List() (list []gather.ZoneBudget) {
	for zone, d := range b {
		if d > 0 {
			list = append(list, gather.ZoneBudget{Zone: report.ZoneID(zone), Budget: d})
		}
	}
	return list
}

// Of returns the budget of a zone, 0 without one.
func (b zoneBudgets) Of(zone report.ZoneID) time.Duration {
	if zone < 0 || int(zone) >= len(b) {
		return 0
	}
	return b[zone]
}
