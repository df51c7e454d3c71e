package report

import (
	"slices"

	"example.com/iprof/process/internal/resize"
)

// rowID identifies a row in successive reports.
type rowID struct {
	zone  ZoneID
	path  int32
	depth int
	group Group
}

func idOf(r *Record) rowID { return rowID{r.Zone, r.Path, r.Depth, r.Group} }

// slot is a small number that few rows share: the number of the path, or of the zone if the row sums several paths.
func (id *rowID) slot() int {
	if id.path >= 0 {
		return int(id.path)
	}
	return int(max(id.zone, 0))
}

// places holds the rows of an order. It finds the place of a row without a search through all rows.
type places struct {
	keys     []rowID // by position
	first    []int32 // by slot: the first position, or -1
	next     []int32 // by position: the next one with the same slot, or -1
	compared int     // number of keys compared
}

// set stores the place of each row.
func (p *places) set(index []int32, records []Record) {
	p.keys, p.next = p.keys[:0], resize.To(p.next, len(index))
	slots := 0
	for _, i := range index {
		id := idOf(&records[i])
		p.keys, slots = append(p.keys, id), max(slots, id.slot()+1)
	}
	p.first = resize.To(p.first, slots)
	for i := range p.first {
		p.first[i] = -1
	}
	for at := range slices.Backward(p.keys) {
		slot := p.keys[at].slot()
		p.next[at], p.first[slot] = p.first[slot], int32(at)
	}
}

// find returns the place of a row that no record has yet, or -1. records has the record of each place, or -1. near is
// the place to try first.
func (p *places) find(id rowID, records []int32, near int) int {
	if near < len(p.keys) {
		if p.compared++; records[near] < 0 && p.keys[near] == id {
			return near
		}
	}
	slot := id.slot()
	if slot >= len(p.first) {
		return -1
	}
	for at := p.first[slot]; at >= 0; at = p.next[at] {
		if p.compared++; records[at] < 0 && p.keys[at] == id {
			return int(at)
		}
	}
	return -1
}

// merge appends the records of an index to dst, and also each record that the index lacks, after the record before it.
// If the first record is new, it comes first, or second with keepFirst.
func merge(dst, index []int32, fresh []bool, keepFirst bool) []int32 {
	follow := func(i int32) {
		for dst = append(dst, i); int(i)+1 < len(fresh) && fresh[i+1]; i++ {
			dst = append(dst, i+1)
		}
	}
	if leads := len(fresh) > 0 && fresh[0]; leads && keepFirst && len(index) > 0 {
		follow(index[0])
		index = index[1:]
		follow(0)
	} else if leads {
		follow(0)
	}
	for _, i := range index {
		follow(i)
	}
	return dst
}

// idleLast moves the idle records behind the others. Both groups keep their order. scratch is overwritten.
func idleLast(index, scratch []int32, records []Record) (sorted, rest []int32) {
	sorted = scratch[:0]
	for _, late := range [...]bool{false, true} {
		for _, i := range index {
			if records[i].Idle == late {
				sorted = append(sorted, i)
			}
		}
	}
	return sorted, index
}
