// Package main has functions whose names say whether they hold a wait in their own time.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

type node struct {
	kids []*node
	n    int
	mu   sync.Mutex
	do   func()
}

type shape interface{ area() float64 }

type square struct{ side float64 }

func (s square) area() float64 { return s.side * s.side }

type byN []*node

func (b byN) Len() int           { return len(b) }
func (b byN) Less(i, j int) bool { return b[i].n < b[j].n }
func (b byN) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type slowOrder struct{ byN }

func (s slowOrder) Less(i, j int) bool { os.Getwd(); return s.byN[i].n < s.byN[j].n }

type number interface{ ~int | ~float64 }

func computesSum[T number](list []T) (sum T) {
	for _, x := range list {
		sum += x
	}
	return sum
}

func computesSort(list []*node) {
	for range 2 {
		sort.Sort(byN(list))
	}
	sort.Slice(list, func(i, j int) bool { return list[i].n > list[j].n })
}

func computesKeys(m map[string]int) int {
	n := 0
	for _, k := range slices.Sorted(maps.Keys(m)) {
		n += len(k)
	}
	return n
}

func computesText(list []string) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s,%d", s, int(math.Sqrt(9)))
	}
	return b.String()
}

func computesHash(p []byte) (sum [32]byte) {
	h := sha256.New()
	for range 3 {
		h.Write(p)
	}
	copy(sum[:], h.Sum(nil))
	return
}

func computesTree(n *node) int {
	sum := n.n
	for _, k := range n.kids {
		sum += computesTree(k)
	}
	return sum
}

func computesBySelf(n *node) int {
	var visit func(n *node) int
	visit = func(n *node) int {
		sum := n.n
		for _, k := range n.kids {
			sum += visit(k)
		}
		return sum
	}
	for range 2 {
		n.n += visit(n)
	}
	return n.n
}

func computesAroundWaits(c chan int, group *sync.WaitGroup) (sum int) {
	for v := range c {
		sum += v
	}
	for range 3 {
		v, ok := <-c
		if ok {
			sum += v
		}
		sum += <-c * 2
	}
	for range 2 {
		select {
		case v := <-c:
			sum += v
		case c <- sum:
			sum++
		}
		c <- 1
	}
	group.Wait()
	time.Sleep(1)
	for range 2 {
		select {
		case v := <-c:
			sum += v
		default:
		}
	}
	return sum
}

func computesAroundACommand() (n int) {
	for range 2 {
		out, _ := exec.Command("true").Output()
		n += len(out)
	}
	return n
}

func computesAroundAServer(addresses []string) (err error) {
	for _, a := range addresses {
		err = http.ListenAndServe(a, nil)
		server := &http.Server{Addr: a}
		err = errors.Join(err, server.ListenAndServe())
	}
	return err
}

func computesAroundZones(n *node, s shape) (sum float64) {
	for range 2 {
		waitsForAShape(s)
		sum++
	}
	return sum
}

func computesAndStarts(c chan int) {
	for range 2 {
		go func() { c <- 1 }()
		go waitsForALock(nil)
	}
}

func computesErrors(err error) (text string) {
	for range 2 {
		if errors.Is(err, io.EOF) {
			text += err.Error()
		}
	}
	return text
}

func computesDeferred(n *node) (sum int) {
	defer func() { sum *= 2 }()
	for i := range 9 {
		sum += i
	}
	return sum
}

func waitsForAShape(s shape) (sum float64) {
	for range 2 {
		sum += s.area()
	}
	return sum
}

func waitsForAValue(do func()) {
	for range 2 {
		do()
	}
}

func waitsForAField(n *node) {
	for range 2 {
		n.do()
	}
}

func waitsForALock(n *node) {
	for range 2 {
		n.mu.Lock()
		n.n++
		n.mu.Unlock()
	}
}

func waitsForAFile(name string) (n int) {
	for range 2 {
		p, _ := os.ReadFile(name)
		n += len(p)
	}
	return n
}

func waitsForAReader(r io.Reader) (n int) {
	for s := bufio.NewScanner(r); s.Scan(); {
		n += len(s.Bytes())
	}
	return n
}

func waitsToPrint(n int) {
	for i := range n {
		fmt.Println(i)
	}
}

func waitsForAWriter(w io.Writer) {
	for i := range 2 {
		fmt.Fprint(w, i)
	}
}

func waitsForShort(n *node) {
	for range 2 {
		short(n)
	}
}

func waitsToSort(list []*node) {
	for range 2 {
		sort.Sort(slowOrder{byN(list)})
	}
}

func waitsForACopy(b *bytes.Buffer) {
	for range 2 {
		io.Copy(b, os.Stdin)
	}
}

func waitsDeferred(n *node) (sum int) {
	defer short(n)
	for i := range 9 {
		sum += i
	}
	return sum
}

func waitsForAnIterator(seq func(func(int) bool)) (sum int) {
	for x := range seq {
		sum += x
	}
	return sum
}

func waitsWithAGoto(c chan int) (sum int) {
again:
	sum++
	select {
	case v := <-c:
		sum += v
		if sum < 9 {
			goto again
		}
	case <-time.After(1):
	}
	for range 2 {
		sum++
	}
	return sum
}

func short(n *node) { n.mu.Lock(); n.n++; n.mu.Unlock() }

func main() {}

// waitsInACase calls what may wait, for the channel of a case.
func waitsInACase(next func() chan int) (n int) {
	for range 9 {
		select {
		case v := <-next():
			n += v
		default:
			n--
		}
	}
	return n
}
