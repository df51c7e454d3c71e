package changes

import (
	"sort"

	"example.com/iprof/process/report"
)

// Path is a path of the joined call structures of two runs. Times are busy times in ms a frame, including callees.
type Path struct {
	Name          string
	Parent        int // index of the caller, which stands before; -1 for a root
	Before, After float64
	Change        int // index of its zone in Difference.Changes; 0 for the root
}

// Longer returns the longer of the two times.
func (p *Path) Longer() float64 { return max(p.Before, p.After) }

// mostPaths is the greatest number of paths of a structure. The smallest paths are left out.
const mostPaths = 2000

// path is a path of the call structure of one run.
type path struct {
	place  Place
	parent int // index, -1 for a root
	ms     float64
}

// pathsOf returns the call structure of a tree. Idle zones have no time.
func pathsOf(tree []report.TreeNode, places map[report.ZoneID]Place) []path {
	list := make([]path, len(tree))
	for i, n := range tree {
		list[i] = path{places[n.Zone], int(n.Parent), n.Self}
		if n.Idle {
			list[i].ms = 0
		}
		if n.Parent < 0 && list[i].place.Name == "" {
			list[i].place.Name = "(root)"
		}
	}
	for i := len(list) - 1; i > 0; i-- {
		if up := list[i].parent; up >= 0 {
			list[up].ms += list[i].ms
		}
	}
	return list
}

// joinedPaths joins the call structures of two runs.
func joinedPaths(before, after *Times, changes []Change, variables *Variables) []Path {
	j := joined{variables: variables, changes: map[Place]int{}, at: map[joint]int{}}
	for i := range changes {
		j.changes[changes[i].place] = i
	}
	j.add(before.paths, func(p *Path, ms float64) { p.Before += ms })
	j.add(after.paths, func(p *Path, ms float64) { p.After += ms })
	return j.sorted()
}

// joined holds the paths of the added runs.
type joined struct {
	variables *Variables
	changes   map[Place]int // index by place
	paths     []Path
	at        map[joint]int
}

// joint is a path: its caller, and its zone in all runs.
type joint struct {
	parent int
	place  Place
}

// add adds the paths of a run. set stores a time in Before or After.
func (j *joined) add(run []path, set func(p *Path, ms float64)) {
	index := make([]int, len(run))
	for i, p := range run {
		key := joint{-1, j.variables.Place(p.place)}
		if p.parent >= 0 {
			key.parent = index[p.parent]
		}
		at, known := j.at[key]
		if !known {
			at = len(j.paths)
			j.at[key] = at
			change := 0
			if p.parent >= 0 {
				change = j.changes[key.place]
			}
			j.paths = append(j.paths, Path{Parent: key.parent, Change: change})
		}
		j.paths[at].Name = p.place.Name // a literal may have another name now
		index[i] = at
		set(&j.paths[at], p.ms)
	}
}

// sorted returns the paths with time in preorder, the longest of each caller first.
func (j *joined) sorted() (list []Path) {
	below := make([][]int, len(j.paths)+1) // by caller; the roots come last
	for i := range j.paths {
		if p := &j.paths[i]; p.Longer() > 0 {
			up := p.Parent
			if up < 0 {
				up = len(j.paths)
			}
			below[up] = append(below[up], i)
		}
	}
	var walk func(up, parent int)
	walk = func(up, parent int) {
		here := below[up]
		sort.SliceStable(here, func(i, k int) bool { return j.paths[here[i]].Longer() > j.paths[here[k]].Longer() })
		for _, i := range here {
			if len(list) == mostPaths {
				return
			}
			p := j.paths[i]
			p.Parent = parent
			list = append(list, p)
			walk(i, len(list)-1)
		}
	}
	walk(len(j.paths), -1)
	return list
}
