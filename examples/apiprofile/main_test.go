package main

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The program runs, and says of every worker how it used the pool.
func TestOutput(t *testing.T) {
	out, err := exec.Command("go", "run", ".", "-for", "400ms", "-every", "150ms").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	line := regexp.MustCompile(`^on "(worker [1-4])" zone "memory pool": \d+\.\d{3}/\d+ ms \d+\.\d% \d+x$`)
	var workers []string
	for text := range strings.Lines(string(out)) {
		parts := line.FindStringSubmatch(strings.TrimSuffix(text, "\n"))
		if parts == nil {
			t.Fatalf("got line %q; want it like %s", text, line)
		}
		workers = append(workers, parts[1])
	}
	slices.Sort(workers)
	if got := strings.Join(slices.Compact(workers), ", "); got != "worker 1, worker 2, worker 3, worker 4" {
		t.Errorf("got lines of %s; want all four workers:\n%s", got, out)
	}
}

func TestPoolKeepsBlocks(t *testing.T) {
	p := newPool(2, 16)
	a := p.Get()
	a[0] = 7
	b := p.Grow(a, 100)
	if len(b) != 100 || b[0] != 7 {
		t.Errorf("grown: got %d bytes, first %d; want 100, 7", len(b), b[0])
	}
	for range 3 {
		p.Put(make([]byte, 16))
	}
	if len(p.free) != 2 {
		t.Errorf("got %d free blocks; want the 2 it keeps", len(p.free))
	}
}
