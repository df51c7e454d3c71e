package text

import (
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// recordName returns the text in the name column of a record: indentation, sign, name, depth, site, state.
func recordName(rec *report.Record, indent int) string {
	b := make([]byte, 0, 64)
	for range min(indent, 40) {
		b = append(b, "  "...)
	}
	b = append(b, signOf(rec.Sign), ' ')
	if rec.Costly {
		b[len(b)-1] = '!'
	}
	b = append(append(b, rec.Estimated.Sign()...), shown(rec.Name)...)
	if rec.Depth != 0 {
		b = report.AppendDepth(b, rec.Depth)
	}
	if rec.Site != "" {
		b = append(append(b, "  "...), printed.Distinct(rec.Site)...)
	}
	if rec.OverBudget() {
		b = append(append(append(b, "  [over "...), rec.Budget.String()...), ']')
	}
	return string(append(b, state(rec.Open, rec.Idle)...))
}

// signOf returns the character of a mark.
func signOf(m report.Sign) byte {
	switch m {
	case report.SignOpen:
		return '+'
	case report.SignFocus:
		return '-'
	}
	return ' '
}

// state returns in words the state that a window shows by colour.
func state(open, idle bool) string {
	switch {
	case open && idle:
		return "  [open, idle]"
	case open:
		return "  [open]"
	case idle:
		return "  [idle]"
	}
	return ""
}
