package answer

import (
	"path/filepath"
	"strconv"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// pathWords are the names of the zones from the root to the cause.
type pathWords struct {
	of       string // the cause of the words
	path     int32
	words    string
	function string
	place    string // of the function, if the line of source is elsewhere
	made     bool
}

// drawPath draws the path of the cause: its callers, the outermost first, its name, and its function.
func (g *painter) drawPath() {
	r := g.line(pathHeight)
	c := g.a.At(g.v)
	if r.Height() == 0 || c == nil {
		return
	}
	g.name(r, "where", g.TextDim)
	w := &g.a.path
	if !w.made || w.path != c.Path || w.of != c.Name {
		*w = pathWords{of: c.Name, path: c.Path, made: true}
		for i := len(c.Callers) - 1; i >= 0; i-- {
			w.words += cut(c.Callers[i]) + "  ›  "
		}
		if zone := g.d.Zone(c.Zone); c.Path > 0 && zone.File != "" {
			w.function = zone.Function[strings.LastIndexByte(zone.Function, '/')+1:]
			if at := g.placeOf(c); at.File != zone.File || at.Line != zone.Line {
				w.place = placeWords(zone)
			}
		}
	}
	name := c.Name
	switch {
	case c.Path <= 0 && c.Kind == report.CauseOutside:
		name = "time outside all zones"
	case c.OfMachine():
		name = "outside the program"
	case c.Path <= 0:
		name = "the whole program"
	}
	x, gap := g.x0, 14*g.Em
	room := g.in.X1 - x - g.Width(draw.FaceBold, name) - g.Width(draw.FaceSmall, w.function) - 2*gap
	if room > 30*g.Em {
		x += g.Left(x, min(room, (g.in.X1-x)*0.6), r, draw.FaceSmall, w.words, g.TextDim)
	}
	if c.Path > 0 && !c.OfMachine() {
		g.Swatch(x, (r.Y0+r.Y1)/2, 8, g.d.ColorOf(g.Canvas, c.Zone, name, false))
		x += gap
	}
	x += g.Left(x, g.in.X1-x, r, draw.FaceBold, name, g.TextBright) + gap
	if g.in.X1-x > 60*g.Em {
		x += g.Cut(x, g.in.X1-x, r, draw.FaceSmall, w.function, g.TextNormal) + 10*g.Em
	}
	if g.in.X1-x > g.Width(draw.FaceSmall, w.place) {
		g.Left(x, g.in.X1-x, r, draw.FaceSmall, w.place, g.Accent)
	}
}

// placeWords returns a place in words.
func placeWords(at gather.ZoneInfo) string {
	return filepath.Base(at.File) + ":" + strconv.Itoa(at.Line)
}

// sourceLine is a line of source.
type sourceLine struct {
	at    gather.ZoneInfo // the requested place
	known bool
	place string
	text  string // of the line, else why it is not there
	found bool
}

// placeOf returns the source place of the highlighted cause, or of another cause if it has none.
func (g *painter) placeOf(c *report.Cause) (at gather.ZoneInfo) {
	at = sourcePlace(g.d, c)
	for i := 0; at.File == "" && i < len(g.v.Causes); i++ {
		at = sourcePlace(g.d, &g.v.Causes[i])
	}
	return at
}

// sourcePlace returns the source place of a cause: the place that ended or began the wait, else the beginning of the
// zone.
func sourcePlace(d *scene.Scene, c *report.Cause) (at gather.ZoneInfo) {
	place := c.State.At
	if place == "" {
		place = c.State.Place
	}
	if file, line, ok := strings.Cut(place, ":"); ok && c.Kind == report.CauseState {
		n, err := strconv.Atoi(line)
		if err != nil {
			return at
		}
		at = gather.ZoneInfo{File: file, Line: n}
		for i := range d.Zones { // the state has only the last element of the name
			if z := &d.Zones[i]; z.File != "" && filepath.Base(z.File) == file {
				at.File = z.File
				break
			}
		}
		return at
	}
	if c.Path <= 0 || c.Zone <= 0 {
		return at
	}
	return d.Zone(c.Zone)
}

// source draws the line of source of the highlighted cause.
func (g *painter) source() {
	c := g.a.At(g.v)
	if c == nil {
		return
	}
	at := g.placeOf(c)
	if at.File == "" {
		return
	}
	l := &g.a.line
	l.read(at, g.a.code)
	r := g.line(codeHeight)
	g.y += 4 * g.Em
	if r.Height() == 0 {
		return
	}
	g.name(r, "source", g.TextDim)
	g.drawn.Source = canvas.Box(g.x0, r.Y0+g.Em, g.in.X1, r.Y1-g.Em)
	g.Round(g.x0, r.Y0+g.Em, g.in.X1, r.Y1-g.Em, 4*g.Em, draw.Mix(g.Surface, g.Background, 0.7))
	x, end := g.x0+8*g.Em, g.in.X1-6*g.Em
	x += g.Left(x, end-x, r, draw.FaceSmall, l.place, g.Accent) + 10*g.Em
	switch {
	case l.found:
		g.Left(x, end-x, r, draw.FaceMono, l.text, g.TextBright)
	case g.Width(draw.FaceSmall, l.text) < end-x:
		g.Left(x, end-x, r, draw.FaceSmall, l.text, g.TextDim)
	}
}

// read reads the line of a place, if it is not known.
func (l *sourceLine) read(at gather.ZoneInfo, code func(gather.ZoneInfo) *report.Code) {
	if l.at.File != at.File || l.at.Line != at.Line {
		*l = sourceLine{at: at, place: placeWords(at)}
	}
	if l.known || code == nil {
		return
	}
	read := code(at)
	if read == nil {
		return
	}
	l.known, l.text = true, read.Why
	if i := at.Line - read.First; i >= 0 && i < len(read.Lines) {
		l.text, l.found = strings.TrimSpace(read.Lines[i]), true
	}
}

// Pending reports whether the line of source is still being read.
func (a *Answer) Pending(d *scene.Scene) bool {
	if !a.Open || a.code == nil {
		return false
	}
	c := a.At(a.Verdict(d))
	return c != nil && a.line.at.File != "" && !a.line.known
}
