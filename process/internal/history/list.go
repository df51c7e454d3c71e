package history

import "unsafe"

// StockBytes is about the memory that is taken ahead per frame.
const StockBytes = 16 << 10

// blockLength is the number of values in a block of a List.
const blockLength = 32

// List is a list that grows block by block. So it never moves its values, and each growth takes little time.
type List[T any] struct {
	blocks []*[blockLength]T
	n      int
}

// Len returns the number of values.
func (l *List[T]) Len() int { return l.n }

// At returns the value at an index below Len.
func (l *List[T]) At(i int) *T { return &l.blocks[uint(i)/blockLength][uint(i)%blockLength] }

// Grow adds zero values if there are fewer than n. It returns the number of values before.
func (l *List[T]) Grow(n int) (before int) {
	before = l.n
	for len(l.blocks)*blockLength < n {
		l.blocks = append(l.blocks, new([blockLength]T))
	}
	l.n = max(l.n, n)
	return before
}

// Stock takes memory ahead for n values while ahead is above 0. It subtracts the bytes from ahead. It writes the
// memory, so that the system maps the pages now: the first write to a page costs as much as hundreds of values.
func (l *List[T]) Stock(n int, ahead *int) {
	for len(l.blocks)*blockLength < n && *ahead > 0 {
		block := new([blockLength]T)
		clear(block[:])
		l.blocks = append(l.blocks, block)
		*ahead -= int(unsafe.Sizeof(*block))
	}
}
