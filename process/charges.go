package process

import "example.com/iprof/gather"

// Charges are the numbers of a stack other than its time: bytes of the program's own arenas and pools (Alloc, Free),
// units of work (Units), and in some modes allocations on the Go heap. They are whole numbers in a frame and may be
// fractions in averages.
type Charges struct {
	Allocs, AllocBytes     float64
	Frees, FreeBytes       float64
	Units                  float64
	HeapObjects, HeapBytes float64
}

// numCharges is the number of fields of Charges.
const numCharges = 7

// numbers returns pointers to all fields.
func (c *Charges) numbers() [numCharges]*float64 {
	return [numCharges]*float64{&c.Allocs, &c.AllocBytes, &c.Frees, &c.FreeBytes, &c.Units,
		&c.HeapObjects, &c.HeapBytes}
}

// Add adds the charges of another stack.
func (c *Charges) Add(from *Charges) {
	to := c.numbers()
	for i, v := range from.numbers() {
		*to[i] += *v
	}
}

// ease moves each number by a part of its distance to the goal.
func (c *Charges) ease(part float64, goal *Charges) {
	to := c.numbers()
	for i, v := range goal.numbers() {
		*to[i] += part * (*v - *to[i])
	}
}

// leastCharge is the least charge that makes a row. Averages fade without ever becoming 0.
const leastCharge = 0.25

// any reports whether a number is large enough for a row. It is false for nil.
func (c *Charges) any() bool {
	if c == nil {
		return false
	}
	for _, v := range c.numbers() {
		if *v >= leastCharge {
			return true
		}
	}
	return false
}

// chargesOf returns the charges of a node, multiplied by times.
func chargesOf(x *gather.NodeExtra, times float64) Charges {
	return Charges{
		times * float64(x.Allocs), times * float64(x.AllocBytes),
		times * float64(x.Frees), times * float64(x.FreeBytes),
		times * float64(x.Units), times * float64(x.HeapObjects), times * float64(x.HeapBytes),
	}
}

// mostVariance bounds the variances of frames from elsewhere, in ticks squared. The error of a time is less than all of
// the time.
const mostVariance = 0x1p126

// validExtras reports whether a lane's extras belong to its nodes and are in their order, and whether their variances
// are in range.
func validExtras(l *gather.LaneFrame) bool {
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

// The columns of charges.
var (
	ownColumns  = []Column{ColumnAllocs, ColumnAllocBytes, ColumnFrees, ColumnFreeBytes}
	heapColumns = []Column{ColumnHeapObjects, ColumnHeapBytes}
	unitColumns = []Column{ColumnUnits, ColumnPerUnit}
)

// appendColumns appends the columns of the kinds seen.
func (k *chargeKinds) appendColumns(dst []Column) []Column {
	if k.own {
		dst = append(dst, ownColumns...)
	}
	if k.heap {
		dst = append(dst, heapColumns...)
	}
	if k.units {
		dst = append(dst, unitColumns...)
	}
	return dst
}

// charge sets a record's charges. A record shows nothing in place of a charge that is 0.
func (out *Record) charge(c *Charges, hier float64) {
	if c == nil {
		return
	}
	out.set(c.Allocs, ColumnAllocs)
	out.set(c.AllocBytes, ColumnAllocBytes)
	out.set(c.Frees, ColumnFrees)
	out.set(c.FreeBytes, ColumnFreeBytes)
	out.set(c.HeapObjects, ColumnHeapObjects)
	out.set(c.HeapBytes, ColumnHeapBytes)
	out.set(c.Units, ColumnUnits)
	if c.Units > 0 {
		out.set(hier*1e6/c.Units, ColumnPerUnit)
	}
}

func (out *Record) set(v float64, c Column) {
	if v != 0 {
		out.Values[c] = v
		out.Mask.add(c)
	}
}
