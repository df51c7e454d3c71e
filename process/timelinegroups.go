package process

import "cmp"

// TimelineGroup is the goroutines that one go statement started: see Crowd. Its load is the number of them that were at
// work at once: in a zone that is not idle.
type TimelineGroup struct {
	Name  string // the go statement: "main.serve server.go:42"
	First LaneID // the lowest that there has been: the place of the group among the lanes
	Lanes int    // in Timeline.Bands; a group of fewer than LeastGroup is not shown as one
	Most  int    // at work at once in the frames shown
	Zone  ZoneID // outermost zone of the longest work in the frame that was read last, 0 for none

	shown bool // there have been enough lanes
	load  load
}

// LeastGroup is the least number of goroutines of one go statement that are shown as a group.
const LeastGroup = 2

// mostTimelineGroups bounds the groups. The lanes of further go statements stay single.
const mostTimelineGroups = 256

// GroupOf returns the group of a band, or nil for a lane on its own: a named one, or the only one of its go statement.
func (t *Timeline) GroupOf(b *TimelineBand) *TimelineGroup {
	if b.group == 0 || !t.Groups[b.group-1].shown {
		return nil
	}
	return &t.Groups[b.group-1]
}

// AppendLoad appends the load of a group in n cells of equal length from a time on the axis on. It does not allocate if
// dst has room.
func (g *TimelineGroup) AppendLoad(dst []TimelineLoad, begin, cell float64, n int) []TimelineLoad {
	return g.load.append(dst, begin, cell, n)
}

// groupOf returns 1 + the index of the group of a lane's name, 0 for none.
func (t *Timeline) groupOf(l *TimelineLane) int32 {
	crowd := Crowd(l.Name)
	if crowd == "" || l.Device {
		return 0
	}
	at, found := t.byGroup[crowd]
	if !found {
		if len(t.Groups) == mostTimelineGroups {
			return 0
		}
		if t.byGroup == nil {
			t.byGroup = make(map[string]int32)
		}
		t.Groups = append(t.Groups, TimelineGroup{Name: crowd, First: l.ID})
		at = int32(len(t.Groups))
		t.byGroup[crowd] = at
	}
	g := &t.Groups[at-1]
	g.First = min(g.First, l.ID)
	return at
}

// countGroups counts the lanes that are listed, and finds the greatest load in the frames shown.
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
		g.shown = g.shown || g.Lanes >= LeastGroup
		g.Most = g.load.most(t.Origin, t.Origin+t.Length)
	}
}

// work adds the scopes of a lane in a frame to the load of its group. A lane is at work from the begin of an outermost
// scope to its end, but for idle scopes. The scopes are in order of their begins, an outer one first.
func (t *Timeline) work(b *TimelineBand, scopes []TimelineScope, at float64) {
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

func (t *Timeline) idle(zone ZoneID) bool {
	return zone >= 0 && int(zone) < len(t.zones) && t.zones[zone].Idle
}

// settleGroups ends the reading of a frame.
func (t *Timeline) settleGroups() {
	for i := range t.Groups {
		t.Groups[i].load.settle()
	}
}

// compareBands orders bands by their lanes.
func compareBands(a, b TimelineBand) int { return cmp.Compare(a.ID, b.ID) }
