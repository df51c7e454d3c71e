// Generic functions and methods, and iterators over functions.
package main

import (
	"fmt"
	"iter"
)

type number interface{ ~int | ~float64 }

type list[T number] struct{ items []T }

func (l *list[T]) sum() (s T) {
	for v := range l.all() {
		s += v
	}
	return s
}

func (l *list[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, v := range l.items {
			if !yield(v) {
				return
			}
		}
	}
}

func each[K comparable, V any](m map[K]V, f func(K, V)) {
	for k, v := range m {
		f(k, v)
	}
}

func find(l *list[int], want int) int {
	for v := range l.all() {
		if v == want {
			return v
		}
	}
	return -1
}

func main() {
	ints := &list[int]{[]int{1, 2, 3}}
	floats := &list[float64]{[]float64{1, 2.5}}
	each(map[string]int{"a": 1}, func(k string, v int) { fmt.Println(k, v) })
	next, stop := iter.Pull(ints.all())
	defer stop()
	first, _ := next()
	sum := ints.sum
	fmt.Println(sum(), floats.sum(), find(ints, 2), first)
}
