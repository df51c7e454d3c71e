package pprofread

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"sort"
	"time"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/protobuf"
)

// Stack is the time of a program in a stack of functions.
type Stack struct {
	Places []Place // the outermost first
	Time   time.Duration
}

// Stacks reads the stacks of an uncompressed profile in a deterministic order, and the type of their times, such as
// "cpu". It chooses the times and returns errors as Read.
func Stacks(in io.Reader, sample string, account *budget.Account) (typ string, list []Stack, err error) {
	r := reader{account: account, functions: map[uint64]function{}, locations: map[uint64]uint64{},
		leaves: map[uint64][]uint64{}, stacks: map[string][]uint64{}, outer: map[uint64][]uint64{}}
	if err := r.read(bufio.NewReader(in)); err != nil {
		return "", nil, err
	}
	at, unit, err := r.column(sample)
	if err != nil {
		return "", nil, err
	}
	for key, values := range r.stacks {
		if len(values) != len(r.types) {
			return "", nil, protobuf.ErrDamaged
		}
		s := Stack{Time: times(values[at], unit)}
		for b := []byte(key); len(b) > 0; {
			id, n := binary.Uvarint(b)
			b = b[n:]
			for _, f := range append([]uint64{r.locations[id]}, r.outer[id]...) {
				s.Places = append(s.Places, Place{r.text(r.functions[f].name), r.text(r.functions[f].file)})
			}
		}
		slices.Reverse(s.Places)
		list = append(list, s)
		r.hold(textSize * len(s.Places))
	}
	sort.SliceStable(list, func(i, k int) bool {
		return slices.CompareFunc(list[i].Places, list[k].Places, func(a, b Place) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
		}) < 0
	})
	return r.text(r.types[at][0]), list, r.over
}

// addStack adds the values to the stack.
func (r *reader) addStack(stack, values []uint64) error {
	var key []byte
	for _, id := range stack {
		key = binary.AppendUvarint(key, id)
	}
	sums := r.stacks[string(key)]
	if sums == nil {
		sums = make([]uint64, len(values))
		r.stacks[string(key)] = sums
		r.hold(entrySize + len(key) + 8*len(values))
	}
	if len(sums) != len(values) {
		return protobuf.ErrDamaged
	}
	for i, v := range values {
		sums[i] += v
	}
	return nil
}
