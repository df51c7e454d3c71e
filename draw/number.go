package draw

import (
	"image/color"
	"math"
	"strconv"
)

// powers of ten by the number of decimals.
var powers = [...]float64{1, 10, 100, 1000, 10000, 100000, 1000000}

// appendFixed appends v rounded to 0..6 decimals. What is not a number is a dash, and there is no negative zero.
func appendFixed(b []byte, v float64, decimals int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, '-')
	}
	scaled := math.Round(math.Abs(v) * powers[decimals])
	if scaled >= 1e15 {
		return strconv.AppendFloat(b, v, 'g', 6, 64)
	}
	n := uint64(scaled)
	if v < 0 && n > 0 {
		b = append(b, '-')
	}
	unit := uint64(powers[decimals])
	b = strconv.AppendUint(b, n/unit, 10)
	if decimals == 0 {
		return b
	}
	b = append(b, '.')
	for rest := n % unit; unit > 1; rest %= unit {
		unit /= 10
		b = append(b, byte('0'+rest/unit))
	}
	return b
}

// appendCount appends a number of entries: whole, or with two decimals where an average made it a fraction.
func appendCount(b []byte, v float64) []byte {
	if v >= 1000 || math.Abs(v-math.Round(v)) < 0.005 {
		return appendFixed(b, v, 0)
	}
	return appendFixed(b, v, 2)
}

// appendBytes appends a number of bytes with a unit: 17 B, 3.4 kB, 12 MB.
func appendBytes(b []byte, v float64) []byte {
	const units = "kMGT"
	if v < 1000 {
		return append(appendFixed(b, v, 0), " B"...)
	}
	unit := -1
	for v >= 999.5 && unit+1 < len(units) {
		v, unit = v/1000, unit+1
	}
	decimals := 0
	if v < 9.95 {
		decimals = 1
	}
	return append(appendFixed(b, v, decimals), ' ', units[unit], 'B')
}

// ascii draws bytes that are known to be plain, such as formatted numbers, and returns the width.
func (l *List) ascii(x, baseline float32, face Face, b []byte, c color.NRGBA) float32 {
	p := pen{list: l, f: &l.atlas().faces[face], x: x, y: snap(baseline), color: c}
	for _, d := range b {
		i := p.f.direct[d]
		p.put(i)
		p.x += p.f.advance[i]
	}
	return p.x - x
}

// asciiRight draws them so that they end at x.
func (l *List) asciiRight(x, baseline float32, face Face, b []byte, c color.NRGBA) float32 {
	return l.ascii(x-l.asciiWidth(face, b), baseline, face, b, c)
}

// asciiWidth returns their width in pixels.
func (l *List) asciiWidth(face Face, b []byte) (width float32) {
	f := &l.atlas().faces[face]
	for _, d := range b {
		width += f.advance[f.direct[d]]
	}
	return width
}
