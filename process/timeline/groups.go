package timeline

import (
	"sort"

	"example.com/iprof/process/report"
)

// Group has the goroutines that one go statement started: see Crowd. Or it has many named goroutines: those with names
// of one pattern, or the rest. Its load is the number of goroutines that worked at once, in zones that are not idle.
type Group struct {
	Name  string        // the go statement: "main.serve server.go:42"; the pattern: "worker *"; or OtherGoroutines
	Named bool          // of named goroutines, so Name is no go statement
	First report.LaneID // the lowest ID so far: the place of the group among the lanes
	Lanes int           // number in Timeline.Bands; below MinGroup, the lanes are shown singly
	Most  int           // greatest load in the frames shown
	Zone  report.ZoneID // outermost zone of the longest work in the frame read last, or 0

	shown bool // the group has had enough lanes
	load  load
}

// MinGroup is the least number of goroutines of one go statement that are shown as a group.
const MinGroup = 2

// mostGroups bounds the groups, besides that of OtherGoroutines.
const mostGroups = 256

// GroupOf returns the group of a band. It returns nil for a named lane, and for the only lane of its go statement.
func (t *Timeline) GroupOf(b *Band) *Group {
	if b.group == 0 || !t.Groups[b.group-1].shown {
		return nil
	}
	return &t.Groups[b.group-1]
}

// AppendLoad appends the load of a group in n cells of equal length from a time on the axis on. It does not allocate if
// dst has room.
func (g *Group) AppendLoad(dst []Load, begin, cell float64, n int) []Load {
	return g.load.append(dst, begin, cell, n)
}

// groupOf returns 1 + the index of the group of a lane's name, or 0.
func (t *Timeline) groupOf(l *Lane) int32 {
	if l.Device {
		return 0
	}
	if crowd := report.Crowd(l.Name); crowd != "" {
		if at := t.group(l, crowd, false); at > 0 {
			return at
		}
	}
	return t.groupOfNamed(l)
}

// group returns 1 + the index of the group of a name, with a lane more. It is 0 if there is no room for the group.
func (t *Timeline) group(l *Lane, name string, named bool) int32 {
	at, found := t.byGroup[name]
	if !found {
		if len(t.Groups) >= mostGroups && name != OtherGoroutines {
			return 0
		}
		if t.byGroup == nil {
			t.byGroup = make(map[string]int32)
		}
		t.Groups = append(t.Groups, Group{Name: name, Named: named, First: l.ID})
		at = int32(len(t.Groups))
		t.byGroup[name] = at
	}
	g := &t.Groups[at-1]
	g.First = min(g.First, l.ID)
	return at
}

// countGroups counts the listed lanes, and finds the greatest load in the frames shown.
func (t *Timeline) countGroups() {
	for i := range t.Groups {
		t.Groups[i].Lanes = 0
	}
	for i := range t.Bands {
		if at := t.Bands[i].group; at > 0 {
			t.Groups[at-1].Lanes++
		}
	}
	for i := range t.Groups {
		g := &t.Groups[i]
		g.shown = g.shown || g.Lanes >= MinGroup
		g.Most = g.load.most(t.Origin, t.Origin+t.Length)
	}
}

// work adds the scopes of a lane in a frame to the load of its group. A lane works from the begin of an outermost scope
// to its end, except in idle scopes. The scopes are in order of their begins, outer scopes first.
func (t *Timeline) work(b *Band, scopes []Scope, at float64) {
	if b.group == 0 {
		return
	}
	g := &t.Groups[b.group-1]
	working, resting := 0.0, 0.0 // until
	for i := range scopes {
		s := &scopes[i]
		begin, end := at+s.Begin, at+s.End
		idle := t.idle(s.Zone)
		switch {
		case s.Level == 0 && idle:
			working = begin
		case s.Level == 0:
			g.load.change(begin, end, 1)
			working, resting = end, begin
			if end-begin > g.load.longest {
				g.Zone, g.load.longest = s.Zone, end-begin
			}
		case idle && begin < working && begin >= resting:
			resting = min(end, working)
			g.load.change(begin, resting, -1)
		}
	}
}

func (t *Timeline) idle(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < len(t.zones) && t.zones[zone].Idle
}

// settleGroups ends the reading of a frame.
func (t *Timeline) settleGroups() {
	for i := range t.Groups {
		t.Groups[i].load.settle()
	}
}

// sortBands sorts the bands by their lanes. They are usually sorted already.
func (t *Timeline) sortBands() {
	for i := 1; i < len(t.Bands); i++ {
		if t.Bands[i].ID < t.Bands[i-1].ID {
			sort.Slice(t.Bands, func(i, k int) bool { return t.Bands[i].ID < t.Bands[k].ID })
			return
		}
	}
}

// Load is the number of goroutines that worked at once in a stretch of time.
type Load struct {
	Mean float32
	Most int32
}

// load is the number of working goroutines over time. It finds stretches of time by binary search, and keeps sums, so
// that its speed does not depend on the length of a stretch.
type load struct {
	steps   []loadStep
	highest []int32    // greatest load of each loadBlock steps
	changes []loadStep // changes in the frame that is being read; n is the change
	longest float64    // longest work in that frame, ms
}

// loadStep is a change of a load: from a time on, n goroutines work.
type loadStep struct {
	at   float64 // ms on the axis
	area float64 // sum of all steps before, in ms of one goroutine
	n    int32
}

const loadBlock = 64

// change adds n to the load from begin to end. The changes take effect at settle.
func (l *load) change(begin, end float64, n int32) {
	if end > begin {
		l.changes = append(l.changes, loadStep{at: begin, n: n}, loadStep{at: end, n: -n})
	}
}

// byTime sorts the changes of a load. A generic sort would add 5 kB to the viewer in a browser.
type byTime load

func (l *byTime) Len() int           { return len(l.changes) }
func (l *byTime) Less(i, k int) bool { return l.changes[i].at < l.changes[k].at }
func (l *byTime) Swap(i, k int)      { l.changes[i], l.changes[k] = l.changes[k], l.changes[i] }

// settle sorts the changes of a frame, and appends them. Before and after these changes the load is 0.
func (l *load) settle() {
	sort.Sort((*byTime)(l))
	n := int32(0)
	for i := range l.changes {
		n += l.changes[i].n
		if i+1 == len(l.changes) || l.changes[i+1].at > l.changes[i].at {
			l.add(l.changes[i].at, n)
		}
	}
	l.changes, l.longest = l.changes[:0], 0
}

func (l *load) add(at float64, n int32) {
	s := loadStep{at: at, n: n}
	if last := len(l.steps) - 1; last >= 0 {
		before := &l.steps[last]
		s.at = max(at, before.at)
		s.area = before.area + float64(before.n)*(s.at-before.at)
	}
	if l.steps = append(l.steps, s); len(l.steps) > loadBlock*len(l.highest) {
		l.highest = append(l.highest, n)
	} else {
		l.highest[len(l.highest)-1] = max(l.highest[len(l.highest)-1], n)
	}
}

// drop drops the steps before a time, if these are most of the steps.
func (l *load) drop(before float64) {
	if from := l.upTo(before, 0); from > leastShift && from > len(l.steps)/2 {
		rest := append(l.steps[:0], l.steps[from:]...)
		l.steps, l.highest = l.steps[:0], l.highest[:0]
		for _, s := range rest {
			l.add(s.at, s.n)
		}
	}
}

func (l *load) clear() {
	l.steps, l.highest, l.changes = l.steps[:0], l.highest[:0], l.changes[:0]
}

// upTo returns the number of steps at or before a time. The first from steps are known to be.
func (l *load) upTo(at float64, from int) int {
	low, high := from, len(l.steps)
	for step := 1; low+step < high; step *= 2 {
		if l.steps[low+step].at > at {
			high = low + step
			break
		}
	}
	return low + sort.Search(high-low, func(i int) bool { return l.steps[low+i].at > at })
}

// areaAt returns the area up to a time. n is upTo of that time.
func (l *load) areaAt(at float64, n int) float64 {
	if n == 0 {
		return 0
	}
	s := &l.steps[n-1]
	return s.area + float64(s.n)*(at-s.at)
}

// highestOf returns the greatest load of the steps from..to-1.
func (l *load) highestOf(from, to int) (most int32) {
	for i := max(from, 0); i < to; {
		if i%loadBlock == 0 && i+loadBlock <= to {
			most = max(most, l.highest[i/loadBlock])
			i += loadBlock
			continue
		}
		most = max(most, l.steps[i].n)
		i++
	}
	return most
}

// most returns the greatest load in a stretch of time.
func (l *load) most(begin, end float64) int {
	from := l.upTo(begin, 0)
	to := from + sort.Search(len(l.steps)-from, func(i int) bool { return l.steps[from+i].at >= end })
	return int(l.highestOf(from-1, to))
}

func (l *load) append(dst []Load, begin, cell float64, n int) []Load {
	from := l.upTo(begin, 0)
	area := l.areaAt(begin, from)
	for i := range n {
		end := begin + float64(i+1)*cell
		to := l.upTo(end, from)
		next := l.areaAt(end, to)
		within := to
		for within > from && l.steps[within-1].at >= end {
			within--
		}
		dst = append(dst, Load{Mean: float32((next - area) / cell), Most: l.highestOf(from-1, within)})
		from, area = to, next
	}
	return dst
}
