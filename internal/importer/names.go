package importer

import (
	"cmp"
	"slices"
)

// process is a process of a file.
type process struct {
	id, name string
	place    int64 // among the others
	order    int   // in the file
}

// nameLanes leaves out the lanes without slices and states. The others of a file with several processes have the names
// of those before theirs, and no two have the same: numbers stand behind.
func (t *Trace) nameLanes() {
	if t.ours {
		return
	}
	stated := map[int]bool{}
	for i := range t.states {
		stated[int(t.states[i].Lane)] = true
	}
	at := 0
	t.lanes = slices.DeleteFunc(t.lanes, func(l *lane) bool {
		at++
		return len(l.slices) == 0 && !stated[at]
	})
	slices.SortStableFunc(t.lanes, func(a, b *lane) int {
		if a.process == nil || b.process == nil {
			return 0
		}
		return cmp.Or(cmp.Compare(a.process.place, b.process.place), cmp.Compare(a.process.order, b.process.order),
			cmp.Compare(a.place, b.place))
	})
	names := map[string]int{} // of processes
	used := map[*process]bool{}
	for _, l := range t.lanes {
		if p := l.process; p != nil && !used[p] {
			used[p] = true
			names[p.name]++
		}
	}
	if len(used) > 1 {
		for _, l := range t.lanes {
			if l.process != nil {
				l.name = l.process.title(names[l.process.name] > 1) + ": " + l.name
			}
		}
	}
	t.tellApart()
}

// tellApart gives lanes of one name the numbers of their threads.
func (t *Trace) tellApart() {
	names := map[string]int{}
	for _, l := range t.lanes {
		names[l.name]++
	}
	for _, l := range t.lanes {
		if names[l.name] > 1 && l.thread != "" {
			l.name += " (" + l.thread + ")"
		}
	}
}

// title is what a process is called.
func (p *process) title(number bool) string {
	switch {
	case p.name == "":
		return "process " + p.id
	case number:
		return p.name + " " + p.id
	}
	return p.name
}
