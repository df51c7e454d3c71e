package html

import (
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

func intText(n int) string     { return strconv.Itoa(n) }
func uintText(n uint64) string { return strconv.FormatUint(n, 10) }
func intOf(n int) markup       { return markup(intText(n)) }
func uintOf(n uint64) markup   { return markup(uintText(n)) }

// short formats milliseconds for a place that has the unit ms in its heading. Long times have their unit.
func short(ms float64) markup { return markup(draw.AppendMilliseconds(nil, ms, 2)) }

// timeOf formats milliseconds with a unit: 12.34 ms, 15.20 s.
func timeOf(ms float64) markup { return markup(draw.AppendTime(nil, ms, 2)) }

// fit formats milliseconds in a suitable unit, with four significant digits.
func fit(ms float64) (value, unit markup) {
	units := [...]struct {
		name markup
		ms   float64
	}{{"h", 3.6e6}, {"min", 6e4}, {"s", 1000}, {"ms", 1}, {"µs", 1e-3}, {"ns", 1e-6}}
	from := [...]float64{6e7, 6e5, 1000, 1, 1e-3, 0}
	if ms == 0 || ms-ms != 0 {
		return "0", "ms"
	}
	size := math.Abs(ms) * 1.00005
	at := 0
	for size < from[at] {
		at++
	}
	v, decimals := ms/units[at].ms, 3
	for limit := 9.9995; limit < 1000 && math.Abs(v) >= limit; limit *= 10 {
		decimals--
	}
	return markup(strconv.FormatFloat(v, 'f', decimals, 64)), units[at].name
}

// fitted is fit as one text.
func fitted(ms float64) markup {
	v, unit := fit(ms)
	return v + " " + unit
}

// ofDuration returns milliseconds.
func ofDuration(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// grouped formats n with a thin space between groups of three digits.
func grouped(n uint64) markup {
	s := uintText(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "&#8201;" + s[at:]
	}
	return markup(s)
}

// counted is grouped with a noun: "1 call".
func counted(n uint64, noun string) markup { return markup(printed.Noun(string(grouped(n)), noun)) }

// count formats a number of entries: whole, or with two decimals if it is an average.
func count(v float64) markup {
	if v == math.Trunc(v) && v >= 0 && v < 1<<63 {
		return grouped(uint64(v))
	}
	return markup(draw.AppendFixed(nil, v, 2))
}

// bytesOf formats a number of bytes.
func bytesOf(v float64) markup { return markup(draw.AppendBytes(nil, v)) }

// share formats a part in percent of the whole, or as the lanes at once that had more time than has passed.
func share(part, whole float64) markup {
	switch {
	case !(whole > 0):
		return "-"
	case part > report.MinAtOnce*whole:
		return markup(draw.AppendFixed(nil, part/whole, 1)) + " at once"
	}
	return markup(draw.AppendFixed(nil, 100*part/whole, 1)) + " %"
}

// inUnit formats the value of a frame.
func inUnit(v float64, unit report.Unit) markup {
	switch {
	case unit == report.UnitBytes:
		return bytesOf(math.Round(v))
	case unit == report.UnitMilliseconds:
		return fitted(v)
	case v == math.Trunc(v) && v >= 0:
		return count(v)
	}
	return markup(strconv.FormatFloat(v, 'g', 4, 64))
}

// short returns a name for a sentence.
func shortName(name string) string {
	if len(name) > mostShort {
		return head(name, mostShort) + "..."
	}
	return name
}

// mostShort is the greatest length of a name in a sentence, in bytes.
const mostShort = 100

// isBlank reports whether a name would show nothing.
func isBlank(name string) bool { return strings.TrimSpace(name) == "" }
