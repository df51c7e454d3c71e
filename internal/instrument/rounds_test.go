package instrument_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"path/filepath"

	"example.com/iprof/internal/instrument"
)

// loopsOverIterators has a function for each way of a loop over an iterator. Each works in the body of its loop alone,
// a hundred times as much as light does. The iterators do nothing themselves.
const loopsOverIterators = `package main

import (
	"fmt"
	"iter"
)

type tree struct {
	left, right *tree
	key         int
}

func (t *tree) all() iter.Seq[int] { return func(yield func(int) bool) { t.push(yield) } }

func (t *tree) push(yield func(int) bool) bool {
	return t == nil || t.left.push(yield) && yield(t.key) && t.right.push(yield)
}

func (t *tree) method(yield func(int, string) bool) {
	for i := range 100 {
		if !yield(i, "") {
			return
		}
	}
}

func keep(seq iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range seq {
			if !yield(v) {
				return
			}
		}
	}
}

func made(n int) *tree {
	if n == 0 {
		return nil
	}
	return &tree{made(n / 2), made(n / 3), n}
}

var sum uint64

func simple(t *tree) {
	for range t.all() {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

func light(t *tree) {
	for range t.all() {
		for i := range uint64(2000) {
			sum = sum*31 + i
		}
	}
}

func adapted(t *tree) {
	for k := range keep(keep(t.all())) {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
		if k == 1 {
			continue
		}
	}
}

func byMethod(t *tree) {
	for range t.method {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

func nested(t *tree) {
outer:
	for range t.all() {
		for range t.method {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
			if sum != 0 {
				continue outer
			}
		}
	}
}

func left(t *tree) int {
	for range 20 {
		for range t.all() {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
			break
		}
	}
	for range t.all() {
		for range 20 {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
		}
		return 1
	}
	return 0
}

func panics(t *tree) {
	defer func() { _ = recover() }()
	for range t.all() {
		defer fmt.Sprint()
		for range 40 {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
		}
		panic(1)
	}
}

func generic[T any](seq iter.Seq[T]) {
	for range seq {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

// alone waits while its values are used: iter.Pull gives it a goroutine.
func (t *tree) alone() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 60 {
			if !yield(i) {
				return
			}
		}
	}
}

func pulled(t *tree) {
	next, stop := iter.Pull(t.alone())
	defer stop()
	for {
		if _, ok := next(); !ok {
			return
		}
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

var literal = func(t *tree) {
	for range t.all() {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

func main() {
	t := made(60)
	simple(t)
	light(t)
	adapted(t)
	byMethod(t)
	nested(t)
	left(t)
	panics(t)
	generic(t.all())
	pulled(t)
	literal(t)
	print("ended")
}
`

// TestBodiesOfLoopsBelongToTheirFunctions: what a loop over an iterator does is the time of the function with the loop,
// and not of the iterator.
func TestBodiesOfLoopsBelongToTheirFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": loopsOverIterators})
	plan := planned(t, dir, instrument.Options{})
	program := filepath.Join(built(t, dir, plan), "user")
	if got := endOf(exec.Command(program)); got != "endedended well" && got != "ended well" {
		t.Logf("it ends with %q", got)
	}
	text := reported(t, program)
	const times, number = `[\d.-]+ +`, `[\d.]+[MGk]? +\d+ +\d+ +`
	row := regexp.MustCompile(`(?m)^ +` + times + `(?:- +)?([\d.]+) +` + number +
		`([a-z]\S*|\(\*tree\)\S*)(?: func:\d+)?  `)
	self := map[string]float64{}
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		ms, _ := strconv.ParseFloat(m[1], 64)
		self[m[2]] += ms
	}
	least := self["light"]
	for _, name := range []string{"simple", "adapted", "byMethod", "nested", "left", "panics", "generic", "pulled"} {
		if self[name] < 10*least {
			t.Errorf("%s has %v ms of its own, and light %v; want about a hundred times as much:\n%s", name, self[name],
				least, text)
		}
	}
	for _, name := range []string{"(*tree).all", "(*tree).push", "(*tree).method", "keep"} {
		if self[name] > self["simple"]/10 {
			t.Errorf("the iterator %s has %v ms of its own, and simple %v:\n%s", name, self[name], self["simple"], text)
		}
	}
}
