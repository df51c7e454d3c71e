package history

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// seeDevice stores the zones of a device's lane. Their times may come late, so that a frame has the times of several.
func (k *ChargeKinds) seeDevice(nodes []gather.Node, zones int) {
	if more := zones - len(k.devices); more > 0 {
		k.devices = append(k.devices, make([]bool, more)...)
	}
	for i := range nodes {
		if zone := int(nodes[i].Zone); zone > 0 && zone < zones {
			k.devices[zone] = true
		}
	}
}

// OnDevice reports whether a zone was entered on a device. It is false for the root, which belongs to all lanes.
func (k *ChargeKinds) OnDevice(zone report.ZoneID) bool {
	return int(zone) < len(k.devices) && k.devices[zone]
}

// ChargeList stores the charges of paths, zones and rows. Few have charges, so a value has only an index into this
// list, 0 without charges.
type ChargeList []report.Charges

// Reset empties the list, but for the charges without an amount at index 0.
func (l *ChargeList) Reset() { *l = append((*l)[:0], report.Charges{}) }

// Add adds c to the charges at an index. If the index is 0, it makes a new one.
func (l *ChargeList) Add(to *int32, c *report.Charges) {
	if *to == 0 {
		*to = int32(len(*l))
		*l = append(*l, report.Charges{})
	}
	(*l)[*to].Add(c)
}

// Merge adds the charges at one index to those at another.
func (l *ChargeList) Merge(to *int32, from int32) {
	if from != 0 {
		c := (*l)[from]
		l.Add(to, &c)
	}
}

// DropHeap removes the charges of the Go heap from values, where they are not known well enough: see
// [gather.MemoryHeapPerZone].
func (l ChargeList) DropHeap(values []Value) {
	if len(l) < 2 {
		return
	}
	for i := range values {
		c := l.At(values[i].Extra)
		if c == nil {
			continue
		}
		c.HeapObjects = 0
		c.HeapBytes = 0
		if *c == (report.Charges{}) {
			values[i].Extra = 0
		}
	}
}

// At returns the charges at an index, nil for 0.
func (l ChargeList) At(place int32) *report.Charges {
	if place == 0 {
		return nil
	}
	return &l[place]
}

// Charge adds the charges of another frame of the lens.
func (l *LensMeans) Charge(values []Value, frame ChargeList) {
	if len(frame) < 2 {
		return
	}
	for i := range values {
		if c := frame.At(values[i].Extra); c != nil {
			l.Charges.Add(&l.Scratch[i].Extra, c)
		}
	}
}

// ChargeKinds has the kinds of charges that a session has seen, and atOnce: see showAtOnce. Reports have columns for
// these.
type ChargeKinds struct {
	own, heap, units, AtOnce bool

	devices []bool // by zone: entered on a device, so its time does not count as goroutines at once
}

// SeeFrame stores the kinds of a frame, and of its charges if keep is set.
func (k *ChargeKinds) SeeFrame(f *gather.Frame, zones int, keep bool) {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		if l.Device {
			k.seeDevice(l.Nodes, zones)
		}
		if keep && len(l.Nodes) > 0 {
			k.see(l.Extras)
		}
	}
}

func (k *ChargeKinds) see(extras []gather.NodeExtra) {
	for i := range extras {
		x := &extras[i]
		k.own = k.own || x.Allocs|x.Frees != 0
		k.heap = k.heap || x.HeapObjects|x.HeapBytes != 0
		k.units = k.units || x.Units != 0
	}
}

// Merge adds the kinds of other frames of the program.
func (k *ChargeKinds) Merge(o *ChargeKinds) {
	k.own = k.own || o.own
	k.heap = k.heap || o.heap
	k.units = k.units || o.units
	k.AtOnce = k.AtOnce || o.AtOnce
	for len(k.devices) < len(o.devices) {
		k.devices = append(k.devices, false)
	}
	for zone, is := range o.devices {
		k.devices[zone] = k.devices[zone] || is
	}
}

// AppendColumns appends the columns of the kinds seen.
func (k *ChargeKinds) AppendColumns(dst []report.Column) []report.Column {
	if k.own {
		dst = append(dst, report.OwnColumns...)
	}
	if k.heap {
		dst = append(dst, report.HeapColumns...)
	}
	if k.units {
		dst = append(dst, report.UnitColumns...)
	}
	return dst
}

// mostVariance bounds the variances of frames from elsewhere, in ticks squared. The error of a time is less than all of
// the time.
const mostVariance = 0x1p126

// ValidExtras reports whether a lane's extras belong to its nodes and are in their order, and whether their variances
// are in range.
func ValidExtras(l *gather.LaneFrame) bool {
	last := int32(-1)
	for i := range l.Extras {
		x := &l.Extras[i]
		if x.Node <= last || int(x.Node) >= len(l.Nodes) || !(x.Variance >= 0 && x.Variance <= mostVariance) {
			return false
		}
		last = x.Node
	}
	return true
}
