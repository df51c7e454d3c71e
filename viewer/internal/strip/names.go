package strip

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// nameLine is the height of a name beside the columns, nameColumn the width of all names with the lines to their bands,
// and nameLead that of the lines alone, in nominal pixels.
const nameLine, nameColumn, nameLead = 14, 160, 14

// bandName is a layer's name beside the columns. Both heights are pixels above the lowest end of the columns.
type bandName struct {
	layer    int
	band, at float32 // the middle of the band and of the name
	thick    float32 // of the band
}

// nameBands writes the names of the layers at the right of the columns, each as near to its band as the others allow. A
// line leads from the band to the name. Without room for all, the thickest have names. A band is as thick as its mean
// over the frames in sight, so that the names stand still.
func (s *Strip) nameBands(c *canvas.Canvas, d *scene.Scene, plot, in canvas.Rect) {
	s.findNames(plot)
	line, under := nameLine*c.Em, in.Y1-plot.Y1
	fit := max(int((plot.Height()+under)/line), 0)
	for len(s.names) > fit {
		least := 0
		for i := range s.names {
			if s.names[i].thick < s.names[least].thick {
				least = i
			}
		}
		s.names = append(s.names[:least], s.names[least+1:]...)
	}
	spreadNames(s.names, line, -under, plot.Height())
	over := d.ZoneUnderMouse()
	for i := range s.names {
		n := &s.names[i]
		l := &s.Layers[n.layer]
		y := plot.Y1 - n.at
		row := canvas.Box(plot.X1+nameLead*c.Em, y-line/2, in.X1, y+line/2)
		if l.Zone == over {
			c.Round(row.X0-3*c.Em, row.Y0, row.X1, row.Y1, 4*c.Em, c.Hovered)
		}
		h := hit.Of(hit.Legend, 0)
		h.Zone = l.Zone
		c.Add(row, h)
		col := d.ZoneColor(c, l.Zone, l.Name)
		c.Segment(plot.X1+2*c.Em, plot.Y1-n.band, row.X0, y, 1.5*c.Em, 0.5, col)
		c.Swatch(row.X0, y, 8, col)
		x := row.X0 + 13*c.Em
		c.SignedCut(x, row.X1-x, row, draw.FaceSmall, l.sign, d.Label(l.Zone, l.Name), c.TextNormal)
	}
}

// findNames makes the names of the layers, from the lowest band up. A line of the lines' graph lies at its own height.
func (s *Strip) findNames(plot canvas.Rect) {
	s.names = s.names[:0]
	below := float32(0)
	for i := range s.Layers {
		sum, n := float32(0), 0
		for at, v := range s.Layers[i].columns {
			if canvas.Finite(v) && at < len(s.sums) {
				sum, n = sum+max(v, 0), n+1
			}
		}
		thick := sum / float32(max(n, 1)) * plot.Height() / max(s.Top, 1e-6)
		name := bandName{layer: i, band: below + thick/2, thick: thick}
		if below += thick; s.Lines {
			name.band, below = thick, 0
		}
		name.band = min(name.band, plot.Height())
		name.at = name.band
		if thick > 0 {
			s.names = append(s.names, name)
		}
	}
	if s.Lines {
		slices.SortStableFunc(s.names, func(a, b bandName) int { return cmp.Compare(a.band, b.band) })
	}
}

// spreadNames moves names apart that would overlap: half as far up as all above the first would move, and half as far
// down. They stay within the room from low to high.
func spreadNames(names []bandName, line, low, high float32) {
	up := float32(math.Inf(-1))
	for i := range names {
		up = max(names[i].band, up+line)
		names[i].at = up / 2
	}
	down := float32(math.Inf(1))
	for i := len(names) - 1; i >= 0; i-- {
		down = min(names[i].band, down-line)
		names[i].at += down / 2
	}
	least := low + line/2
	for i := range names {
		names[i].at = max(names[i].at, least)
		least = names[i].at + line
	}
	most := high - line/2
	for i := len(names) - 1; i >= 0; i-- {
		names[i].at = min(names[i].at, most)
		most = names[i].at - line
	}
}
