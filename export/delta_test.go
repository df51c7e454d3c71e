package export_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/process/report"
)

// byStack sums the nodes of all lanes by stack.
func byStack(d *report.Dump) map[string]slice {
	sums := map[string]slice{}
	for _, l := range d.Lanes {
		for i := range l.Nodes {
			key := ""
			for at := i; at >= 0; at = int(l.Nodes[at].Parent) {
				key += string(rune('a' + l.Nodes[at].Zone))
			}
			n := &l.Nodes[i]
			sums[key] = slice{sums[key].ns + int64(math.Round(n.Self*1e6)), sums[key].calls + int64(n.Count)}
		}
	}
	return sums
}

// later returns a dump some time after another: nodes have grown, there are new ones, and the second lane has ended.
// The first lane has got what it had.
func later(d *report.Dump, r *rand.Rand) (*report.Dump, map[string]slice) {
	after, more := *d, random(r.Uint64())
	after.RunTime += time.Second
	after.Lanes = nil
	for _, l := range d.Lanes {
		l.Nodes = append([]report.TreeNode(nil), l.Nodes...)
		after.Lanes = append(after.Lanes, l)
	}
	first := &after.Lanes[0]
	take := func(l *report.LaneTree) {
		base := int32(len(first.Nodes))
		for _, n := range l.Nodes {
			if n.Parent >= 0 {
				n.Parent += base
			}
			first.Nodes = append(first.Nodes, n)
		}
	}
	if len(after.Lanes) > 1 {
		take(&after.Lanes[1])
		after.Lanes = append(after.Lanes[:1], after.Lanes[2:]...)
	}
	more.Lanes = more.Lanes[:1]
	take(&more.Lanes[0])
	return &after, byStack(more)
}

// TestDeltasAreExact: the difference of two dumps has what was added between them, to the nanosecond and the call, and
// no negative time. It holds also if a lane has ended and another has its time.
func TestDeltasAreExact(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		before := random(seed)
		after, want := later(before, r)
		d := export.Delta(before, after)
		got := byStack(d)
		for _, m := range []map[string]slice{got, want} {
			maps.DeleteFunc(m, func(_ string, s slice) bool { return s == slice{} })
		}
		if !maps.Equal(got, want) || d.RunTime != time.Second {
			t.Fatalf("seed %d: %v: got %v; want %v", seed, d.RunTime, got, want)
		}
		for _, l := range d.Lanes {
			for _, n := range l.Nodes {
				if n.Self < 0 || n.Count < 0 {
					t.Fatalf("seed %d: %+v is negative", seed, n)
				}
			}
		}
		if reset := export.Delta(after, before); !maps.Equal(byStack(reset), byStack(before)) {
			t.Fatalf("seed %d: after a Reset the result is not the second dump", seed)
		}
	}
}
