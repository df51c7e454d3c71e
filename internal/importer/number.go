package importer

import (
	"bytes"
	"math"
	"time"
)

// A trace has times from earliest to latest, in nanoseconds. Their difference is in range, too.
const (
	earliest = -int64(100 * 365 * 24 * time.Hour)
	latest   = math.MaxInt64 + earliest
)

// moment is a time of a file: whole microseconds, and picoseconds. Microseconds below 0 are rounded down.
type moment struct {
	micros int64
	picos  int64 // 0 to 999,999
}

// verdict says whether a text is a time.
type verdict uint8

const (
	isTime verdict = iota
	isNone
	isLarge // too large for a moment
)

// parseMoment reads a decimal number, such as 1732107141551429.079 or 1.5e3. Digits below a picosecond are cut off.
func parseMoment(text []byte) (m moment, v verdict) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	whole, fraction, exponent, ok := splitNumber(text)
	if !ok {
		return m, isNone
	}
	if exponent != 0 {
		whole, fraction = shift(whole, fraction, exponent)
	}
	for _, c := range whole {
		if m.micros > (math.MaxInt64-9)/10 {
			return moment{}, isLarge
		}
		m.micros = m.micros*10 + int64(c-'0')
	}
	for i := range 6 {
		m.picos *= 10
		if i < len(fraction) {
			m.picos += int64(fraction[i] - '0')
		}
	}
	return m.signed(negative), isTime
}

// splitNumber returns the digits before and after the point, and the exponent, which is at most a million.
func splitNumber(text []byte) (whole, fraction []byte, exponent int, ok bool) {
	whole, text = digits(text)
	if len(text) > 0 && text[0] == '.' {
		fraction, text = digits(text[1:])
	}
	if len(whole)+len(fraction) == 0 || len(text) == 0 {
		return whole, fraction, 0, len(whole)+len(fraction) > 0
	}
	if text[0]|0x20 != 'e' {
		return nil, nil, 0, false
	}
	text = text[1:]
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	power, rest := digits(text)
	for _, c := range power {
		exponent = min(exponent*10+int(c-'0'), 1e6)
	}
	if negative {
		exponent = -exponent
	}
	return whole, fraction, exponent, len(power) > 0 && len(rest) == 0
}

func digits(text []byte) (digits, rest []byte) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

// shift moves the point. It drops digits beyond 100, because such numbers are too large anyway.
func shift(whole, fraction []byte, exponent int) (_, _ []byte) {
	all := append(append(make([]byte, 0, 64), whole...), fraction...)
	point := len(whole) + exponent
	for ; point < 0 && point > -10; point++ {
		all = append([]byte{'0'}, all...)
	}
	if point < 0 {
		return nil, nil
	}
	for zero := len(bytes.Trim(all, "0")) == 0; len(all) < point; {
		if all = append(all, '0'); zero || len(all) > len(whole)+len(fraction)+100 {
			return all, nil
		}
	}
	return all[:point], all[point:]
}

// signed returns a moment, or its negative.
func (m moment) signed(negative bool) moment {
	if !negative {
		return m
	}
	if m.micros = -m.micros; m.picos > 0 {
		m = moment{m.micros - 1, 1e6 - m.picos}
	}
	return m
}

// plus returns the sum of two moments, and false if it is out of range.
func (m moment) plus(o moment) (sum moment, ok bool) {
	sum = moment{m.micros + o.micros, m.picos + o.picos}
	if sum.picos >= 1e6 {
		sum.micros, sum.picos = sum.micros+1, sum.picos-1e6
	}
	return sum, (o.micros >= 0) == (sum.micros >= m.micros)
}

// nanos returns the rounded nanoseconds since a whole number of microseconds, and false if they are out of range.
func (m moment) nanos(since int64) (ns int64, ok bool) {
	micros := m.micros - since
	if since > 0 && micros > m.micros || since < 0 && micros < m.micros {
		return 0, false
	}
	return micros*1000 + (m.picos+500)/1000, micros > earliest/1000 && micros < latest/1000
}
