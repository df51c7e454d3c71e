package text

import "os"

// Name returns the name of a zone or lane as all functions of this package show it: escaped, cut to 100 cells, and
// "(unnamed)" if it is blank. The result is safe for a terminal.
func Name(name string) string { return shown(name) }

// Cut returns s shortened to at most the given number of terminal cells, with "..." at the end. s must be printable.
// cells below 3 mean 3.
func Cut(s string, cells int) string { return cut(s, max(cells, 3)) }

// Duration formats milliseconds in the unit that fits, with four significant digits: "16.67 ms". Microseconds are
// "us".
func Duration(ms float64) string { return fit(ms, true) }

// Reading formats the time between two readings of a clock, as Duration does. Tick is what the clock counts in
// milliseconds; decimals that it cannot tell are left out: "125 ns" for 3 ticks of 24 MHz. A tick of 0 is not known,
// and leaves none out.
func Reading(ms, tick float64) string { return fitTick(ms, tick, true) }

// Environment reports what the environment variables allow on a terminal: characters beyond ASCII, and colour.
func Environment() (unicode, color bool) { return utf8Locale(os.Getenv), colorWanted(os.Getenv) }
