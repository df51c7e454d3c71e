package eviction

import (
	"testing"

	"example.com/iprof/platform"
)

// The tree is full of nodes with so much time each; used are those that were used lately.
func TestTheColdestAreFreed(t *testing.T) {
	const nodes = 1000
	var h Hand
	freed, used := map[uint32]bool{}, map[uint32]bool{}
	took := func(i uint32) platform.Ticks { return platform.Ticks(i) * 1000 }
	for i := range uint32(nodes) {
		used[i] = i%10 == 0
	}
	for refused := 1; len(freed) < nodes/4; refused++ {
		if refused > 1_000_000 {
			t.Fatalf("got %d nodes freed after a million refused entries; want %d", len(freed), nodes/4)
		}
		if !h.Refuse() {
			continue
		}
		before := len(freed)
		for h.Looks(nodes) {
			i := h.Next(nodes)
			if freed[i] || used[i] {
				continue
			}
			if h.IsCold(took(i)) {
				freed[i] = true
				h.Freed()
			}
		}
		if len(freed)-before > refusals/2 {
			t.Fatalf("got %d nodes freed by one move; want at most %d", len(freed)-before, refusals/2)
		}
	}
	warmest, coldest := platform.Ticks(0), platform.MaxTicks // of those freed, of those kept
	for i := range uint32(nodes) {
		switch {
		case freed[i] && used[i]:
			t.Errorf("node %d: got it freed; want it kept, as it was used", i)
		case freed[i]:
			warmest = max(warmest, took(i))
		case !used[i]:
			coldest = min(coldest, took(i))
		}
	}
	if warmest > warmer*coldest {
		t.Errorf("got a node of %d ticks freed, and one of %d kept; want the colder ones freed first", warmest, coldest)
	}
}

// A node is taken once the events that refer to it are overwritten, the oldest first.
func TestVacanciesAreTakenOnceTheirEventsAreOverwritten(t *testing.T) {
	var v Vacancies
	gone := uint64(0)
	overwrote := func(position uint64) bool { return position <= gone }
	if v.Any(overwrote) {
		t.Fatal("got a node; want none")
	}
	for i := range uint32(3) {
		v.Put(10+i, 5*uint64(i))
	}
	for i := range uint32(3) {
		if gone = 5*uint64(i) - min(uint64(i), 1); v.Any(overwrote) != (i == 0) {
			t.Fatalf("%d events overwritten: got %t; want %t", gone, v.Any(overwrote), i == 0)
		}
		if waits := v.Waits(1, overwrote); waits != (i < 2) {
			t.Fatalf("%d events overwritten: got %t, more than one node waits; want %t", gone, waits, i < 2)
		}
		gone = 5 * uint64(i)
		if !v.Any(overwrote) || v.Take() != 10+i {
			t.Fatalf("%d events overwritten: got no node, or another one; want %d", gone, 10+i)
		}
	}
}

// A hand that frees one node in fewFreed, round after round, gets colder. One that frees less gets warmer, up to a
// limit.
func TestRoundsThatFreeFewTakeWarmerNodes(t *testing.T) {
	const nodes = 80
	warmest := func(h *Hand) (most platform.Ticks) {
		for most = 1; h.IsCold(most); most *= 2 {
		}
		return most / 2
	}
	round := func(h *Hand, frees int) {
		for i := range nodes {
			if h.Next(nodes); i < frees {
				h.Freed()
			}
		}
	}
	for frees, warms := range map[int]bool{nodes / fewFreed: false, nodes/fewFreed - 1: true} {
		var h Hand
		for range 4 {
			round(&h, 0)
		}
		for i := range 3 {
			before := warmest(&h)
			round(&h, frees)
			now := warmest(&h)
			want := before * warmer
			if warms && now != want || !warms && now != before/warmer {
				t.Errorf("round %d with %d of %d freed: got %d ticks after %d", i, frees, nodes, now, before)
			}
		}
	}
	var h Hand
	for range 100 {
		round(&h, 0)
	}
	if got := warmest(&h); got < mostCold || got > mostCold*warmer {
		t.Errorf("got %d ticks after rounds that freed nothing; want about %d", got, mostCold)
	}
}
