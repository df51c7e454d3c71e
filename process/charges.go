package process

import (
	"math"

	"example.com/iprof/gather"
)

// Charges are what a stack of zones did besides taking time: bytes of the program's own arenas and pools (Alloc, Free), units
// of work (Units) and, by choice, the Go heap's. Whole numbers, but fractions in averages.
type Charges struct {
	Allocs, AllocBytes     float64
	Frees, FreeBytes       float64
	Units                  float64
	HeapObjects, HeapBytes float64
}

// numCharges is how many numbers Charges are.
const numCharges = 7

// numbers returns the numbers one by one, for what is done to all of them.
func (c *Charges) numbers() [numCharges]*float64 {
	return [numCharges]*float64{&c.Allocs, &c.AllocBytes, &c.Frees, &c.FreeBytes, &c.Units, &c.HeapObjects, &c.HeapBytes}
}

// Add adds what another stack did.
func (c *Charges) Add(from *Charges) {
	to := c.numbers()
	for i, v := range from.numbers() {
		*to[i] += *v
	}
}

// ease moves each number a part of the way to its goal.
func (c *Charges) ease(part float64, goal *Charges) {
	to := c.numbers()
	for i, v := range goal.numbers() {
		*to[i] += part * (*v - *to[i])
	}
}

// chargesOf returns what a node did, counted so many times.
func chargesOf(x *gather.NodeExtra, times float64) Charges {
	return Charges{
		times * float64(x.Allocs), times * float64(x.AllocBytes), times * float64(x.Frees), times * float64(x.FreeBytes),
		times * float64(x.Units), times * float64(x.HeapObjects), times * float64(x.HeapBytes),
	}
}

// mostVariance bounds the variances of frames from elsewhere, in ticks squared: a node's time cannot be off by more than there is.
const mostVariance = 0x1p126

// validExtras reports whether a lane's extras are of its nodes, in their order, and their variances some.
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

// charged is where the charges of paths, zones and rows are: few have any, so a value has only a place in this list, 0 for
// none.
type charged []Charges

func (l *charged) reset() { *l = append((*l)[:0], Charges{}) }

// add adds to what a place has, giving it one if it is 0.
func (l *charged) add(to *int32, c *Charges) {
	if *to == 0 {
		*to = int32(len(*l))
		*l = append(*l, Charges{})
	}
	(*l)[*to].Add(c)
}

// merge adds one place's charges to another's.
func (l *charged) merge(to *int32, from int32) {
	if from != 0 {
		c := (*l)[from]
		l.add(to, &c)
	}
}

// at returns what a place has, nil for none.
func (l charged) at(place int32) *Charges {
	if place == 0 {
		return nil
	}
	return &l[place]
}

// charge adds what the paths did besides in another frame of the lens.
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

// The kinds of charges a session has seen: their columns are shown from then on.
type chargeKinds struct{ own, heap, units bool }

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

// charge sets a record's values of what the row did besides taking time. A row without shows nothing there.
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
		out.Mask |= 1 << c
	}
}

// smoothedCharges are the moving averages of the paths that ever had charges.
type smoothedCharges struct {
	at   map[int32]int32 // path -> place in list
	list []smoothedCharge
}

type smoothedCharge struct {
	path int32
	mean [averages]Charges
}

// meet makes room for paths that have charges for the first time.
func (l *smoothedCharges) meet(values []value, frame charged) {
	if len(frame) < 2 {
		return
	}
	for i := range values {
		if _, known := l.at[int32(i)]; known || values[i].extra == 0 {
			continue
		}
		if l.at == nil {
			l.at = make(map[int32]int32)
		}
		l.at[int32(i)] = int32(len(l.list))
		l.list = append(l.list, smoothedCharge{path: int32(i)})
	}
}

// charge takes in what the paths did besides in a frame; it comes after add, whose weights it uses.
func (m *smoother) charge(seconds float64, t *tree, values []value, frame charged) {
	l := &m.extra
	l.meet(values, frame)
	if len(l.list) == 0 {
		return
	}
	var keep [averages]float64
	for k := range keep {
		keep[k] = math.Pow(0.1, seconds/settling[k])
	}
	none := Charges{}
	for i := range l.list {
		c := &l.list[i]
		goal := frame.at(values[c.path].extra)
		if goal == nil {
			goal = &none
		}
		for k, weight := range m.zones[t.paths[c.path].zone].weight {
			if weight > 0 {
				c.mean[k].ease((1-keep[k])/weight, goal)
			}
		}
	}
}

// tiny averages of charges are none: they fall without ever becoming 0.
const tiny = 0.005

// fill gives the paths their averages in place of a frame's charges.
func (l *smoothedCharges) fill(values []value, to *charged, average Average) {
	if len(l.list) == 0 {
		return
	}
	to.reset()
	for i := range values {
		values[i].extra = 0
	}
	for i := range l.list {
		c := &l.list[i]
		mean := c.mean[average]
		large := false
		for _, v := range mean.numbers() {
			if large = large || *v >= tiny; *v < tiny {
				*v = 0
			}
		}
		if large && int(c.path) < len(values) {
			to.add(&values[c.path].extra, &mean)
		}
	}
}
