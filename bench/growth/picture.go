package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"time"
)

// measured is a curve with its figures, by size.
type measured struct {
	*curve
	took []time.Duration
}

// The picture: small charts, all with the same axes, so that slopes can be compared. Both axes are logarithmic.
const (
	across, wide, high = 4, 250, 190
	left, right        = 46, 14 // around a chart
	top, bottom        = 34, 30
	room               = 36 // that the text of a point needs
	leastSize          = 10
	mostSize           = 100_000
	leastTime          = 10 * time.Nanosecond
	mostTime           = time.Second
)

// picture writes the curves as SVG.
func picture(file string, list []measured) {
	var b bytes.Buffer
	rows := (len(list) + across - 1) / across
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "+
		"font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n", across*wide, rows*high)
	for i := range list {
		fmt.Fprintf(&b, "<g transform=\"translate(%d %d)\">\n", i%across*wide, i/across*high)
		list[i].chart(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		fail(err)
	}
}

// chart writes one chart.
func (m *measured) chart(b *bytes.Buffer) {
	fmt.Fprintf(b, "<text x=\"%d\" y=\"14\" font-weight=\"bold\">%s</text>\n<text x=\"%d\" y=\"27\" fill=\"#555555\" "+
		"font-size=\"9\">%s</text>\n", left, m.name, left, m.what)
	for t := leastTime; t <= mostTime; t *= 100 {
		fmt.Fprintf(b, "<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>"+
			"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555555\">%v</text>\n",
			left, height(t), wide-right, left-4, height(t)+4, t)
	}
	for n := leastSize; n <= mostSize; n *= 10 {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555555\">%s</text>\n",
			place(n), high-bottom+14, short(n))
	}
	line, last := "", 0.0 // last is where a text above a point lies
	for i, took := range m.took {
		x, y := place(m.sizes[i]), height(took)
		line += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"#1f6feb\"/>\n", x, y)
		text := y - 6
		if i > 0 && x-last < room { // below the point
			text = y + 13
		} else {
			last = x
		}
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"9\">%s</text>\n", x, text,
			rounded(took))
	}
	fmt.Fprintf(b, "<path d=\"%s\" fill=\"none\" stroke=\"#1f6feb\" stroke-width=\"1.5\"/>\n", line)
}

// place is where a size lies from left to right.
func place(n int) float64 {
	at := math.Log(float64(n)/leastSize) / math.Log(float64(mostSize)/leastSize)
	return left + 16 + at*(wide-left-right-30)
}

// height is where a time lies from top to bottom.
func height(t time.Duration) float64 {
	at := math.Log(float64(max(t, leastTime))/float64(leastTime)) / math.Log(float64(mostTime)/float64(leastTime))
	return high - bottom - min(at, 1)*(high-bottom-top-8)
}

// short is a size in few letters.
func short(n int) string {
	if n >= 1000 {
		return fmt.Sprint(n/1000, "k")
	}
	return fmt.Sprint(n)
}

// rounded is a time with two digits.
func rounded(t time.Duration) string {
	unit := time.Duration(1)
	for unit*100 <= t {
		unit *= 10
	}
	return t.Round(unit).String()
}
