package timeline

import "example.com/iprof/process/report"

// OtherGoroutines is the name of the group of named goroutines whose names have nothing in common.
const OtherGoroutines = "other goroutines"

// Few named goroutines are shown singly, because the program has named them. Many would fill the screen.
const (
	leastAlike  = 16 // goroutines with names of one pattern become a group
	mostSingles = 64 // with more single lanes, those without another group become OtherGoroutines
)

// namedLanes counts the lanes that are in no group of a go statement.
type namedLanes struct {
	patterns map[string]int // lanes by the pattern of their names
	singles  int            // lanes without a group
	others   bool           // there were too many singles
	stale    bool           // the counts require another division into groups
}

// groupOfNamed returns 1 + the index of the group of a named lane, or 0. The first lanes of a group have none until
// divide.
func (t *Timeline) groupOfNamed(l *Lane) int32 {
	n := &t.named
	if l.Updater {
		return 0
	}
	pattern := report.NamePattern(l.Name)
	if n.patterns == nil {
		n.patterns = make(map[string]int)
	}
	n.patterns[pattern]++
	if count := n.patterns[pattern]; count > leastAlike || n.others {
		return t.namedGroup(l, pattern)
	} else if n.singles++; count == leastAlike || n.singles > mostSingles {
		n.stale = true
	}
	return 0
}

// namedGroup returns 1 + the index of the group of a pattern, or that of all others.
func (t *Timeline) namedGroup(l *Lane, pattern string) int32 {
	if t.named.patterns[pattern] >= leastAlike {
		if at := t.group(l, pattern, true); at > 0 {
			return at
		}
	}
	if !t.named.others {
		return 0
	}
	return t.group(l, OtherGoroutines, true)
}

// divide puts single lanes into groups, if there are enough of them. It reports whether it has changed groups, which
// then lack the load of the frames read so far.
func (t *Timeline) divide() (changed bool) {
	n := &t.named
	for n.stale {
		n.stale, n.singles = false, 0
		for i := range t.bands {
			b := &t.bands[i]
			if b.group != 0 || b.Device || b.Updater {
				continue
			}
			if b.group = t.namedGroup(&b.Lane, report.NamePattern(b.Name)); b.group == 0 {
				n.singles++
			}
			changed = changed || b.group != 0
		}
		if n.singles > mostSingles && !n.others {
			n.others, n.stale = true, true
		}
	}
	return changed
}
