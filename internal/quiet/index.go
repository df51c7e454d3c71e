package quiet

// Index finds numbers by addresses. It is used in place of a map, and forgets nothing. The zero value is empty. A lock
// of the caller guards it.
type Index struct {
	places []place // a power of two; a quarter is free at least
	used   int
}

type place struct {
	address uintptr // 0 is free
	number  int32
}

const firstPlaces = 16

// Find returns the number of an address. known is false without one.
func (x *Index) Find(address uintptr) (number int32, known bool) {
	if x.used == 0 {
		return 0, false
	}
	p := x.at(address)
	return p.number, p.address != 0
}

// Set gives an address, which is not 0, a number.
func (x *Index) Set(address uintptr, number int32) {
	if x.used >= len(x.places)/4*3 {
		x.grow()
	}
	p := x.at(address)
	if p.address == 0 {
		x.used++
	}
	*p = place{address, number}
}

// at returns the place of an address, or the free one where it belongs.
func (x *Index) at(address uintptr) *place {
	const mix = 0x9E3779B97F4A7C15
	last := len(x.places) - 1
	for i := int(uint64(address) * mix >> 32); ; i++ {
		if p := &x.places[i&last]; p.address == address || p.address == 0 {
			return p
		}
	}
}

func (x *Index) grow() {
	old := x.places
	x.places = make([]place, max(2*len(old), firstPlaces))
	for _, p := range old {
		if p.address != 0 {
			*x.at(p.address) = p
		}
	}
}
