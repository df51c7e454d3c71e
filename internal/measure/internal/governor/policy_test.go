package governor

import (
	"testing"

	"example.com/iprof/platform"
)

// dear is a frame of 10,000 ticks in which measuring takes 1,100 where 200 are allowed.
var dear = Frame{Length: 10_000, Allowed: 200, Full: 1100, Pair: 1, Least: 4}

// nodes are one with many short entries, one with fewer, and two that are not worth demoting.
func nodes() []Node {
	return []Node{{Node: 4, Count: 2, Self: 10}, {Node: 9, Count: 300, Self: 600}, {Node: 2, Count: 700, Self: 700},
		{Node: 3, Count: 98, Self: 9000}}
}

func TestNodesWithTheMostEntriesAreDemoted(t *testing.T) {
	p := New()
	if p.Judge(dear) != Demote || !p.Demote(dear, nodes()) {
		t.Fatal("got no change; want demoted nodes")
	}
	for node, want := range map[uint32]bool{2: true, 9: true, 3: false, 4: false, 99: false} {
		if p.Wants(node) != want {
			t.Errorf("node %d: got demoted %t; want %t", node, p.Wants(node), want)
		}
	}
	if p.Self(9) != 2 || p.gap != 10 {
		t.Errorf("got a mean of %v, gaps of %v; want 2, 10", p.Self(9), p.gap)
	}
	if p.Demote(dear, nodes()) {
		t.Error("again: got a change; want none")
	}
	p.Spare(9)
	p.Spare(99)
	if p.Wants(9) || !p.Wants(2) || !p.Promote() || p.Promote() || p.Wants(2) {
		t.Error("got demoted nodes after all were promoted; want none")
	}
	p = New()
	p.Demote(dear, nodes())
	p.Spare(9)
	if p.Spare(2); p.Promote() {
		t.Error("got a change after each node was spared; want none")
	}
}

// Each of very many nodes is a small part of the cost, and all together are the most of it.
func TestVeryManyNodesAreDemoted(t *testing.T) {
	const many = 10_000
	frame := Frame{Length: 20 * many, Allowed: 4000, Full: 13 * many, Pair: 1, Least: 8}
	var all []Node
	for i := range uint32(many) {
		all = append(all, Node{Node: 2 * i, Count: 10, Self: 10}, Node{Node: 2*i + 1, Count: 3, Self: 3})
	}
	p := New()
	if !p.Demote(frame, all) || p.demotions < many*9/10 {
		t.Errorf("got %d nodes demoted; want most of %d", p.demotions, many)
	}
	if p.Wants(1) {
		t.Error("got a node with three entries demoted; want it timed, which takes less than the work for it")
	}
}

// Nodes stay timed exactly while that takes three tenths of the limit: 60 ticks here, of six nodes.
func TestExactTimesHaveAShareOfTheLimit(t *testing.T) {
	var all []Node
	for i := range uint32(100) {
		all = append(all, Node{Node: i, Count: 10, Self: 10})
	}
	p := New()
	if p.Demote(Frame{Length: 2000, Allowed: 200, Full: 1000, Pair: 1, Least: 8}, all); p.demotions != 94 {
		t.Errorf("got %d of 100 nodes demoted; want 94", p.demotions)
	}
}

// Counting saves a fifth of timing here, so a row of 700 entries pays, and one of 300 does not.
func TestNodesThatCountingSavesLittleStayTimed(t *testing.T) {
	frame, p := dear, New()
	frame.Counted, frame.Least = 0.8, 100
	if !p.Demote(frame, nodes()) || !p.Wants(2) || p.Wants(9) {
		t.Errorf("got demoted %t, %t; want the node with 700 entries, and not the one with 300", p.Wants(2), p.Wants(9))
	}
}

// TestDemotionsThatDoNotPayAreUndone has frames that save less than half of what two rows cost, with one among them
// that saves enough.
func TestDemotionsThatDoNotPayAreUndone(t *testing.T) {
	poor := dear
	poor.Least, poor.Saved = 400, 399
	rich := poor
	rich.Saved = 400
	p := New()
	p.Demote(dear, nodes())
	for i := range 2*Patience - 1 {
		frame := poor
		if i == Patience-1 {
			frame = rich
		}
		if got := p.Judge(frame); got == Promote {
			t.Fatalf("frame %d: got all promoted; want that after %d poor frames in a row", i, Patience)
		}
	}
	if got := p.Judge(poor); got != Promote {
		t.Errorf("after %d poor frames in a row: got %d; want all promoted", Patience, got)
	}
}

func TestSomeNodesAreNeverDemoted(t *testing.T) {
	p, all := New(), nodes()
	for i := range all {
		all[i].Never = true
	}
	if p.Demote(dear, all) {
		t.Error("got a change; want none")
	}
	if none := (*Policy)(nil); none.Wants(0) {
		t.Error("nil: got a demoted node")
	}
}

// TestChangesTakeTheirTime lets a change act, then takes cheap frames with one dear one among them.
func TestChangesTakeTheirTime(t *testing.T) {
	cheap := Frame{Length: 10_000, Allowed: 200, Full: 100, Pair: 1}
	saved := Frame{Length: 10_000, Allowed: 200, Full: 1100, Saved: 950, Pair: 1}
	p := New()
	p.Demote(dear, nodes())
	frames := []Frame{dear, dear, dear, saved, cheap, dear}
	actions := []Action{Leave, Leave, Demote, Leave, Leave, Demote}
	for range Patience - 1 {
		frames, actions = append(frames, cheap), append(actions, Leave)
	}
	frames, actions = append(frames, cheap), append(actions, Promote)
	for i, f := range frames {
		if got := p.Judge(f); got != actions[i] {
			t.Errorf("frame %d: got %d; want %d", i, got, actions[i])
		}
	}
}

func TestGapsAreRandomAroundTheirMean(t *testing.T) {
	p, random, sum := New(), Random(12345), 0.0
	p.Demote(dear, nodes())
	most := uint32(2 * (p.gap - 1) * float64(p.Length) * firstEntries * blockPairs)
	for range 10_000 {
		g := p.NextGap(&random)
		if g < 1 || g > most+1 {
			t.Fatalf("got a gap of %d; want 1 to %d", g, most+1)
		}
		sum += float64(g)
	}
	if mean := sum / 10_000; mean < 0.95*float64(most)/2 || mean > 1.05*float64(most)/2 {
		t.Errorf("got a mean of %v; want about %d", mean, most/2)
	}
}

// The node with the most entries goes first: where it is enough, the others stay timed.
func TestTheNodeWithTheMostEntriesIsDemotedFirst(t *testing.T) {
	frame, p := dear, New()
	frame.Allowed = 500 / exactShare // room for the other three, of 400 entries
	if !p.Demote(frame, nodes()) || !p.Wants(2) || p.Wants(9) {
		t.Errorf("got %t with 700 entries demoted, %t with 300; want only the first", p.Wants(2), p.Wants(9))
	}
}

// TestBurstsComparePairsOfBlocks runs bursts in which a timed entry takes 7 ticks and a counted one 2.
func TestBurstsComparePairsOfBlocks(t *testing.T) {
	by, plan := New(), Plan{Random: 99}
	by.Demote(dear, nodes())
	const bursts = 50
	var cost Ratio
	gap, timedFirst := plan.Restart(&by), 0
	for range bursts {
		if plan.Stage() != Gap || plan.Timed || gap < 1 {
			t.Fatalf("got stage %d, timed %t, a gap of %d; want a gap", plan.Stage(), plan.Timed, gap)
		}
		var order []bool
		for ended := false; !ended; {
			entries, _ := plan.Next(&by)
			if plan.Stage() != First || entries != max(by.Length/4, 1) {
				t.Fatalf("got stage %d of %d entries; want the first entries of a block", plan.Stage(), entries)
			}
			if entries, _ = plan.Next(&by); plan.Stage() != Block || entries != by.Length {
				t.Fatalf("got stage %d of %d entries; want a block", plan.Stage(), entries)
			}
			order = append(order, plan.Timed)
			took := 2 * float64(entries)
			if plan.Timed {
				took = 7 * float64(entries)
			}
			cost = plan.EndBlock(took, float64(entries), plan.Interrupted(took), false)
			if len(order) == 2*blockPairs {
				gap, ended = plan.Next(&by)
				if !ended {
					t.Fatalf("got more than %d blocks", 2*blockPairs)
				}
			}
		}
		for i := 0; i < len(order); i += 2 {
			if order[i] == order[i+1] {
				t.Fatalf("got blocks %v; want pairs of one timed and one counted", order)
			}
			if order[i] {
				timedFirst++
			}
		}
	}
	if timedFirst < bursts || timedFirst > bursts*blockPairs-bursts {
		t.Errorf("got %d of %d pairs with the timed block first; want about half", timedFirst, bursts*blockPairs)
	}
	if got := cost.Mean(); got < 4.99 || got > 5.01 || cost.Bursts < 100 {
		t.Errorf("got a cost of %v by %v pairs; want 5 by most of %d", got, cost.Bursts, bursts*blockPairs)
	}
}

// TestAStartCostsMoreThanAClockSees adds a start that two readings saw 60 ticks of, and one that was interrupted.
func TestAStartCostsMoreThanAClockSees(t *testing.T) {
	c := Calibration{Pair: 30 * Fraction}
	var s Slow
	s.AddStart(1000, 1060, c)
	if got := s.Since(true); got != 100 {
		t.Errorf("60 ticks of a start: got %d; want 100", got)
	}
	s.AddStart(2000, 900_000, c)
	if got := s.Since(true); got != 32*30*10/6 {
		t.Errorf("an interrupted start: got %d ticks; want what 32 pairs take, and what the clock did not see", got)
	}
	s.AddStart(2000, 1900, c)
	if got := s.Since(true); got != 0 {
		t.Errorf("a clock that went back: got %d ticks; want none", got)
	}
}

// TestAFirstEntryCostsMoreThanAClockSees plants first entries of stacks, of which two readings see a share. The sum is
// their whole cost. A page that the system clears is part of it, and a lost processor is not.
func TestAFirstEntryCostsMoreThanAClockSees(t *testing.T) {
	c := Calibration{Pair: 30 * Fraction}
	for planted, want := range map[platform.Ticks]platform.Ticks{500: 500, 9_000: 9_000, 900_000: 256 * 30 * 10 / 8} {
		var s Slow
		s.AddFirst(1000, 1000+planted*8/10, c)
		if got := s.Since(true); got != want {
			t.Errorf("a first entry of %d ticks: got %d; want %d", planted, got, want)
		}
	}
}
