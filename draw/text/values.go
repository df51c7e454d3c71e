package text

import (
	"math"
	"strconv"

	"example.com/iprof/process/report"
)

// cellValue is the width of a cell for a number of the frame, with its gap.
const cellValue = 13

// values writes the numbers of the frame below a report: the value now, and the mean and maximum of the history.
func (t *table) values() {
	if len(t.r.Values) == 0 {
		return
	}
	names, numbers := leastName, 3
	for i := range t.r.Values {
		names = max(names, 2+displayWidth(shown(t.r.Values[i].Name)))
	}
	if room := t.room(); room > 0 {
		numbers = min(numbers, max((room-min(names, leastName))/cellValue, 1))
		names = min(names, max(room-numbers*cellValue, narrowest))
	}
	t.p.put("\n")
	t.valueLine("value", names, []string{"shown", "average", "max"}[:numbers])
	for i := range t.r.Values {
		v := &t.r.Values[i]
		cells := []string{t.value(v, v.Value), t.value(v, v.Mean), t.value(v, v.Max)}
		t.valueLine(shown(v.Name), names, cells[:numbers])
	}
}

// room returns the number of cells for a line without the cursor column, or 0 for no limit.
func (t *table) room() int {
	if t.o.Width <= 0 {
		return 0
	}
	room := max(t.o.Width, narrowest)
	if t.o.Cursor {
		room -= 2
	}
	return room
}

// valueLine writes a name and its numbers.
func (t *table) valueLine(name string, width int, numbers []string) {
	t.cursor(false)
	t.p.left(cutName("  "+name, width), width)
	for _, n := range numbers {
		t.p.right(n, cellValue)
	}
	t.p.put("\n")
}

// value formats a number in its unit. A count that has decayed to almost nothing in an average is 0.
func (t *table) value(v *report.FrameValue, x float64) string {
	if v.Kind != report.ValueLevel && v.Unit != report.UnitMilliseconds && math.Abs(x) < 5e-4 {
		x = 0
	}
	return unitValue(v.Unit, x, t.o.precision())
}

// unitValue formats a number: bytes in a suitable unit, milliseconds with the given number of decimals.
func unitValue(u report.Unit, x float64, decimals int) string {
	switch u {
	case report.UnitBytes:
		return size(x)
	case report.UnitMilliseconds:
		return inUnit(x, decimals)
	}
	return plainNumber(x)
}

// plainNumber formats a count or level: whole numbers in full, others with four significant digits.
func plainNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	if a := math.Abs(x); a >= 1e15 || a < 1e-3 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', max(fourDigits(x), 1), 64)
}

// size formats bytes in a suitable unit: 17 B, 3.4 kB, 12.0 MB.
func size(bytes float64) string {
	if math.Abs(bytes) < 999.5 {
		return fixed(bytes, 0) + " B"
	}
	unit := ""
	for _, larger := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		bytes /= 1000
		unit = larger
		if math.Abs(bytes) < 999.95 {
			break
		}
	}
	return fixed(bytes, 1) + " " + unit
}

// charges returns a stack's charges in words, or "" if it has none.
func (t *tree) charges(c *report.Charges, hier float64) string {
	s := ""
	note := func(what string, n, bytes float64) {
		if n != 0 || bytes != 0 {
			s += ", " + what + " " + count(n) + " of " + size(bytes)
		}
	}
	note("allocs", c.Allocs, c.AllocBytes)
	note("frees", c.Frees, c.FreeBytes)
	note("heap about", c.HeapObjects, c.HeapBytes)
	if c.Units > 0 {
		s += ", units " + count(c.Units) + " of " + t.time(hier/c.Units)
	}
	if s == "" {
		return ""
	}
	return "  {" + s[2:] + "}"
}

// numbers writes the numbers of all frames below the trees.
func (t *tree) numbers() {
	if len(t.d.Values) == 0 {
		return
	}
	t.p.put("\nvalues\n")
	for _, heading := range []string{"total", "average", "max"} {
		t.p.right(heading, cellValue-1)
	}
	t.p.put("  name\n")
	for i := range t.d.Values {
		v := &t.d.Values[i].FrameValue
		for _, x := range []float64{v.Total, v.Mean, v.Max} {
			t.p.right(unitValue(v.Unit, x, 3), cellValue-1)
		}
		t.p.put("  ", shown(v.Name))
		if v.Kind == report.ValueLevel {
			t.p.put("  [level: the total is the newest]")
		}
		t.p.put("\n")
	}
}
