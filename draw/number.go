package draw

import (
	"image/color"
	"math"
	"strconv"

	"example.com/iprof/internal/printed"
)

// MaxDecimals is the greatest number of decimals that AppendFixed writes.
const MaxDecimals = 6

// powers are the powers of ten, by number of decimals.
var powers = [...]float64{1, 10, 100, 1000, 10000, 100000, 1000000}

// AppendFixed appends v rounded to a number of decimals, which is clamped to 0..MaxDecimals. Infinities and NaN give
// a dash. There is no negative zero. Numbers of 15 digits or more get an exponent.
func AppendFixed(b []byte, v float64, decimals int) []byte {
	decimals = min(max(decimals, 0), MaxDecimals)
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

// AppendCount appends a number of entries: whole, or with two decimals if it is a fraction.
func AppendCount(b []byte, v float64) []byte {
	if v >= 1000 || math.Abs(v-math.Round(v)) < 0.005 {
		return AppendFixed(b, v, 0)
	}
	return AppendFixed(b, v, 2)
}

// Milliseconds is the unit of short times.
const Milliseconds = "ms"

// timeUnits are the units of long times, the longest first. Each is used from a least time on, so that numbers stay
// short.
var timeUnits = [...]struct {
	from, ms float64
	name     string
}{{6e7, 3.6e6, "h"}, {6e5, 6e4, "min"}, {1e4, 1e3, "s"}}

// TimeInUnit returns a time in a unit that suits its size, the unit, and the number of decimals. Up to ten seconds it
// uses milliseconds with the given decimals. Longer times are in seconds, in minutes from ten minutes on, and in hours
// from a thousand minutes on, with one or two decimals. Times that would show as 0 are in µs or ns.
func TimeInUnit(ms float64, decimals int) (v float64, unit string, _ int) {
	for i := range timeUnits {
		if u := &timeUnits[i]; math.Abs(ms) >= u.from {
			if v = ms / u.ms; math.Abs(v) < 100 {
				return v, u.name, 2
			}
			return v, u.name, 1
		}
	}
	return printed.ShortTime(ms, min(max(decimals, 0), MaxDecimals), true)
}

// AppendTime appends a time with its unit: 8.1 µs, 12.34 ms, 15.20 s, 12.50 min, 20.00 h. decimals applies to
// milliseconds.
func AppendTime(b []byte, ms float64, decimals int) []byte {
	v, unit, decimals := TimeInUnit(ms, decimals)
	return append(append(AppendFixed(b, v, decimals), ' '), unit...)
}

// AppendMilliseconds is AppendTime without the unit ms, for columns that have the unit in their heading. Other times
// have their unit.
func AppendMilliseconds(b []byte, ms float64, decimals int) []byte {
	v, unit, decimals := TimeInUnit(ms, decimals)
	if b = AppendFixed(b, v, decimals); unit == Milliseconds {
		return b
	}
	return append(append(b, ' '), unit...)
}

// AppendBytes appends a number of bytes with a decimal unit: 17 B, 3.4 kB, 12 MB.
func AppendBytes(b []byte, v float64) []byte {
	const units = "kMGT"
	if v < 1000 {
		return append(AppendFixed(b, v, 0), " B"...)
	}
	unit := -1
	for v >= 999.5 && unit+1 < len(units) {
		v, unit = v/1000, unit+1
	}
	decimals := 0
	if v < 9.95 {
		decimals = 1
	}
	return append(AppendFixed(b, v, decimals), ' ', units[unit], 'B')
}

// ASCII draws bytes that are all printable ASCII or the letter µ, such as formatted numbers, and returns the width in
// pixels. It is faster than TextBytes. It leaves out other bytes.
func (l *List) ASCII(x, baseline float32, face Face, b []byte, c color.NRGBA) float32 {
	p := pen{list: l, f: &l.atlas().faces[face], x: x, y: Snap(baseline), ink: packColor(c)}
	for _, d := range b {
		if i := p.f.number(d); i != missing {
			p.put(i)
			p.x += p.f.advance[i]
		}
	}
	return p.x - x
}

// ASCIIRight draws printable ASCII that ends at x, and returns the width in pixels.
func (l *List) ASCIIRight(x, baseline float32, face Face, b []byte, c color.NRGBA) float32 {
	return l.ASCII(x-l.ASCIIWidth(face, b), baseline, face, b, c)
}

// ASCIIWidth returns the width of printable ASCII in pixels.
func (l *List) ASCIIWidth(face Face, b []byte) (width float32) {
	f := &l.atlas().faces[face]
	for _, d := range b {
		if i := f.number(d); i != missing {
			width += f.advance[i]
		}
	}
	return width
}
