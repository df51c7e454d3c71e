package report

import (
	"strings"

	"example.com/iprof/gather"
)

// terms are the conditions of a filter: a part of the name, a part of the package after "pkg:", and a time after ">".
type terms struct {
	text, pkg string
	over      float64 // ms
	timed     bool
}

// termsOf splits a filter into its terms. The words for a package and for a time stand before or after the part of the
// name, which may have spaces.
func termsOf(filter string) (t terms) {
	rest := filter
	for taken := true; taken; {
		first, after, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
		if taken = t.take(first); taken {
			rest = after
			continue
		}
		trimmed := strings.TrimRight(rest, " ")
		at := strings.LastIndexByte(trimmed, ' ') + 1
		if taken = at > 0 && t.take(trimmed[at:]); taken {
			rest = trimmed[:at-1]
		}
	}
	t.text = rest
	return t
}

// take parses a word for a package or for a time. It reports false for other words.
func (t *terms) take(word string) bool {
	if pkg, ok := strings.CutPrefix(word, "pkg:"); ok {
		t.pkg = pkg
		return true
	}
	number, ok := strings.CutPrefix(word, ">")
	if !ok {
		return false
	}
	unit := 1.0
	for _, u := range [...]struct {
		name string
		ms   float64
	}{{"ms", 1}, {"us", 1e-3}, {"µs", 1e-3}, {"s", 1000}} {
		if n, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = n, u.ms
			break
		}
	}
	v, ok := decimal(number)
	if ok {
		t.over, t.timed = v*unit, number != ""
	}
	return ok
}

// decimal reads digits with at most one point. strconv.ParseFloat, which takes all forms of a number, would add 20 kB
// to every program.
func decimal(text string) (v float64, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	for _, digit := range whole + fraction {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		v = 10*v + float64(digit-'0')
	}
	for range fraction {
		v /= 10
	}
	return v, true
}

// match reports whether a row meets all terms. The time is hierarchical time, or self time if the row has no
// hierarchical time.
func (t *terms) match(r *Record) bool {
	ms := r.Values[ColumnHier]
	if !r.Mask.Has(ColumnHier) {
		ms = r.Values[ColumnSelf]
	}
	return contains(r.Name, t.text) && contains(r.Package, t.pkg) && (!t.timed || ms > t.over)
}

// FilterWords returns the part of a name in a filter, and the time in ms that rows must exceed: -1 without one.
func FilterWords(filter string) (text string, over float64) {
	t := termsOf(filter)
	if !t.timed {
		return t.text, -1
	}
	return t.text, t.over
}

// Finds reports whether a zone matches the name and the package of the filter. A filter without a name and a package
// finds nothing.
func (a *Arrangement) Finds(zone *gather.ZoneInfo) bool {
	t := termsOf(a.Filter)
	return t.text+t.pkg != "" && contains(zone.Name, t.text) && contains(zone.Package(), t.pkg)
}

// contains reports whether a name contains a text in lower case.
func contains(name, text string) bool {
	name = name[:min(len(name), searched)]
	for i := 0; i+len(text) <= len(name); i++ {
		n := 0
		for n < len(text) && lower(name[i+n]) == text[n] {
			n++
		}
		if n == len(text) {
			return true
		}
	}
	return false
}
