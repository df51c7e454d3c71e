package strip

import (
	"path/filepath"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// groupName is the name of a group of late frames, cut in the middle. Two groups never look the same: equal names also
// have their source places, or numbers.
type groupName struct {
	of         report.LateGroup // the group of the name
	em         float32
	head, tail string
	place      string // of the zone in the source
	number     int    // from 2 on, for groups that otherwise look the same
}

// groupNames are the names of all groups.
type groupNames struct{ all []groupName }

// chipName is the greatest width of a zone's name in nominal pixels.
const chipName = 130

// take makes the names of groups, if they have changed.
func (n *groupNames) take(c *canvas.Canvas, d *scene.Scene, groups []report.LateGroup) {
	if n.same(c, groups) {
		return
	}
	n.all = n.all[:0]
	for i := range groups {
		g := &groups[i]
		name := groupName{of: *g, em: c.Em}
		name.head, name.tail = c.CutMiddle(draw.FaceSmall, d.Label(g.Zone, g.Name), chipName*c.Em)
		n.all = append(n.all, name)
	}
	for i := range n.all {
		for k := range n.all {
			if i != k && n.all[i].looks(&n.all[k]) {
				n.all[i].place = placeOf(d, &groups[i])
			}
		}
	}
	for i := range n.all {
		number := 1
		for k := range n.all[:i] {
			if n.all[i].looks(&n.all[k]) && n.all[i].place == n.all[k].place {
				number++
			}
		}
		if number > 1 {
			n.all[i].number = number
		}
	}
}

// same reports whether the names were made for these groups.
func (n *groupNames) same(c *canvas.Canvas, groups []report.LateGroup) bool {
	if len(n.all) != len(groups) {
		return false
	}
	for i := range groups {
		g, was := &groups[i], &n.all[i]
		if was.em != c.Em || was.of.Name != g.Name || was.of.Zone != g.Zone || was.of.Kind != g.Kind {
			return false
		}
	}
	return true
}

// looks reports whether two names look the same.
func (n *groupName) looks(as *groupName) bool { return n.head == as.head && n.tail == as.tail }

// placeOf returns the source place of a group's zone: "world.go:36".
func placeOf(d *scene.Scene, g *report.LateGroup) string {
	if g.Zone < 0 {
		return ""
	}
	at := d.Zone(g.Zone)
	if at.File == "" {
		return ""
	}
	return string(appendPlace([]byte(" "), &at))
}

// appendPlace appends the file and the line of a zone.
func appendPlace(b []byte, at *gather.ZoneInfo) []byte {
	b = append(append(b, filepath.Base(at.File)...), ':')
	return draw.AppendFixed(b, float64(at.Line), 0)
}

// width returns the width of a name.
func (n *groupName) width(c *canvas.Canvas) float32 {
	width := c.Width(draw.FaceSmall, n.head)
	if n.tail != "" {
		width += c.Width(draw.FaceSmall, "…") + c.Width(draw.FaceSmall, n.tail)
	}
	if n.place != "" {
		width += c.Width(draw.FaceSmall, n.place)
	}
	return width
}

// appendNumber appends the number of a name that would otherwise look like another.
func (n *groupName) appendNumber(b []byte) []byte {
	if n.number > 0 {
		b = draw.AppendFixed(append(b, " ("...), float64(n.number), 0)
		b = append(b, ')')
	}
	return b
}
