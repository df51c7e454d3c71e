package text

import (
	"math"
	"strconv"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// unit is a unit of time: its sign, its sign in ASCII, and its length in milliseconds.
type unit struct {
	name, ascii string
	ms          float64
}

// units are the units of fit, largest first.
var units = []unit{{"s", "s", 1000}, {"ms", "ms", 1}, {"µs", "us", 1e-3}, {"ns", "ns", 1e-6}}

// fit formats a time in a suitable unit, with four significant digits: "16.67 ms". Zero is "0 ms".
func fit(ms float64, ascii bool) string { return fitTick(ms, 0, ascii) }

// fitTick is fit for a time between two readings of a clock with a tick of tick ms: see Reading.
func fitTick(ms, tick float64, ascii bool) string {
	if ms == 0 || math.IsNaN(ms) || math.IsInf(ms, 0) {
		return "0 ms"
	}
	u := units[len(units)-1]
	for _, larger := range units {
		if math.Abs(ms) >= larger.ms*0.99995 { // a value that would print as 1000 of the smaller unit is 1 of this one
			u = larger
			break
		}
	}
	v := ms / u.ms
	name := u.name
	if ascii {
		name = u.ascii
	}
	return strconv.FormatFloat(v, 'f', report.Decimals(fourDigits(v), u.ms, tick), 64) + " " + name
}

// fourDigits returns the number of decimals that gives v four significant digits.
func fourDigits(v float64) int {
	switch v = math.Abs(v); {
	case v >= 999.95:
		return 0
	case v >= 99.995:
		return 1
	case v >= 9.9995:
		return 2
	}
	return 3
}

// count formats a number of entries: whole, or with two decimals if it is a fraction.
func count(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// fixed formats v with a number of decimals. It never writes "-0.00".
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if s[0] == '-' && math.Abs(v) < 0.5*math.Pow10(-decimals) {
		return s[1:]
	}
	return s
}

// inUnit formats a time with its unit. One that would show as 0 ms is in µs or ns.
func inUnit(ms float64, decimals int) string {
	v, unit, decimals := printed.ShortTime(ms, decimals, false)
	return fixed(v, decimals) + " " + unit
}

// percent formats a share of whole, with one decimal.
func percent(part, whole float64) string {
	if whole <= 0 {
		return "-"
	}
	return fixed(100*part/whole, 1) + "%"
}

// ticksOf converts milliseconds back to ticks.
func ticksOf(ms, perSecond float64) int64 { return int64(math.Round(ms * perSecond / 1000)) }
