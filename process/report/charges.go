package report

import "example.com/iprof/gather"

// Charges are the numbers of a stack other than its time: bytes of the program's own arenas and pools (Alloc, Free),
// units of work (Units), and in some modes allocations on the Go heap. They are whole numbers in a frame, and may be
// fractions in averages.
type Charges struct {
	Allocs, AllocBytes     float64
	Frees, FreeBytes       float64
	Units                  float64
	HeapObjects, HeapBytes float64
}

// numCharges is the number of fields of Charges.
const numCharges = 7

// Numbers returns pointers to all fields.
func (c *Charges) Numbers() [numCharges]*float64 {
	return [numCharges]*float64{&c.Allocs, &c.AllocBytes, &c.Frees, &c.FreeBytes, &c.Units,
		&c.HeapObjects, &c.HeapBytes}
}

// Add adds the charges of another stack.
func (c *Charges) Add(from *Charges) {
	to := c.Numbers()
	for i, v := range from.Numbers() {
		*to[i] += *v
	}
}

// Ease moves each number by a part of its distance to the goal.
func (c *Charges) Ease(part float64, goal *Charges) {
	to := c.Numbers()
	for i, v := range goal.Numbers() {
		*to[i] += part * (*v - *to[i])
	}
}

// leastCharge is the least charge that makes a row. Averages fade without ever becoming 0.
const leastCharge = 0.25

// Any reports whether a charge is large enough for a row. It is false for nil.
func (c *Charges) Any() bool {
	if c == nil {
		return false
	}
	for _, v := range c.Numbers() {
		if *v >= leastCharge {
			return true
		}
	}
	return false
}

// ChargesOf returns the charges of a node.
func ChargesOf(x *gather.NodeExtra) Charges {
	return Charges{
		float64(x.Allocs), float64(x.AllocBytes), float64(x.Frees), float64(x.FreeBytes),
		float64(x.Units), float64(x.HeapObjects), float64(x.HeapBytes),
	}
}

// The columns of charges.
var (
	OwnColumns  = []Column{ColumnAllocs, ColumnAllocBytes, ColumnFrees, ColumnFreeBytes}
	HeapColumns = []Column{ColumnHeapObjects, ColumnHeapBytes}
	UnitColumns = []Column{ColumnUnits, ColumnPerUnit}
)

// AddCharges sets a record's charges. A charge of 0 leaves its cell empty.
func (out *Record) AddCharges(c *Charges, hier float64) {
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
		out.Mask.Add(c)
	}
}
