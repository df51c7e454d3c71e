package viewer

import (
	"slices"
	"sort"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	scopes "example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/timeline"
)

// drawLane is a line of the lane picker: a lane, or the lanes of goroutines that one go statement started.
type laneLine struct {
	name string
	busy float64 // ms
	cpu  float64 // ms of its thread's processor time; 0: unknown
	id   report.LaneID
	n    int    // lanes in the group; 0 for a lane
	of   string // the go statement of a lane in a group
}

// takeLanes makes the lines of the lane picker, the busiest lane or group first. Groups are folded until they are
// chosen.
func (m *menuPart) takeLanes(lanes []report.LaneInfo) {
	m.lanes, m.groups = m.lanes[:0], m.groups[:0]
	for i := range lanes {
		crowd := report.Crowd(lanes[i].Name)
		if at := m.groupOf(crowd); at >= 0 {
			m.groups[at].n++
			m.groups[at].busy += lanes[i].Self
		} else if crowd != "" && len(m.groups) < timeline.MaxGroups {
			m.groups = append(m.groups, laneLine{name: crowd, busy: lanes[i].Self, n: 1})
		}
	}
	m.groups = slices.DeleteFunc(m.groups, func(g laneLine) bool { return g.n < scopes.MinGroup })
	m.lanes = append(m.lanes, m.groups...)
	for i := range lanes {
		if m.groupOf(report.Crowd(lanes[i].Name)) < 0 {
			l := &lanes[i]
			m.lanes = append(m.lanes, laneLine{name: l.Name, busy: l.Self, cpu: l.CPU, id: l.ID})
		}
	}
	sort.SliceStable(m.lanes, func(i, k int) bool { return m.lanes[i].busy > m.lanes[k].busy })
	for i := len(m.lanes) - 1; i >= 0; i-- {
		if g := m.lanes[i]; g.n > 0 && m.unfolded.Has(g.name) {
			m.lanes = slices.Insert(m.lanes, i+1, m.lanesOf(lanes, g.name)...)
		}
	}
}

// groupOf returns the index of a go statement's group, or -1.
func (m *menuPart) groupOf(crowd string) int {
	for i := range m.groups {
		if crowd != "" && m.groups[i].name == crowd {
			return i
		}
	}
	return -1
}

// lanesOf returns the lines of the lanes that a go statement started.
func (m *menuPart) lanesOf(lanes []report.LaneInfo, crowd string) []laneLine {
	m.groupLanes = m.groupLanes[:0]
	for i := range lanes {
		if l := &lanes[i]; len(m.groupLanes) < timeline.MaxOfOne && report.Crowd(l.Name) == crowd {
			m.groupLanes = append(m.groupLanes, laneLine{name: l.Name, busy: l.Self, cpu: l.CPU, id: l.ID, of: crowd})
		}
	}
	return m.groupLanes
}

// toggleGroup opens or folds the lanes of a go statement.
func (m *menuPart) toggleGroup(crowd string) {
	m.change(func() {
		m.unfolded.Toggle(crowd)
	})
}

// drawLane draws a line of the lane picker. Line -1 stands for all lanes.
func (m *menuPart) drawLane(row canvas.Rect, line int) {
	c, l := &m.canvas, laneLine{name: "all goroutines"}
	if line >= 0 {
		l = m.lanes[line]
	}
	x, end := row.X0+12*c.Em, row.X1-10*c.Em
	if l.of != "" {
		x += 16 * c.Em
	}
	switch {
	case l.n > 0 && m.unfolded.Has(l.name):
		c.Icon(draw.IconDown, x, (row.Y0+row.Y1)/2-5*c.Em, c.TextDim)
	case l.n > 0:
		c.Icon(draw.IconRight, x, (row.Y0+row.Y1)/2-5*c.Em, c.TextFaint)
	default:
		check(c, x, row, m.scene.View.Lane == l.id)
	}
	x += 22 * c.Em
	if line >= 0 {
		busy, unit, decimals := draw.TimeInUnit(l.busy, m.scene.Decimals(c))
		end -= c.Right(end, row, draw.FaceSmall, unit, c.TextFaint) + 5*c.Em
		end -= c.Number(end, row, draw.FaceMono, busy, decimals, c.TextNormal) + 10*c.Em
	}
	if l.n > 0 || l.cpu > 0 {
		c.Buffer = l.appendSmall(c.Buffer[:0], c.Averages)
		y := c.Baseline(row.Y0, row.Y1, draw.FaceSmall)
		end -= c.ASCIIRight(end, y, draw.FaceSmall, c.Buffer, c.TextDim) + 8*c.Em
	}
	c.Left(x, end-x, row, draw.FaceText, l.name, c.TextNormal)
}

// appendSmall appends the number beside the busy time: the group's number of goroutines, or the processor time.
func (l *laneLine) appendSmall(b []byte, precision int) []byte {
	if l.n > 0 {
		return printed.AppendCount(b, l.n, "goroutine")
	}
	return draw.AppendTime(append(b, "CPU "...), l.cpu, precision)
}
