package pprofread

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// units are the units of time that go tool pprof knows, without the "s" of a plural.
var units = map[string]time.Duration{
	"ns": time.Nanosecond, "nanosecond": time.Nanosecond,
	"us": time.Microsecond, "\u00b5s": time.Microsecond, "\u03bcs": time.Microsecond, "microsecond": time.Microsecond,
	"ms": time.Millisecond, "millisecond": time.Millisecond,
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"min": time.Minute, "minute": time.Minute,
	"hr": time.Hour, "hour": time.Hour,
}

// unitOf returns the length of a unit of time, 0 for other units.
func unitOf(name string) time.Duration {
	name = strings.ToLower(strings.TrimSpace(name))
	if d := units[name]; d > 0 {
		return d
	}
	return units[strings.TrimSuffix(name, "s")]
}

// times returns a value as a time, which is bounded to 292 years.
func times(value uint64, unit time.Duration) time.Duration {
	v := int64(value)
	switch most := math.MaxInt64 / int64(unit); {
	case v > most:
		return math.MaxInt64
	case v < -most:
		return -math.MaxInt64
	}
	return time.Duration(v) * unit
}

// column returns the index of the times among the values, and their unit: the type of that name, or else the default
// type, or else the last type that is a time.
func (r *reader) column(sample string) (at int, unit time.Duration, err error) {
	at = -1
	var all, are []string
	for i, t := range r.types {
		name, d := r.text(t[0]), unitOf(r.text(t[1]))
		all = append(all, name+" ("+r.text(t[1])+")")
		if d == 0 {
			continue
		}
		are = append(are, name)
		preferred := at >= 0 && r.types[at][0] == r.preferred && r.preferred != 0
		if sample == name || sample == "" && !preferred {
			at, unit = i, d
		}
	}
	switch {
	case at >= 0:
		return at, unit, nil
	case len(are) == 0:
		return 0, 0, fmt.Errorf("the profile has no times: it has %s", strings.Join(all, ", "))
	}
	return 0, 0, fmt.Errorf("the profile has no times %.80q: -sample is one of %s", sample, strings.Join(are, ", "))
}
