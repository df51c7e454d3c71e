package importer

import (
	"cmp"
	"slices"
	"sort"
)

// fileProcess is a process of a file.
type fileProcess struct {
	id, name string
	place    int64 // order among the processes
	order    int   // in the file
}

// nameLanes leaves out the lanes without slices and states. In a file with several processes, the names of lanes begin
// with the process. Numbers make equal names unique.
func (t *Trace) nameLanes() {
	if t.exported {
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
	sort.SliceStable(t.lanes, func(i, k int) bool {
		a, b := t.lanes[i], t.lanes[k]
		return a.process != nil && b.process != nil && cmp.Or(cmp.Compare(a.process.place, b.process.place),
			cmp.Compare(a.process.order, b.process.order), cmp.Compare(a.place, b.place)) < 0
	})
	names := map[string]int{} // of processes
	used := map[*fileProcess]bool{}
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

// tellApart adds the numbers of threads to lanes with equal names.
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

// title returns the name of a process for display.
func (p *fileProcess) title(number bool) string {
	switch {
	case p.name == "":
		return "process " + p.id
	case number:
		return p.name + " " + p.id
	}
	return p.name
}
