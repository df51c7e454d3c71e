package list

import (
	"fmt"

	"example.com/iprof/draw"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// rowHeight is the height of a row in nominal pixels.
const rowHeight = 20

// Draw draws the list in r. While the user types, the typed text has a border.
func (l *List) Draw(c *canvas.Canvas, r canvas.Rect, typing bool) {
	if r.Height() < 60*c.Em {
		return
	}
	in := c.Card(r)
	l.head(c, canvas.Box(in.X0, in.Y0-2*c.Em, in.X1, in.Y0+18*c.Em), typing)
	in.Y0 += 22 * c.Em
	l.headings(c, canvas.Box(in.X0, in.Y0, in.X1, in.Y0+18*c.Em))
	in.Y0 += 20 * c.Em
	line := rowHeight * c.Em
	l.visible = max(int((r.Y1-5*c.Em-in.Y0)/line), 0)
	if l.follow {
		l.top = min(max(l.top, l.Cursor-l.visible+1), l.Cursor)
		l.follow = false
	}
	l.top = max(min(l.top, len(l.order)-l.visible), 0)
	if len(l.order) == 0 {
		l.none(c, in)
	}
	for i := range min(l.visible, len(l.order)-l.top) {
		y := draw.Snap(in.Y0 + float32(i)*line)
		l.row(c, canvas.Box(r.X0+5*c.Em, y, r.X1-5*c.Em, draw.Snap(in.Y0+float32(i+1)*line)), in, l.top+i)
	}
	if n := float32(len(l.order)); len(l.order) > l.visible {
		bar := canvas.Box(r.X1-5*c.Em, in.Y0, r.X1-2*c.Em, r.Y1-5*c.Em)
		y := bar.Y0 + float32(l.top)/n*bar.Height()
		c.Rect(bar.X0, y, bar.X1, max(y+float32(l.visible)/n*bar.Height(), y+8*c.Em), draw.Fade(c.TextFaint, 0.6))
	}
}

// none draws the reason for the missing rows.
func (l *List) none(c *canvas.Canvas, in canvas.Rect) {
	words := l.None
	if l.Filter != "" && len(l.rows) > 0 {
		words = "nothing here has that; Backspace and Esc take it away"
	}
	c.Left(in.X0+8*c.Em, in.Width()-16*c.Em, canvas.Box(in.X0, in.Y0+4*c.Em, in.X1, in.Y0+24*c.Em), draw.FaceText,
		words, c.TextDim)
}

// head draws the title, the note on omissions, the filter, and the key that closes the list.
func (l *List) head(c *canvas.Canvas, r canvas.Rect, typing bool) {
	end := c.Button(r.X1, r.X0, r, "close", "close-list")
	x := r.X0 + c.Left(r.X0, end-r.X0, r, draw.FaceBold, l.Title, c.TextBright) + 10*c.Em
	if typing || l.Filter != "" {
		x += l.filter(c, canvas.Box(x, r.Y0, min(x+200*c.Em, end-6*c.Em), r.Y1), typing) + 10*c.Em
	}
	if room := end - x - 8*c.Em; room > 20*c.Em {
		note := l.Note
		if l.Filter != "" {
			note = fmt.Sprintf("%d of %d", len(l.order), len(l.rows))
		}
		c.Left(x, room, r, draw.FaceSmall, note, c.TextDim)
		c.Explain(canvas.Box(x, r.Y0, x+room, r.Y1), l.Title, l.Note)
	}
}

// filter draws the typed text, and returns the width.
func (l *List) filter(c *canvas.Canvas, box canvas.Rect, typing bool) float32 {
	if box.Width() < 40*c.Em {
		return 0
	}
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Raised)
	if typing {
		c.Border(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Accent)
	}
	c.Add(box, hit.Of(hit.Filter, 0))
	x := box.X0 + 8*c.Em
	x += c.Left(x, 60*c.Em, box, draw.FaceSmall, "find ", c.TextDim)
	x += c.Left(x, box.X1-x-10*c.Em, box, draw.FaceText, l.Filter, c.TextBright)
	if typing {
		c.Rect(x+c.Em, box.Y0+4*c.Em, x+2*c.Em, box.Y1-4*c.Em, c.Accent)
	}
	return box.Width()
}

// places calls do with the place of each column that fits.
func (l *List) places(c *canvas.Canvas, in canvas.Rect, do func(i int, x0, x1 float32)) {
	rest := in.Width()
	for i := range l.Columns {
		rest -= l.Columns[i].Width * c.Em
	}
	x := in.X0 + 6*c.Em
	for i := range l.Columns {
		width := l.Columns[i].Width * c.Em
		if width == 0 {
			width = max(rest-12*c.Em, 60*c.Em)
		}
		if x+width > in.X1+c.Em && i > 0 {
			return
		}
		do(i, x, x+width-14*c.Em)
		x += width
	}
}

// headings draws the names of the columns. The sorted column has a sign.
func (l *List) headings(c *canvas.Canvas, r canvas.Rect) {
	l.places(c, r, func(i int, x0, x1 float32) {
		column, box := &l.Columns[i], canvas.Box(x0-4*c.Em, r.Y0, x1+4*c.Em, r.Y1)
		c.Add(box, hit.Of(hit.ListHeader, i))
		c.Explain(box, column.Heading, column.Tip)
		col := c.TextDim
		if c.Hovers(box) {
			col = c.TextBright
		}
		if i == l.by {
			col = c.Accent
		}
		width := c.Width(draw.FaceSmall, column.Heading)
		x := x0
		if column.Number {
			x = max(x1-width, x0)
		}
		c.Left(x, x1-x+c.Em, r, draw.FaceSmall, column.Heading, col)
		if i == l.by {
			sign := draw.IconUp
			if l.down {
				sign = draw.IconDown
			}
			c.Icon(sign, x+width+c.Em, (r.Y0+r.Y1)/2-5*c.Em, c.Accent)
		}
	})
	c.Rect(r.X0, r.Y1, r.X1, r.Y1+draw.Hairline(c.Em), c.GridLine)
}

// row draws a row.
func (l *List) row(c *canvas.Canvas, row, in canvas.Rect, at int) {
	switch {
	case at == l.Cursor:
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Selected)
		c.Rect(row.X0, row.Y0+3*c.Em, row.X0+3*c.Em, row.Y1-3*c.Em, c.Accent)
	case c.Hovers(row):
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Hovered)
	}
	c.Add(row, hit.Of(hit.ListRow, at))
	r := l.RowAt(at)
	l.places(c, in, func(i int, x0, x1 float32) {
		col := c.TextNormal
		if i == l.by {
			col = c.TextBright
		}
		if l.Columns[i].Number {
			x0 = max(x0, x1-c.Width(draw.FaceText, r.Words[i]))
		}
		c.Cut(x0, x1-x0+c.Em, row, draw.FaceText, r.Words[i], col)
	})
}
