package draw

// groupSize is how many scopes, or groups of them, one group sums up.
const groupSize = 16

// group is what some scopes that follow each other are together.
type group struct {
	sum     float64 // ms
	most    float64 // ms of the longest
	longest int32   // which one that is
}

// sumUp makes the groups of scopes, those of groups, and so on.
func (t *timelineData) sumUp() {
	below := len(t.at)
	for power := 0; below > groupSize; power++ {
		if power == len(t.groups) {
			t.groups = append(t.groups, nil)
		}
		n := (below + groupSize - 1) / groupSize
		t.groups[power] = sized(t.groups[power], n)
		for i := range n {
			g := &t.groups[power][i]
			g.sum, g.most, g.longest = 0, -1, -1
			t.take(g, power-1, i*groupSize, min((i+1)*groupSize, below))
		}
		below = n
	}
}

// take adds some scopes, or some groups of a power, to a group.
func (t *timelineData) take(g *group, power, from, to int) {
	if power < 0 {
		g.takeScopes(t.at[from:to], from)
		return
	}
	for i := range t.groups[power][from:to] {
		o := &t.groups[power][from+i]
		g.sum += o.sum
		if o.most > g.most {
			g.most, g.longest = o.most, o.longest
		}
	}
}

func (g *group) takeScopes(at []times, first int) {
	sum, most, longest := g.sum, g.most, int(g.longest)
	for i := range at {
		ms := at[i].end - at[i].begin
		sum += ms
		if ms > most {
			most, longest = ms, first+i
		}
	}
	g.sum, g.most, g.longest = sum, most, int32(longest)
}

// together is what the scopes from one on, up to another, are together. Of equally long ones one is the longest.
func (t *timelineData) together(from, to int) group {
	g := group{most: -1, longest: int32(from)}
	for power := -1; from < to; power++ {
		if to-from <= 2*groupSize {
			t.take(&g, power, from, to)
			break
		}
		up, down := (from+groupSize-1)/groupSize, to/groupSize
		t.take(&g, power, from, up*groupSize)
		t.take(&g, power, down*groupSize, to)
		from, to = up, down
	}
	return g
}
