package process

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

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
		s.kinds.atOnce = s.kinds.atOnce || r.hier > report.LeastAtOnce*dst.Frame.Length && dst.Frame.Length > 0 &&
			!s.kinds.onDevice(r.zone)
	}
	if dst.AtOnce = s.kinds.atOnce; dst.AtOnce && v.Columns.Empty() {
		at := slices.Index(dst.Memory.Chosen, ColumnHier) + 1
		dst.Memory.Chosen = slices.Insert(dst.Memory.Chosen, at, ColumnAtOnce)
		dst.Columns = dst.Memory.Chosen
	}
}
