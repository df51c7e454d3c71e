package process

import (
	"slices"
	"time"

	"example.com/iprof/gather"
)

// All times are wall time: they include waiting. Zones of many goroutines may have more of it than has passed. Such a
// time, divided by the time that has passed, is the number of lanes that were in the zone at once, on average.

// leastAtOnce is the number of lanes at once from which on it is shown: less may be rounding.
const leastAtOnce = 1.05

// AtOnce returns how many lanes were in a zone at once, on average: its hierarchical time by the time that passed. It
// is 0 if that is not more than one lane could have.
func AtOnce(hier float64, passed time.Duration) float64 {
	if ms := float64(passed) / float64(time.Millisecond); ms > 0 && hier > leastAtOnce*ms {
		return hier / ms
	}
	return 0
}

// AtOnce returns how many lanes were in a zone at once, on average, from its hierarchical time in ms. It is 0 if one
// lane could have had that time.
func (d *Dump) AtOnce(hier float64) float64 { return AtOnce(hier, d.RunTime) }

// seeDevice notes the zones of a device's lane. Their times may come late, so that a frame has those of several.
func (k *chargeKinds) seeDevice(nodes []gather.Node, zones int) {
	if more := zones - len(k.devices); more > 0 {
		k.devices = append(k.devices, make([]bool, more)...)
	}
	for i := range nodes {
		if zone := int(nodes[i].Zone); zone > 0 && zone < zones {
			k.devices[zone] = true
		}
	}
}

// onDevice reports whether a zone was entered on a device. The root is of all lanes.
func (k *chargeKinds) onDevice(zone ZoneID) bool {
	return int(zone) < len(k.devices) && k.devices[zone]
}

// showAtOnce adds ColumnAtOnce to the usual columns once any row of goroutines has had more time than the frame.
func (s *Session) showAtOnce(dst *Report, v *View) {
	if dst.AtOnce = false; v.Mode == ReportExtra || v.Lane != 0 {
		return
	}
	for i := range s.rows.list {
		r := &s.rows.list[i]
		s.kinds.atOnce = s.kinds.atOnce || r.hier > leastAtOnce*dst.Frame.Length && dst.Frame.Length > 0 &&
			!s.kinds.onDevice(r.zone)
	}
	if dst.AtOnce = s.kinds.atOnce; dst.AtOnce && v.Columns.Empty() {
		at := slices.Index(dst.chosen, ColumnHier) + 1
		dst.chosen = slices.Insert(dst.chosen, at, ColumnAtOnce)
		dst.Columns = dst.chosen
	}
}
