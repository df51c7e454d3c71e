package text

import (
	"os"

	"example.com/iprof/process"
)

// Name returns a zone's or lane's name as all functions here show it to people: escaped, cut to 100 cells, and "(unnamed)"
// when there is nothing to read. No name can drive a terminal.
func Name(name string) string { return shown(name) }

// Cut returns s, which must be printable, shortened to at most so many cells of a terminal (at least 3), its end replaced by
// "...".
func Cut(s string, cells int) string { return cut(s, max(cells, 3)) }

// Duration returns milliseconds in the unit that fits, with four significant digits: "16.67 ms"; microseconds are "us".
func Duration(ms float64) string { return fit(ms, true) }

// Environment says what the process's environment allows on a terminal: characters beyond ASCII, and colour.
func Environment() (unicode, color bool) { return utf8Locale(os.Getenv), colorWanted(os.Getenv) }

// ColumnName returns a column's name in CSV, "hier_p99_ms": it says what it shows, with its unit.
func ColumnName(c process.Column) string {
	if c >= process.NumColumns {
		return ""
	}
	return columns[c].name
}
