package instrument

import (
	"fmt"
	"regexp"
)

// Selection chooses the functions with a zone. The zero value keeps the overhead small. Of functions without loops it
// leaves out inlined ones, short ones without recursion, and those that call only inlined functions. At run time the
// profiler mutes functions that are entered too often for too little time.
type Selection struct {
	Include *regexp.Regexp // matched with Function.Full; these functions get a zone whatever their size
	Exclude *regexp.Regexp // these get no zone; Exclude wins over Include
	Min     int            // fewest statements; 0 means defaultMin or slowMin, 1 or less than 0 means any
	All     bool           // every function that can hold a zone

	SlowClock bool // the program runs with a slow clock: slowMin replaces defaultMin
}

// The fewest statements of a function that gets a zone by default. With a slow clock a zone costs about three times as
// much. Muting saves most of that at run time, because muted zones read no clock. So the limit is only twice as high,
// and functions that do little themselves but call much keep their zones.
const (
	defaultMin = 8
	slowMin    = 16
)

// excluded is the Reason of functions that Selection.Exclude matches.
const excluded = "matches -exclude"

// choose sets the function's Reason.
func (s *Selection) choose(f *Function, by inlined) { f.Reason = s.reason(f, by) }

func (s *Selection) reason(f *Function, by inlined) string {
	switch {
	case f.skip != "":
		return f.skip
	case s.Exclude != nil && s.Exclude.MatchString(f.Full()):
		return excluded
	case f.demanded, s.Include != nil && s.Include.MatchString(f.Full()), s.All:
		return ""
	case f.isMain():
		return ""
	case f.muted:
		return tooCostly
	case f.idle, f.shape.loops:
		return "" // a loop may take all the time, whatever its size
	case (f.closure || f.generic || f.callsItself()) && f.recurses():
		return "" // the compiler inlines at most the first call
	case by.functions[f.at()]:
		return "the compiler inlines it"
	case f.recurses():
		return "" // as a loop
	case f.Statements < s.least():
		return s.tooShort(f)
	case f.isLeaf(by):
		return "has no loops, and all its calls are inlined"
	}
	return ""
}

// tooShort is the Reason of functions with too few statements.
func (s *Selection) tooShort(f *Function) string {
	return fmt.Sprintf("has %d statements, fewer than %d", f.Statements, s.least())
}

func (s *Selection) least() int {
	switch {
	case s.Min != 0:
		return s.Min
	case s.SlowClock:
		return slowMin
	}
	return defaultMin
}

func (f *Function) isMain() bool { return f.Name == "main" && !f.closure }
