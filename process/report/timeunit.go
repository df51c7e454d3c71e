package report

import (
	"math"
	"strconv"
	"strings"
)

// TimeUnit is the unit of the times in one column of a table. The zero value is no unit.
type TimeUnit struct {
	Name string  // "h", "min", "s", "ms", "µs" or "ns"
	MS   float64 // its length in milliseconds
}

// timeUnits are the units with the least largest time of a column, in ms. Milliseconds last to 10 s, so that times of
// frames are compared in one unit.
var timeUnits = [...]struct {
	TimeUnit
	from float64
}{{TimeUnit{"h", 3.6e6}, 6e7}, {TimeUnit{"min", 6e4}, 6e5}, {TimeUnit{"s", 1e3}, 1e4}, {Milliseconds, 0.1},
	{TimeUnit{"µs", 1e-3}, 1e-4}, {TimeUnit{"ns", 1e-6}, 0}}

// Plain returns the unit with a name in ASCII: "us" for "µs".
func (u TimeUnit) Plain() TimeUnit {
	if u.Name == "µs" {
		u.Name = "us"
	}
	return u
}

// Milliseconds is the usual unit of a column.
var Milliseconds = TimeUnit{"ms", 1}

// TimeUnitOf returns the unit for a column whose largest time is given, in ms. Zero, infinities and NaN give ms.
func TimeUnitOf(most float64) TimeUnit {
	if most = math.Abs(most); most > 0 && most <= math.MaxFloat64 {
		for i := range timeUnits {
			if most >= timeUnits[i].from {
				return timeUnits[i].TimeUnit
			}
		}
	}
	return Milliseconds
}

// UnitOf returns the unit of a column of times, chosen by the largest value of the report's records. Other columns have
// none. The times of ColumnDelta are differences.
func (r *Report) UnitOf(c Column) TimeUnit {
	if c.Info().Kind != KindMilliseconds {
		return TimeUnit{}
	}
	most := 0.0
	for i := range r.Records {
		switch row := &r.Records[i]; {
		case c < NumColumns && row.Mask.Has(c):
			most = max(most, math.Abs(row.Values[c]))
		case c == ColumnDelta && row.Delta.Known:
			most = max(most, math.Abs(row.Delta.MS))
		}
	}
	return TimeUnitOf(most)
}

// Append appends a time of a column in the unit, without its name. Decimals are those of milliseconds, 0 to 9; larger
// units have at least two, smaller ones one. A number that would show as 0, or in larger units with one digit, keeps
// two significant digits, down to a billionth of the unit.
func (u TimeUnit) Append(dst []byte, ms float64, decimals int) []byte {
	v := ms / u.MS
	least := math.Pow10(-decimals)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(dst, '-')
	case u.MS > 1:
		decimals = max(decimals, 2)
		least = math.Pow10(1 - decimals)
	case u.MS < 1:
		decimals = 1
		least = 0.1
	}
	size := math.Abs(v)
	switch {
	case size*u.MS < 0.5e-6: // below half a nanosecond
		v = 0
	case size < least:
		decimals = min(1-int(math.Floor(math.Log10(size))), 9)
	}
	return strconv.AppendFloat(dst, v, 'f', decimals, 64)
}

// Heading returns the heading of a column of times in the unit: "self s". Unless named is set, only a heading that has
// a unit names milliseconds.
func (u TimeUnit) Heading(heading string, named bool) string {
	bare, has := strings.CutSuffix(heading, " ms")
	if u.Name == "" || u.MS == 1 && (has || !named) {
		return heading
	}
	return bare + " " + u.Name
}
