package numbers

// Large has the numbers that do not fit 31 bits, by index. The lower halves of all numbers are the caller's. The zero
// value has none.
type Large map[uint32]uint64

// leastLarge is the least number that Set keeps. It is half of the largest step between two calls of Set.
const leastLarge = 1 << 31

// IsLarge reports whether Set keeps a number.
func IsLarge(n uint64) bool { return n >= leastLarge }

// With returns number i with the lower half given. It is not below the last number set.
func (l Large) With(i, low uint32) uint64 {
	was := l[i]
	return was + uint64(low-uint32(was))
}

// Set sets number i.
func (l *Large) Set(i uint32, n uint64) {
	if !IsLarge(n) {
		delete(*l, i)
		return
	}
	if *l == nil {
		*l = make(Large)
	}
	(*l)[i] = n
}
