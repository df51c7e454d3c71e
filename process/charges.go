package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// charged stores the charges of paths, zones and rows. Few have any, so a value has only an index into this list, 0 for
// none.
type charged []Charges

func (l *charged) reset() { *l = append((*l)[:0], Charges{}) }

// add adds c to the charges at an index. If the index is 0, it makes a new one.
func (l *charged) add(to *int32, c *Charges) {
	if *to == 0 {
		*to = int32(len(*l))
		*l = append(*l, Charges{})
	}
	(*l)[*to].Add(c)
}

// merge adds the charges at one index to those at another.
func (l *charged) merge(to *int32, from int32) {
	if from != 0 {
		c := (*l)[from]
		l.add(to, &c)
	}
}

// at returns the charges at an index, nil for 0.
func (l charged) at(place int32) *Charges {
	if place == 0 {
		return nil
	}
	return &l[place]
}

// charge adds the charges of another frame of the lens.
func (l *lensed) charge(values []value, frame charged) {
	if len(frame) < 2 {
		return
	}
	for i := range values {
		if c := frame.at(values[i].extra); c != nil {
			l.charges.add(&l.scratch[i].extra, c)
		}
	}
}

// chargeKinds are the kinds of charges that a session has seen, and atOnce: see showAtOnce. Reports have columns for
// these.
type chargeKinds struct {
	own, heap, units, atOnce bool

	devices []bool // by zone: entered on a device, so its time says nothing about goroutines at once
}

// seeFrame notes the kinds of a frame, and those of its charges if keep is set.
func (k *chargeKinds) seeFrame(f *gather.Frame, zones int, keep bool) {
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

func (k *chargeKinds) see(extras []gather.NodeExtra) {
	for i := range extras {
		x := &extras[i]
		k.own = k.own || x.Allocs|x.Frees != 0
		k.heap = k.heap || x.HeapObjects|x.HeapBytes != 0
		k.units = k.units || x.Units != 0
	}
}

// appendColumns appends the columns of the kinds seen.
func (k *chargeKinds) appendColumns(dst []Column) []Column {
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
