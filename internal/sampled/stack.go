package sampled

import (
	"path/filepath"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Line is a line of a stack.
type Line struct {
	Function string
	File     string // full path
	Line     int
}

// Functions are the zones of each function.
type Functions struct {
	Zones []gather.ZoneInfo // by zone
	of    map[string][]report.ZoneID
}

// FunctionsOf lists the zones that begin at one place by function. It leaves out waits, because a wait's zone has the
// name of the function around it.
func FunctionsOf(zones []gather.ZoneInfo) Functions {
	list := Functions{zones, map[string][]report.ZoneID{}}
	for i := range zones {
		if z := &zones[i]; z.Function != "" && !z.Idle {
			list.of[z.Function] = append(list.of[z.Function], report.ZoneID(i))
		}
	}
	return list
}

// Find returns the innermost function of a stack with zones, as its place in the stack, and its zone. That is the last
// zone that begins above the function's line in the stack. If a zone ended before the end of its function, later lines
// of the function still count for it. Without a zone the place is the length of the stack.
func (f Functions) Find(stack []Line) (level int, zone report.ZoneID) {
	for level := range stack {
		at, last := &stack[level], -1
		for _, id := range f.of[at.Function] {
			z := &f.Zones[id]
			if (z.Line <= at.Line || filepath.Clean(z.File) != at.File) && z.Line >= last {
				zone, last = id, z.Line
			}
		}
		if last >= 0 {
			return level, zone
		}
	}
	return len(stack), 0
}

// Innermost returns the innermost line of a stack that the program wants to see, or the innermost one.
func Innermost(stack []Line, wanted func(Line) bool) (l Line) {
	if i := slices.IndexFunc(stack, wanted); i >= 0 {
		return stack[i]
	}
	if len(stack) > 0 {
		l = stack[0]
	}
	return l
}
