package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// Source is what a panel asks of a session, for tests that feed it by hand.
type Source = source

// Disable shows a panel as in a program that was built with the tag iprof_off.
func Disable(p *Panel) { p.disabled = true }

// NewPanel returns a panel over a test's data.
func NewPanel(s Source) *Panel { return newPanel(s) }

// Change compares a record's hierarchical time with what its zone took, and words the difference in ms and percent.
func Change(was float64, r *process.Record) (ms, percent string) {
	b := baseline{doubt: 1, zones: []baseZone{{id: 1, hier: was}}}
	c := b.changeOf(r, false)
	if !c.known {
		return "new", "new"
	}
	return string(c.append(nil, false, 2)), string(c.append(nil, true, 2))
}

// Spread returns the quantile q of values, how many count, and the bar that the last of them is in.
func Spread(q float64, values ...float32) (quantile float32, frames, bin int) {
	var s spread
	s.take(values)
	return s.quantile(q), len(s.sorted), s.bin(values[len(values)-1])
}

// RoundParts draws what Round does, none of it from a sprite of the whole.
func RoundParts(l *List, x0, y0, x1, y1, radius float32, c color.NRGBA) {
	l.roundParts(x0, y0, x1, y1, cornerRadius(l.atlas().discs, x1-x0, y1-y0, radius), c)
}

// For the tests of the parts.
var (
	AppendFixed = appendFixed
	AppendCount = appendCount
	AppendBytes = appendBytes
	Window      = window
	RoundUp     = roundUp
)

// Tip returns what the tip of the last Draw says; nothing where there is none.
func Tip(p *Panel) (title, words string) {
	if t := &p.canvas.tip; t.due {
		return t.title, string(t.number) + t.words
	}
	return "", ""
}

// Explained returns a column's name and what is said of it.
func Explained(c process.Column) (name, words string) {
	return columns[c].named(), columnTips[c] + columns[c].words
}

// Columns is the number of columns of the table.
const Columns = numColumns

// Legend returns the times that the legend tells, by zone, as the last Draw had them.
func Legend(p *Panel) map[int32]float64 {
	of := map[int32]float64{}
	for _, l := range p.strip.layers {
		of[l.zone] = p.strip.mean(l.values)
	}
	return of
}

// SparkEnd returns the age of the frame that sparklines end with.
func SparkEnd(p *Panel) int { return p.shown.sparkAge() }
