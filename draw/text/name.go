package text

import "os"

// Name returns the name of a zone or lane in the form of this package: escaped, cut to 100 cells, and "(unnamed)" if it
// is blank. The result is safe for a terminal.
func Name(name string) string { return shown(name) }

// Cut returns s shortened to at most the given number of terminal cells, with "..." at the end. s must be printable.
// cells below 3 mean 3.
func Cut(s string, cells int) string { return cut(s, max(cells, 3)) }

// Duration formats milliseconds in a suitable unit, with four significant digits: "16.67 ms". Microseconds are "us".
func Duration(ms float64) string { return fit(ms, true) }

// Reading formats the time between two readings of a clock, like Duration. tick is the resolution of the clock in
// milliseconds; finer decimals are left out: "125 ns" for 3 ticks of 24 MHz. A tick of 0 is unknown, and no decimals
// are left out.
func Reading(ms, tick float64) string { return fitTick(ms, tick, true) }

// Environment reports whether the environment variables allow characters beyond ASCII, and colour, on a terminal.
func Environment() (unicode, color bool) { return utf8Locale(os.Getenv), colorWanted(os.Getenv) }
